import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  keptLog,
  type LogBackend,
  LogError,
  logStore,
  type OrganisationsService,
  type PackedLog,
} from "../../../core/index.ts";
import { silentLogger } from "../../../core/log.ts";
import { unpacked } from "../../../core/logs-kit/packed.ts";
import { unpackedRow } from "../../../core/logs-kit/packed-row.ts";
import { keepingLogger } from "../../../test/support/gateway.ts";
import { bodyOf, logObject, logRow } from "../../../test/support/log-entries.ts";
import { requestLogOptions } from "../options.ts";
import type { Draft } from "../record/records.ts";
import { StoreBreaker } from "./breaker.ts";
import { Owners } from "./owners.ts";
import { RecordQueue, type Waiting } from "./queue.ts";
import { type Common, inCommon, Shipper } from "./shipper.ts";

const draft = (id: string, size = 0, owner: Partial<Draft> = {}): Draft => ({
  row: { ...logRow({ id }), organisation_id: "", workspace_slug: null },
  object: logObject(bodyOf("{}"), bodyOf("{}")),
  organisation: "o",
  workspace: "w",
  size,
  ...owner,
});

/** Packs as every store does, and keeps nothing. */
const { packed } = logStore({} as LogBackend, { retention: { objectDays: 0, rowDays: 0 }, log: silentLogger });

const made = (id: string, size = 0): Waiting => draft(id, size);
const packedDraft = (id: string, size = 0): Waiting => ({ packed: packed({ ...draft(id), workspace: "w" }), size });

const idOf = (record: Waiting) => ("packed" in record ? keptLog(record.packed).id : record.row.id);

/** The object of a record, and how many bytes of bodies are kept with it. */
function objectOf(record: Waiting) {
  if (!("packed" in record)) return record.object;
  const { head = "{}", pieces = [] } = keptLog(record.packed).object ?? {};
  return unpacked(head, Buffer.concat(pieces));
}

describe.each([
  ["as they were made", made],
  ["packed", packedDraft],
])("the queue of records %s", (_, record) => {
  const filled = (limits: { rows: number; bytes: number }, sizes: readonly number[]) => {
    const queue = new RecordQueue(limits);
    for (const [at, size] of sizes.entries()) queue.add(record(`${at}`, size));
    return queue;
  };
  const rest = (queue: RecordQueue) =>
    queue
      .take(1000, Number.POSITIVE_INFINITY)
      .map((one) => `${idOf(one)}${objectOf(one).request.body === undefined ? " bare" : ""}`);

  it.each<[string, { rows: number; bytes: number }, number[], string[], object]>([
    ["keeps what fits", { rows: 3, bytes: 1e6 }, [1, 1, 1], ["0", "1", "2"], { records: 0, contents: 0 }],
    ["loses the oldest of too many", { rows: 2, bytes: 1e6 }, [1, 1, 1, 1], ["2", "3"], { records: 2, contents: 0 }],
    [
      "lets the oldest lose their content first",
      { rows: 9, bytes: 30_000 },
      [9_000, 9_000, 9_000, 0],
      ["0 bare", "1", "2", "3"],
      { records: 0, contents: 1 },
    ],
    [
      "lets all lose their content before one is lost",
      { rows: 9, bytes: 7_000 },
      [9_000, 9_000, 9_000],
      ["1 bare", "2 bare"],
      { records: 1, contents: 3 },
    ],
    ["keeps nothing that is larger than the room", { rows: 9, bytes: 100 }, [50], [], { records: 1, contents: 1 }],
  ])("%s", (_, limits, sizes, wanted, lost) => {
    const queue = filled(limits, sizes);
    expect(rest(queue)).toEqual(wanted);
    expect(queue.lost).toEqual(lost);
    expect(queue.bytes).toBe(0);
  });

  it("gives batches of so many records, and of so many bytes, but never none", () => {
    const queue = filled({ rows: 99, bytes: 1e9 }, [1, 1, 1, 100_000, 50_000, 1]);
    const batch = (rows: number, bytes: number) => queue.take(rows, bytes).map(idOf);
    expect(batch(2, 1e6)).toEqual(["0", "1"]);
    expect(batch(9, 50_000)).toEqual(["2"]);
    expect(batch(9, 50_000)).toEqual(["3"]);
    expect(batch(9, 1e6)).toEqual(["4", "5"]);
    expect(queue.length).toBe(0);
  });

  it("takes back what could not be written, before everything else, and within the same bounds", () => {
    const queue = filled({ rows: 3, bytes: 1e6 }, [1, 1]);
    const taken = queue.take(2, 1e6);
    for (const id of ["2", "3"]) queue.add(record(id, 1));
    queue.putBack(taken);
    expect(rest(queue)).toEqual(["1", "2", "3"]);
    expect(queue.lost).toEqual({ records: 1, contents: 0 });
  });
});

