import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually, expectHealthy } from "../support/calm.ts";
import { startFreeGateway, type TestGateway } from "../support/gateway.ts";
import { question } from "../support/raw-client.ts";
import { deferred } from "../support/raw-upstream.ts";
import { expectAnswer } from "./reading.ts";
import { type Cell, cells, type Row, rows } from "./table.ts";
import type { FormatName } from "./vendor.ts";

const paths = { openai: "/v1/chat/completions", anthropic: "/v1/messages" } as const;

let gateway: TestGateway;
/** What the vendor on a socket does with the next call. */
let behaviour: NonNullable<Row["vendor"]> | undefined;
let answered = deferred<void>();

const vendor = createServer((incoming, response) => {
  let body = "";
  incoming.on("data", (bytes) => {
    body += bytes;
  });
  incoming.on("error", () => undefined);
  incoming.on("end", () => {
    const format: FormatName = incoming.url?.endsWith("/messages") ? "anthropic" : "openai";
    behaviour?.({ format, stream: JSON.parse(body).stream === true, incoming, response, answered: answered.promise });
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`;
  gateway = await startFreeGateway(`
server: { clocks: { idle: 120 }, limits: { upstreamBodyBytes: 50000 } }
plugins:
  auth-open: {}
  routing: {}
  format-openai-chat: {}
  format-anthropic-messages: {}
  access-log: {}
providers:
  simulator: {}
  openai-simulator: { use: simulator, formats: [openai-chat] }
  anthropic-simulator: { use: simulator, formats: [anthropic-messages] }
  openai: { apiKey: vendor-key, baseUrl: ${baseUrl} }
  anthropic: { apiKey: vendor-key, baseUrl: ${baseUrl} }
`);
});

afterAll(async () => {
  await gateway.shutdown(0, 0);
  vendor.closeAllConnections();
  vendor.close();
});

afterEach(async () => {
  await expectHealthy(gateway);
  await eventually(() => expect(gateway.generation.active).toBe(0));
});

const nameOf = ({ client, vendor, stream }: Cell) =>
  `${stream ? "streamed" : "whole"} from a vendor of ${vendor} for a client of ${client}`;

describe.each(rows)("$fault", (row) => {
  const applying = cells.filter((cell) => row.expected(cell) !== undefined);
  it.each(applying.map((cell) => ({ name: nameOf(cell), cell })))("$name", async ({ cell }) => {
    behaviour = row.vendor;
    answered = deferred<void>();
    const provider = row.model === undefined ? cell.vendor : `${cell.vendor}-simulator`;
    const response = await fetch(gateway.url + paths[cell.client], {
      method: "POST",
      headers: { "content-type": "application/json", ...row.headers },
      body: question(`${provider}/${row.model ?? "m"}`, { stream: cell.stream }),
      redirect: "manual",
    });
    answered.resolve();
    const expected = row.expected(cell);
    if (!expected) throw new Error("an empty cell");
    const { status, headers } = response;
    expectAnswer({ status, headers, text: await response.text() }, expected, cell.client, cell.stream);
    const ending = { complete: "complete", refused: "error", broken: "truncated" }[expected.kind];
    const malformed = expected.kind === "complete" ? expected.malformed : undefined;
    await eventually(() => {
      const line = gateway.log.lines.findLast(({ message }) => message === "request");
      expect(line?.fields).toMatchObject({
        ending,
        status,
        attempts: 1,
        ...(malformed && { malformedFrames: malformed }),
      });
    });
  });
});
