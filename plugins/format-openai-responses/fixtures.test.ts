import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../test/arbitraries/chat.ts";
import { openAiResponses } from "./index.ts";
import { assembled, chunksIn, context, eventsOf, framesOf, streamed } from "./testing.ts";

const { decodeRequest, encodeRequest, decodeResponse, encodeResponse, readStreamEnd, readUsage } = openAiResponses;
const fixtures = join(import.meta.dirname, "fixtures");
const read = (scenario: string, file: string) => readFileSync(join(fixtures, scenario, file), "utf8");
const json = (scenario: string, file: string): unknown => deepFreeze(JSON.parse(read(scenario, file)));

const scenarios = readdirSync(fixtures);
const answered = scenarios.filter((scenario) => existsSync(join(fixtures, scenario, "response.json")));

describe.each(scenarios)("openai-responses: %s", (scenario) => {
  it("writes a request it read back as it was, and reports nothing", () => {
    const wire = json(scenario, "request.json");
    const dropped: string[] = [];
    expect(encodeRequest(deepFreeze(decodeRequest(wire)), (name) => dropped.push(name))).toEqual(wire);
    expect(dropped).toEqual([]);
  });

  it("decodes what the vendor streamed into canonical chunks", async () => {
    const lines = chunksIn(read(scenario, "upstream.sse")).map((chunk) => JSON.stringify(chunk));
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(join(fixtures, scenario, "chunks.jsonl"));
  });

  it("says from the ends of a stream how it went", () => {
    const events = eventsOf(read(scenario, "upstream.sse"));
    const end = readStreamEnd?.([...events.slice(0, 1), ...events.slice(-8)]);
    const failed = !answered.includes(scenario);
    expect(end).toMatchObject({ finished: !failed, terminated: !failed, failed });
    if (!failed) expect(end?.usage).toEqual(decodeResponse(json(scenario, "response.json")).usage);
  });

  it("says of a stream without its last event that it is not finished", () => {
    const events = eventsOf(read(scenario, "upstream.sse")).slice(0, -2);
    expect(readStreamEnd?.([...events.slice(0, 1), ...events.slice(-8)])).toMatchObject({ finished: false });
  });
});

describe.each(answered)("openai-responses answer: %s", (scenario) => {
  const whole = json(scenario, "response.json");
  const upstream = read(scenario, "upstream.sse");

  it("writes an answer it read back as it was", () => {
    expect(encodeResponse(deepFreeze(decodeResponse(whole)), context)).toEqual(whole);
  });

  it("reads usage off the body as the decoder does", () => {
    expect(readUsage(whole)).toEqual(decodeResponse(whole).usage);
  });

  it("assembles the stream into the whole answer", () => {
    expect(assembled(chunksIn(upstream))).toEqual(decodeResponse(whole));
  });

  it("writes the stream so that it reads the same again, with the vendor's answer at its end", () => {
    const text = streamed(deepFreeze(chunksIn(upstream)));
    expect(assembled(chunksIn(text))).toEqual(assembled(chunksIn(upstream)));
    expect(framesOf(text).at(-1)?.response).toEqual(whole);
  });

  it("writes the vendor's own events, but for previews of images", () => {
    const previews = /partial_image/;
    const types = (text: string) =>
      eventsOf(text)
        .map(({ event = "" }) => event)
        .filter((type) => !previews.test(type));
    expect(types(streamed(chunksIn(upstream)))).toEqual(types(upstream));
    const places = (text: string) =>
      framesOf(text)
        .filter(({ type }) => !previews.test(String(type)))
        .map(({ item_id, output_index, content_index, summary_index }) => [
          item_id,
          output_index,
          content_index,
          summary_index,
        ]);
    expect(places(streamed(chunksIn(upstream)))).toEqual(places(upstream));
  });

  it("reads the same from a vendor that sends whole items only, and from one that sends only the end", () => {
    const events = eventsOf(upstream);
    const only = (pattern: RegExp) =>
      events
        .filter(({ event = "" }) => pattern.test(event))
        .map(({ event, data }) => `event: ${event}\ndata: ${data}\n\n`)
        .join("");
    expect(assembled(chunksIn(only(/created|item\.done|completed$|incomplete$/)))).toEqual(decodeResponse(whole));
    expect(assembled(chunksIn(only(/response\.(?:completed|incomplete)$/)))).toEqual(decodeResponse(whole));
  });
});
