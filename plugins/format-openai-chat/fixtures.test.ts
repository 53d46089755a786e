import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assembler, type ChatResponse, chunksOf, type StreamChunk, type WireEvent } from "../../core/index.ts";
import { deepFreeze } from "../../test/arbitraries/chat.ts";
import { openAiChat } from "./index.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const scenarios = readdirSync(fixtures);
const having = (file: string) => scenarios.filter((scenario) => existsSync(join(fixtures, scenario, file)));
const read = (scenario: string, file: string) => readFileSync(join(fixtures, scenario, file), "utf8");
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const context = {
  provider: "openai",
  model: "asked-for",
  strict: false,
  now: 1_786_000_000,
  id: "0f1e2d",
  includeUsage: false,
};

/** The JSON without fields that are null: the canonical model knows only absence. */
const withoutNulls = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, inner: unknown) => inner ?? undefined);

const eventsOf = (sse: string): WireEvent[] =>
  sse
    .split("\n\n")
    .filter((frame) => frame.startsWith("data: "))
    .map((frame) => ({ data: frame.slice("data: ".length) }));

function decoded(sse: string): StreamChunk[] {
  const decoder = openAiChat.decodeStream?.();
  const chunks = eventsOf(sse).flatMap((event) => [...(decoder?.push(event) ?? [])]);
  return [...chunks, ...(decoder?.end() ?? [])];
}

function whole(chunks: readonly StreamChunk[]): ChatResponse {
  const all = assembler();
  for (const chunk of chunks) all.add(chunk);
  return all.chat();
}

describe.each(having("request.json"))("openai-chat request: %s", (scenario) => {
  const wire: unknown = JSON.parse(read(scenario, "request.json"));

  it("reads it into the canonical request, and writes what an upstream of this format gets", async () => {
    const canonical = openAiChat.decodeRequest(deepFreeze(wire));
    const dropped: string[] = [];
    const upstream = openAiChat.encodeRequest(canonical, (name) => dropped.push(name));
    await expect(json(canonical)).toMatchFileSnapshot(join(fixtures, scenario, "canonical-request.json"));
    if (dropped.length === 0) expect(withoutNulls(upstream)).toEqual(withoutNulls(wire));
    else
      await expect(json({ dropped, upstream })).toMatchFileSnapshot(join(fixtures, scenario, "upstream-request.json"));
  });
});

describe.each(having("response.json"))("openai-chat answer: %s", (scenario) => {
  const wire = JSON.parse(read(scenario, "response.json")) as Record<string, unknown>;

  it("reads it into the canonical answer, and writes it back", async () => {
    const canonical = openAiChat.decodeResponse(deepFreeze(wire));
    await expect(json(canonical)).toMatchFileSnapshot(join(fixtures, scenario, "canonical-response.json"));
    const again = openAiChat.encodeResponse(canonical, context);
    expect(withoutNulls(again)).toMatchObject(withoutNulls({ ...wire, provider: "openai" }) as object);
  });

  it("streams it, vendor fields included, as it would answer it whole", () => {
    const canonical = openAiChat.decodeResponse(wire);
    const encoder = openAiChat.encodeStream?.(context);
    const sse = [...chunksOf(canonical)].map((chunk) => encoder?.push(chunk) ?? "").join("") + (encoder?.end() ?? "");
    const again = whole(decoded(sse));
    expect({ ...again, extra: undefined }).toEqual({ ...canonical, extra: undefined });
  });
});

describe.each(having("upstream.sse"))("openai-chat stream: %s", (scenario) => {
  it("decodes what the vendor sent into canonical chunks", async () => {
    const lines = decoded(read(scenario, "upstream.sse")).map((chunk) => `${JSON.stringify(chunk)}\n`);
    await expect(lines.join("")).toMatchFileSnapshot(join(fixtures, scenario, "chunks.jsonl"));
  });

  it("writes a stream that is read as the same answer, unless it failed", () => {
    const chunks = decoded(read(scenario, "upstream.sse"));
    const encoder = openAiChat.encodeStream?.(context);
    const again = chunks.map((chunk) => encoder?.push(chunk) ?? "").join("") + (encoder?.end() ?? "");
    expect(again.endsWith("data: [DONE]\n\n")).toBe(!chunks.some((chunk) => chunk.type === "error"));
    expect(whole(decoded(again))).toEqual(whole(chunks));
  });
});

describe.each(having("upstream.sse").filter((scenario) => having("response.json").includes(scenario)))(
  "openai-chat stream and answer: %s",
  (scenario) => {
    it("adds up to the whole answer", () => {
      const answer = openAiChat.decodeResponse(JSON.parse(read(scenario, "response.json")));
      const encoded = (response: ChatResponse) =>
        withoutNulls(openAiChat.encodeResponse(response, { ...context, strict: true })) as object;
      // Of the fields only this format knows, a stream need not carry all.
      expect(encoded(answer)).toMatchObject(encoded(whole(decoded(read(scenario, "upstream.sse")))));
    });
  },
);
