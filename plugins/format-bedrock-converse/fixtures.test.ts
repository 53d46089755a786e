import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { passThrough, translation } from "../../core/pipeline/stream/stream-work.ts";
import { deepFreeze } from "../../test/arbitraries/chat.ts";
import { bedrockConverse } from "./index.ts";
import { assembled, chunksIn, context, eventsOf, withPlainArguments } from "./testing.ts";

const { decodeRequest, encodeRequest, decodeResponse, encodeResponse, readStreamEnd, readUsage, encodeStream } =
  bedrockConverse;
const fixtures = join(import.meta.dirname, "fixtures");
const read = (scenario: string, file: string) => readFileSync(join(fixtures, scenario, file));
const json = (scenario: string, file: string): unknown => deepFreeze(JSON.parse(`${read(scenario, file)}`));
const stream = (scenario: string) => read(scenario, "upstream.bin").toString("latin1");

const scenarios = readdirSync(fixtures);
const whole = scenarios.filter((scenario) => existsSync(join(fixtures, scenario, "response.json")));
const failing = "error-mid-stream";

describe.each(scenarios)("bedrock-converse: %s", (scenario) => {
  it("decodes what the vendor streamed into canonical chunks", async () => {
    const lines = chunksIn(stream(scenario)).map((chunk) => JSON.stringify(chunk));
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(join(fixtures, scenario, "chunks.jsonl"));
  });

  it("says from the ends of a stream how it went", () => {
    const events = eventsOf(stream(scenario));
    const end = readStreamEnd?.([...events.slice(0, 1), ...events.slice(-8)]);
    const failed = scenario === failing;
    expect(end).toMatchObject({ finished: !failed, terminated: !failed, failed });
    if (!failed) expect(end?.usage).toEqual(decodeResponse(json(scenario, "response.json")).usage);
  });

  it("is read the same wherever the network splits the bytes", () => {
    const bytes = read(scenario, "upstream.bin");
    const run = (pieces: readonly Buffer[], work: ReturnType<typeof passThrough>) => {
      const out = pieces.map((piece) => Buffer.from(work.push(piece)));
      const { out: last, failure } = work.end();
      const all = Buffer.concat([...out, Buffer.from(last)]).toString("hex");
      return { all, failure: failure?.code, error: work.upstreamError, usage: work.usage };
    };
    const works = [
      () => passThrough(bedrockConverse, 1_000_000),
      () => translation({ upstream: bedrockConverse, client: bedrockConverse, context, maxFrameBytes: 1_000_000 }),
    ];
    for (const [which, work] of works.entries()) {
      const expected = run([bytes], work());
      if (which === 0) expect(expected.all).toBe(bytes.toString("hex"));
      for (let at = 1; at < bytes.length; at += 7)
        expect(run([bytes.subarray(0, at), bytes.subarray(at)], work())).toEqual(expected);
    }
  });
});

describe.each(whole)("bedrock-converse whole: %s", (scenario) => {
  const response = json(scenario, "response.json");
  const chunks = chunksIn(stream(scenario));

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
    expect(withPlainArguments(assembled(chunks))).toEqual(decodeResponse(response));
  });

  it("writes the stream so that it reads the same again", () => {
    const encoder = encodeStream?.(context);
    const written = chunks.map((chunk) => encoder?.push(deepFreeze(chunk))).join("") + encoder?.end();
    expect(assembled(chunksIn(written))).toEqual(assembled(chunks));
  });
});