it("counts the bytes of what is packed where there are many", () => {
  const queue = new RecordQueue({ rows: 99, bytes: 1e6 });
  const { row, ...rest } = draft("a");
  const wide = packed({ ...rest, row: { ...row, api_key_name: "x".repeat(20_000) }, workspace: "w" });
  queue.add({ packed: wide, size: 10 });
  expect(queue.bytes).toBe(wide.bytes.length + 10);
  queue.take(1, 1);
  expect(queue.bytes).toBe(0);
});

describe("the breaker", () => {
  it("opens after failures in a row, tries once after a while, and closes when that helps", () => {
    let time = 0;
    const breaker = new StoreBreaker({ threshold: 3, backoff: 100, now: () => time });
    const once = (step: () => void) => {
      step();
      return breaker.state;
    };
    const [fail, succeed] = [() => breaker.failed(), () => breaker.succeeded()];
    expect([fail, fail, succeed, fail, fail].map(once)).toEqual(Array(5).fill("closed"));
    expect(once(fail)).toBe("open");
    expect(breaker.opensAt).toBe(100);
    time = 99;
    expect(breaker.state).toBe("open");
    time = 100;
    expect(breaker.state).toBe("probe");
    expect(breaker.opensAt).toBeUndefined();
    expect(once(fail)).toBe("open");
    time = 200;
    expect(once(succeed)).toBe("closed");
    expect(breaker.failures).toBe(0);
  });
});

/** A store that does what a test says, and keeps what it was given. */
function store() {
  const batches: string[][] = [];
  const entries: ReturnType<typeof entryOf>[] = [];
  let answer: () => Promise<void> = async () => undefined;
  const backend = {
    async append(batch: readonly PackedLog[]) {
      batches.push(batch.map((one) => keptLog(one).id));
      await answer();
      entries.push(...batch.map(entryOf));
    },
  } as unknown as LogBackend;
  const logs = logStore(backend, { retention: { objectDays: 0, rowDays: 0 }, log: silentLogger });
  const down = () => Promise.reject(new LogError("down", "the disk is full"));
  const answers = (next: typeof answer) => {
    answer = next;
  };
  return { logs, batches, entries, down, answers };
}

function entryOf(packedLog: PackedLog) {
  const { column, row } = keptLog(packedLog);
  return { workspace: column("workspace"), row: unpackedRow(row) };
}

function shipping(options: object = {}, organisations?: Partial<OrganisationsService>, common?: Common) {
  const kept = store();
  const log = keepingLogger();
  const owners = new Owners(organisations as OrganisationsService | undefined);
  const parts = { ...kept, owners, log, options: requestLogOptions.parse(options) };
  const shipper = new Shipper({ ...parts, ...(common && { common }) });
  const add = (...ids: string[]) => {
    for (const id of ids) shipper.add(draft(id));
  };
  const said = (message: RegExp) => log.lines.filter((line) => message.test(line.message));
  return { ...kept, shipper, add, said, pass: (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds) };
}

