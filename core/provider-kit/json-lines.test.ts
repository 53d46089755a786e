import { describe, expect, it } from "vitest";
import { GatewayError } from "../errors/gateway-error.ts";
import { batchLine, inLine, jsonLines, outcomeLine, readOutcome, vendorLines, writtenLines } from "./json-lines.ts";

async function* inPieces(text: string | Buffer, size = 3): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const refusal = (cause: unknown) => {
  if (!(cause instanceof GatewayError)) throw cause;
  return { code: cause.code, message: cause.message, param: cause.details.param };
};

describe("a file of JSON lines", () => {
  it.each([
    ["", []],
    ["\n \n", []],
    ['{"a":1}', [[1, { a: 1 }]]],
    [
      '\uFEFF{"a":"é\u2028"}\r\n\n{"b":2}\n',
      [
        [1, { a: "é\u2028" }],
        [3, { b: 2 }],
      ],
    ],
  ])("is read line by line: %j", async (text, expected) => {
    for (const size of [1, 2, 64])
      expect((await all(jsonLines(inPieces(text, size)))).map(({ number, wire }) => [number, wire])).toEqual(expected);
  });

  it.each([
    ['{"a":1}\n{"a"', "file: line 2 is not valid JSON"],
    ["\n[1]", "file: line 2 is not a JSON object"],
  ])("is refused by the number of its broken line: %j", async (text, message) => {
    const asked = await all(jsonLines(inPieces(text))).catch(refusal);
    expect(asked).toMatchObject({ code: "invalid_request", param: "file", message: expect.stringContaining(message) });
    expect(await all(vendorLines(inPieces(text))).catch(refusal)).toMatchObject({ code: "upstream_invalid" });
  });

  it("has lines of a length that can be held", async () => {
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) yield Buffer.alloc(1024 * 1024, 97);
    }
    expect(await all(jsonLines(endless())).catch(refusal)).toMatchObject({
      message: "file: line 1 is longer than 33554432 bytes.",
    });
  });

  it("is written in pieces, whatever it holds", async () => {
    async function* rows() {
      for (let at = 0; at < 5_000; at++) yield { at, text: "x".repeat(20) };
    }
    const pieces = await all(writtenLines(rows()));
    expect(pieces.length).toBeGreaterThan(1);
    expect(await all(jsonLines(inPieces(Buffer.concat(pieces), 1_000)))).toHaveLength(5_000);
  });
});

const line = { custom_id: "a", method: "POST", url: "/v1/x", body: {} };

describe("a line of a batch", () => {
  it("has a name, an endpoint and a body", () => {
    expect(batchLine({ number: 3, wire: line })).toEqual({ number: 3, customId: "a", endpoint: "/v1/x", body: {} });
  });

  it.each([
    [{ custom_id: "" }, "line 7: custom_id"],
    [{ custom_id: 1 }, "line 7: custom_id"],
    [{ method: "GET" }, "line 7: method"],
    [{ url: undefined }, "line 7: url"],
    [{ body: [] }, "line 7: body"],
  ])("is refused with %j", (more, param) => {
    try {
      batchLine({ number: 7, wire: { ...line, ...more } });
      expect.unreachable();
    } catch (cause) {
      expect(refusal(cause)).toMatchObject({ code: "invalid_request", param });
    }
  });

  it("keeps what else goes wrong what it is", () => {
    const mistake = new TypeError("a mistake of the gateway");
    const failing = () => {
      throw mistake;
    };
    expect(() => inLine(1, failing)).toThrow(mistake);
    expect(() => readOutcome("a", failing)).toThrow(mistake);
  });
});

it("writes what became of a line as OpenAI does", () => {
  const good = readOutcome("a", () => ({ id: "x" }), "req-1");
  expect(outcomeLine(good, "b_1")).toEqual({
    id: "b_1",
    custom_id: "a",
    response: { status_code: 200, request_id: "req-1", body: { id: "x" } },
    error: null,
  });
  const bad = readOutcome(null, () => {
    throw new GatewayError("upstream_invalid", "No text.");
  });
  expect(outcomeLine(bad, "b_2")).toEqual({
    id: "b_2",
    custom_id: null,
    response: null,
    error: { code: "upstream_invalid", message: "No text." },
  });
});
