import { describe, expect, it } from "vitest";
import { bodyOf, logEntry, logObject } from "../../test/support/log-entries.ts";
import { type LogColumn, logColumns } from "../services/logs.ts";
import { packed } from "./packed.ts";
import { keptLog, packedLog, withHead } from "./packed-log.ts";
import { packedRow } from "./packed-row.ts";

const odd = "naïve 日本 😀 \ud800";

describe("a packed entry", () => {
  it("is the entry as stores have it", () => {
    const { row, workspace, object } = logEntry(
      { id: "r1", api_key_name: odd, _user: "ann", "metadata.key": ["team"], "metadata.value": [odd] },
      logObject(bodyOf('{"a":1}'), bodyOf(odd)),
    );
    const { column, ...kept } = keptLog(packedLog({ row, workspace, ...(object && { object }) }));
    expect(kept).toEqual({
      ...{ organisation: row.organisation_id, id: "r1", created: Date.parse(row.created_at) },
      metadata: { team: odd, _user: "ann" },
      row: packedRow(row),
      object: object && packed(object),
    });
    const columns = Object.keys(logColumns) as LogColumn[];
    expect(Object.fromEntries(columns.map((name) => [name, column(name)]))).toEqual(
      Object.fromEntries(columns.map((name) => [name, name === "workspace" ? workspace : row[name]])),
    );
  });

  it("is none where a store could not take what stands beside its bodies", () => {
    const object = (characters: number) => {
      const entry = logObject(bodyOf("{}"), bodyOf("{}"));
      return { ...entry, hook_results: "ä".repeat(characters) };
    };
    expect(() => packedLog(logEntry({ id: "r1" }, object(2 * 1024 * 1024)))).toThrow("beside the bodies");
    expect(keptLog(packedLog(logEntry({ id: "r1" }, object(2_000_000)))).id).toBe("r1");
  });

  it("of which the content is gone has none", () => {
    const { row, workspace } = logEntry({ id: "r1" });
    expect(keptLog(packedLog({ row, workspace })).object).toBeUndefined();
  });

  it("may get another head, and loses its bodies then", () => {
    const entry = packedLog(logEntry({ id: "r1" }, logObject(bodyOf("{}"), bodyOf("{}"))));
    const { object, ...rest } = keptLog(withHead(entry, (head) => `${head} `));
    expect(object).toEqual({ head: `${keptLog(entry).object?.head} `, pieces: [] });
    expect({ ...rest, column: undefined }).toMatchObject({ id: "r1", row: keptLog(entry).row });
  });

  it("stays as it is when others are packed, however large they are", () => {
    const entries = Array.from({ length: 300 }, (_, at) =>
      packedLog(logEntry({ id: `r${at}`, api_key_name: "x".repeat(at * 20) })),
    );
    const large = packedLog(logEntry({ id: "large", api_key_name: odd.repeat(100_000) }));
    expect(entries.map((one) => keptLog(one).id)).toEqual(entries.map((_, at) => `r${at}`));
    expect(keptLog(large).id).toBe("large");
  });
});