describe("records on their way", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("are written together, three seconds after the first", async () => {
    const { add, pass, batches, shipper } = shipping();
    add("a");
    await pass(2_000);
    add("b");
    await pass(999);
    expect(batches).toEqual([]);
    await pass(1);
    expect(batches).toEqual([["a", "b"]]);
    expect(shipper.state).toMatchObject({ state: "closed", written: 2, waiting: { records: 0, bytes: 0 } });
  });

  it.each<[string, object, number]>([
    ["of many", { batchRows: 3 }, 0],
    ["of many bytes", { batchBytes: 9_000 }, 0],
  ])("are written at once when there is a batch %s", async (_, options) => {
    const { add, pass, batches } = shipping(options);
    add("a", "b");
    await pass(0);
    expect(batches).toEqual([]);
    add("c");
    await pass(0);
    expect(batches.flat()).toEqual(["a", "b", "c"]);
  });

  it("wait for the batch before them, and are one batch then", async () => {
    const { add, pass, batches, answers } = shipping({ batchRows: 2 });
    let done: () => void = () => undefined;
    answers(
      () =>
        new Promise((resolve) => {
          done = resolve;
        }),
    );
    add("a", "b");
    await pass(0);
    add("c", "d");
    await pass(10_000);
    expect(batches).toEqual([["a", "b"]]);
    done();
    await pass(0);
    expect(batches).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
  });

  it("are kept while the store is away, which is left alone after five failures, and written when it is back", async () => {
    const { add, pass, batches, entries, answers, down, shipper, said } = shipping();
    answers(down);
    add("a");
    await pass(15_000);
    expect(batches).toHaveLength(5);
    expect(shipper.state).toMatchObject({ state: "open", failures: 5, waiting: { records: 1 }, lost: { records: 0 } });
    add("b");
    await pass(59_999);
    expect(batches).toHaveLength(5);
    await pass(1);
    expect(batches).toHaveLength(6);
    expect(shipper.state.state).toBe("open");
    answers(async () => undefined);
    await pass(60_000);
    expect(entries.map(({ row }) => row.id)).toEqual(["a", "b"]);
    expect(shipper.state).toMatchObject({ state: "closed", failures: 0, waiting: { records: 0 } });
    expect(said(/could not be written/).filter(({ level }) => level === "warn")).toHaveLength(3);
    expect(said(/written again/)).toHaveLength(1);
    expect(said(/lost/)).toEqual([]);
  });

  it("that find no room are counted, and said to be lost now and then", async () => {
    const { add, pass, answers, down, shipper, said } = shipping({ queueRows: 2 });
    answers(down);
    add("a", "b", "c", "d");
    expect(said(/are lost/)).toMatchObject([{ level: "error", fields: { records: 1, contents: 0 } }]);
    add("e");
    expect(said(/are lost/)).toHaveLength(1);
    await pass(60_000);
    add("f");
    expect(said(/are lost/)).toMatchObject([{}, { fields: { records: 4 } }]);
    expect(shipper.state.lost).toEqual({ records: 4, contents: 0 });
  });

  it("do not wait for ever for a store that does not answer", async () => {
    const { add, pass, batches, answers, shipper } = shipping();
    answers(() => new Promise(() => undefined));
    add("a");
    await pass(3_000 + 15_000);
    expect(shipper.state).toMatchObject({ failures: 1, waiting: { records: 1 } });
    answers(async () => undefined);
    await pass(3_000);
    expect(batches).toEqual([["a"], ["a"]]);
    expect(shipper.state).toMatchObject({ failures: 0, written: 1 });
  });

  it("are not held up by one that fits no store", async () => {
    const { add, pass, entries, answers, shipper, said, batches } = shipping();
    answers(async () => {
      if (batches.at(-1)?.includes("bad")) throw new LogError("invalid", "too large");
    });
    add("a", "bad", "b");
    await pass(3_000);
    expect(entries.map(({ row }) => row.id)).toEqual(["a", "b"]);
    expect(shipper.state).toMatchObject({ state: "closed", failures: 0, written: 2, lost: { records: 1 } });
    expect(said(/fits no store/)).toMatchObject([{ fields: { record: "bad" } }]);
  });

  it("do not wait where no store would take them", async () => {
    const { add, pass, entries, shipper, said } = shipping();
    const { row, ...rest } = draft("bad");
    shipper.add({ ...rest, row: { ...row, created_at: "yesterday" } });
    add("a");
    await pass(3_000);
    expect(entries.map((entry) => entry.row.id)).toEqual(["a"]);
    expect(shipper.state).toMatchObject({ written: 1, lost: { records: 1 } });
    expect(said(/fits no store/)).toMatchObject([{ fields: { record: "bad" } }]);
  });

  it("are written when the process ends, and counted where that takes too long", async () => {
    const done = shipping();
    done.add("a");
    await done.shipper.close(5_000);
    expect(done.entries).toHaveLength(1);
    const late = shipping();
    late.answers(() => new Promise(() => undefined));
    late.add("a", "b");
    const closing = late.shipper.close(5_000);
    await late.pass(5_000);
    await closing;
    expect(late.said(/are lost/)).toMatchObject([{ fields: { records: 2 } }]);
  });

  it("go to the next generation when theirs has handed on", async () => {
    const common = inCommon();
    const before = shipping({}, undefined, common);
    before.shipper.serve();
    before.answers(before.down);
    before.add("a");
    const after = shipping({}, undefined, common);
    after.shipper.serve();
    const closing = before.shipper.close(5_000);
    await before.pass(5_000);
    await closing;
    before.add("b");
    await after.pass(3_000);
    expect(after.batches.flat()).toEqual(["a", "b"]);
    expect(before.said(/are lost/)).toEqual([]);
  });

  it("are counted once where the store had them after their generation had handed them on", async () => {
    const common = inCommon();
    const before = shipping({ timeout: 60_000 }, undefined, common);
    before.shipper.serve();
    let taken: () => void = () => undefined;
    before.answers(() => new Promise((resolve) => (taken = resolve)));
    before.add("a");
    await before.pass(3_000);
    const after = shipping({}, undefined, common);
    after.shipper.serve();
    const closing = before.shipper.close(5_000);
    await before.pass(5_000);
    await closing;
    taken();
    await after.pass(3_000);
    expect([before.batches.flat(), after.batches.flat()]).toEqual([["a"], ["a"]]);
    expect(after.shipper.state).toMatchObject({ written: 1, lost: { records: 0 } });
  });

  it("say whose they are, and belong to the installation where they are nobody's", async () => {
    const workspace = (organisation: string, ref: string) =>
      ({ id: ref, slug: `slug of ${ref}`, organisation, name: "", metadata: {} }) as const;
    let homes = 0;
    const { shipper, pass, entries } = shipping(
      {},
      { home: async () => ({ organisation: `home ${++homes}`, workspace: "shared" }), workspace },
    );
    shipper.add(draft("a"));
    shipper.add(draft("b", 0, { workspace: undefined }));
    shipper.add(draft("c", 0, { organisation: undefined, workspace: undefined }));
    await pass(3_000);
    shipper.add(draft("d", 0, { organisation: undefined, workspace: undefined }));
    await pass(3_000);
    const owners = entries.map(({ row, workspace }) => [row.organisation_id, row.workspace_slug, workspace]);
    expect(owners).toEqual([
      ["o", "slug of w", "w"],
      ["o", null, null],
      ["home 1", "slug of shared", "shared"],
      ["home 1", "slug of shared", "shared"],
    ]);
  });

  it.each<[string, OrganisationsService["workspace"]]>([
    ["rejects", () => Promise.reject(new Error("gone"))],
    [
      "throws",
      () => {
        throw new Error("gone");
      },
    ],
  ])("go by the name of their workspace where whoever is asked for it %s", async (_, workspace) => {
    const { add, pass, entries } = shipping({}, { workspace });
    add("a");
    await pass(3_000);
    expect(entries).toMatchObject([{ row: { organisation_id: "o", workspace_slug: "w" }, workspace: "w" }]);
  });
});
