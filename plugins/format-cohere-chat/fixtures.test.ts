import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../test/arbitraries/chat.ts";
import { cohereChat } from "./index.ts";
import { assembled, chunksIn, context, eventsOf } from "./testing.ts";

const { decodeRequest, encodeRequest, decodeResponse, encodeResponse, readStreamEnd, readUsage, encodeStream } =
  cohereChat;
const fixtures = join(import.meta.dirname, "fixtures");
const read = (scenario: string, file: string) => readFileSync(join(fixtures, scenario, file), "utf8");
const json = (scenario: string, file: string): unknown => deepFreeze(JSON.parse(read(scenario, file)));

const scenarios = readdirSync(fixtures);
const answered = scenarios.filter((scenario) => existsSync(join(fixtures, scenario, "response.json")));
const failing = "error-mid-stream";

describe.each(scenarios)("cohere-chat: %s", (scenario) => {
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
    const failed = scenario === failing;
    expect(end).toMatchObject({ finished: !failed, terminated: !failed, failed });
    if (!failed) expect(end?.usage).toEqual(decodeResponse(json(scenario, "response.json")).usage);
  });
});

describe.each(answered)("cohere-chat answer: %s", (scenario) => {
  const whole = json(scenario, "response.json");
  const chunks = chunksIn(read(scenario, "upstream.sse"));

  it("writes an answer it read back as it was", () => {
    expect(encodeResponse(deepFreeze(decodeResponse(whole)), context)).toEqual(whole);
  });

  it("reads usage off the body as the decoder does", () => {
    expect(readUsage(whole)).toEqual(decodeResponse(whole).usage);
  });

  it("assembles the stream into the whole answer", () => {
    expect(assembled(chunks)).toEqual(decodeResponse(whole));
  });

  it("writes the stream as the vendor did, and so that it reads the same again", () => {
    const encoder = encodeStream?.(context);
    const text = chunks.map((chunk) => encoder?.push(deepFreeze(chunk))).join("") + encoder?.end();
    expect(assembled(chunksIn(text))).toEqual(assembled(chunks));
    const written = (events: string) => eventsOf(events).map(({ event, data }) => ({ event, data: JSON.parse(data) }));
    // Citations about thinking come at the end of the message, behind those of texts.
    if (scenario !== "thinking") expect(written(text)).toEqual(written(read(scenario, "upstream.sse")));
  });
});
