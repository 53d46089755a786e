import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { passThrough, translation } from "../../core/pipeline/stream/stream-work.ts";
import { deepFreeze } from "../../test/arbitraries/chat.ts";
import { gemini, geminiList } from "./index.ts";
import { assembled, chunksIn, context, eventsOf } from "./testing.ts";

const { decodeRequest, encodeRequest, decodeResponse, encodeResponse, readStreamEnd, readUsage, encodeStream } = gemini;
const fixtures = join(import.meta.dirname, "fixtures");
const read = (scenario: string, file: string) => readFileSync(join(fixtures, scenario, file), "utf8");
const json = (scenario: string, file: string): unknown => deepFreeze(JSON.parse(read(scenario, file)));

const scenarios = readdirSync(fixtures);
const whole = scenarios.filter((scenario) => existsSync(join(fixtures, scenario, "response.json")));
const failing = "error-mid-stream";

describe.each(scenarios)("gemini: %s", (scenario) => {
  it("decodes what the vendor streamed into canonical chunks", async () => {
    const lines = chunksIn(read(scenario, "upstream.sse")).map((chunk) => JSON.stringify(chunk));
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(join(fixtures, scenario, "chunks.jsonl"));
  });

  it("says from the ends of a stream how it went", () => {
    const events = eventsOf(read(scenario, "upstream.sse"));
    const end = readStreamEnd?.([...events.slice(0, 1), ...events.slice(-8)]);
    const failed = scenario === failing;
    expect(end).toMatchObject({ finished: !failed, terminated: false, failed });
    if (!failed) expect(end?.usage).toEqual(decodeResponse(json(scenario, "response.json")).usage);
  });

  it("is read the same wherever the network splits the bytes", () => {
    const bytes = Buffer.from(read(scenario, "upstream.sse"));
    const run = (pieces: readonly Buffer[], work: ReturnType<typeof passThrough>) => {
      const out = pieces.map((piece) => `${work.push(piece)}`).join("");
      const { out: last, failure } = work.end();
      return { text: `${out}${last}`, failure: failure?.code, error: work.upstreamError, usage: work.usage };
    };
    const works = [
      () => passThrough(gemini, 1_000_000),
      () => translation({ upstream: gemini, client: geminiList, context, maxFrameBytes: 1_000_000 }),
    ];
    for (const work of works) {
      const expected = run([bytes], work());
      for (let at = 1; at < bytes.length; at += 7)
        expect(run([bytes.subarray(0, at), bytes.subarray(at)], work())).toEqual(expected);
    }
  });
});

it.each([
  ["as an event", (error: string) => `data: ${error}\n\n`],
  ["bare", (error: string) => `${JSON.stringify(JSON.parse(error), undefined, 2)}\n\n`],
  ["bare, in a list, at the very end", (error: string) => `[${error}\n]`],
])("is broken off for clients of old behind an error that passes through %s", (_, write) => {
  const stream = read(failing, "upstream.sse");
  const [, error = ""] = /^data: (\{"error".*)$/m.exec(stream) ?? [];
  const work = passThrough(gemini, 1_000_000);
  const passed = work.push(Buffer.from(stream.replace(/data: \{"error".*\n\n$/, write(error))));
  expect(`${passed}${work.end().out}`.replace(/\n+: /, "\n\n: ")).toBe(`${stream}: failed\n`);
  expect(work.upstreamError).toMatchObject({ type: "UNAVAILABLE" });
});

describe.each(whole)("gemini whole: %s", (scenario) => {
  const response = json(scenario, "response.json");
  const chunks = chunksIn(read(scenario, "upstream.sse"));

  it("writes a request it read back as it was, and reports nothing", () => {
    const wire = json(scenario, "request.json");
    const dropped: string[] = [];
    expect(encodeRequest(deepFreeze(decodeRequest(wire)), (name) => dropped.push(name))).toEqual(wire);
    expect(dropped).toEqual([]);
  });

  it("writes an answer it read back as it was", () => {
    expect(encodeResponse(deepFreeze(decodeResponse(response)), context)).toEqual(response);
  });

  it("reads usage off the body as the decoder does", () => {
    expect(readUsage(response)).toEqual(decodeResponse(response).usage);
  });

  it("assembles the stream into the whole answer", () => {
    expect(assembled(chunks)).toEqual(decodeResponse(response));
  });

  it("reads a list of frames as the stream they are", () => {
    const frames = eventsOf(read(scenario, "upstream.sse")).map(({ data }) => JSON.parse(data));
    expect(decodeResponse(frames)).toEqual(decodeResponse(response));
  });

  it("writes the stream so that it reads the same again, as events and as a list", () => {
    const written = (format: typeof gemini) => {
      const encoder = format.encodeStream?.(context);
      return chunks.map((chunk) => encoder?.push(deepFreeze(chunk))).join("") + encoder?.end();
    };
    expect(assembled(chunksIn(written(gemini)))).toEqual(assembled(chunks));
    expect(decodeResponse(JSON.parse(written(geminiList)))).toEqual(assembled(chunks));
    expect(encodeStream).toBeDefined();
  });
});
