import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  assembler,
  type CompletionResponse,
  chunksOf,
  type EncodeContext,
  type StreamChunk,
} from "../../core/index.ts";
import { arbitraryCompletionResponse, deepFreeze } from "../../test/arbitraries/chat.ts";
import plugin, { openAiCompletions } from "./index.ts";

const context: EncodeContext = {
  provider: "openai",
  model: "asked-for",
  strict: true,
  now: 1_786_000_000,
  id: "0f1e2d",
  includeUsage: false,
};
const fixtures = join(import.meta.dirname, "fixtures");
const having = (file: string) => readdirSync(fixtures).filter((scenario) => existsSync(join(fixtures, scenario, file)));
const read = (scenario: string, file: string) => readFileSync(join(fixtures, scenario, file), "utf8");
const withoutNulls = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, inner: unknown) => inner ?? undefined);

function decoded(sse: string): StreamChunk[] {
  const decoder = openAiCompletions.decodeStream?.();
  const frames = sse.split("\n\n").filter((frame) => frame !== "");
  const chunks = frames.flatMap((frame) => [...(decoder?.push({ data: frame.replace(/^data: /, "") }) ?? [])]);
  return [...chunks, ...(decoder?.end() ?? [])];
}
function whole(chunks: Iterable<StreamChunk>): CompletionResponse {
  const all = assembler();
  for (const chunk of chunks) all.add(chunk);
  return all.completion();
}
function streamed(chunks: Iterable<StreamChunk>, more: Partial<EncodeContext> = {}): string {
  const encoder = openAiCompletions.encodeStream?.({ ...context, ...more });
  let text = "";
  for (const chunk of chunks) text += encoder?.push(chunk) ?? "";
  return text + (encoder?.end() ?? "");
}

describe.each(having("request.json"))("openai-completions request: %s", (scenario) => {
  it("gives it back as it came", () => {
    const wire: unknown = JSON.parse(read(scenario, "request.json"));
    const dropped: string[] = [];
    const again = openAiCompletions.encodeRequest(openAiCompletions.decodeRequest(deepFreeze(wire)), (name) =>
      dropped.push(name),
    );
    expect(again).toEqual(wire);
    expect(dropped).toEqual([]);
  });
});

describe.each(having("response.json"))("openai-completions answer: %s", (scenario) => {
  it("reads it, writes it back, and reads its stream as the same", () => {
    const wire = JSON.parse(read(scenario, "response.json"));
    const answer = openAiCompletions.decodeResponse(deepFreeze(wire));
    expect(withoutNulls(openAiCompletions.encodeResponse(answer, context))).toEqual(
      withoutNulls({ ...wire, provider: "openai" }),
    );
    const chunks = decoded(read(scenario, "upstream.sse"));
    expect(whole(chunks)).toEqual(answer);
    for (const includeUsage of [true, false])
      expect(whole(decoded(streamed(chunks, { includeUsage })))).toEqual(answer);
  });
});

describe.each(having("upstream.sse"))("openai-completions stream: %s", (scenario) => {
  it("decodes what the vendor sent into canonical chunks", async () => {
    const lines = decoded(read(scenario, "upstream.sse")).map((chunk) => `${JSON.stringify(chunk)}\n`);
    await expect(lines.join("")).toMatchFileSnapshot(join(fixtures, scenario, "chunks.jsonl"));
  });
});

describe("openai-completions streams", () => {
  it("streams what it would have answered whole", () => {
    fc.assert(
      fc.property(arbitraryCompletionResponse, fc.boolean(), fc.boolean(), (response, strict, includeUsage) => {
        const given = { ...context, strict, includeUsage };
        const answer = openAiCompletions.decodeResponse(openAiCompletions.encodeResponse(deepFreeze(response), given));
        expect(whole(decoded(streamed(chunksOf(response), given)))).toEqual(answer);
      }),
      { numRuns: 300 },
    );
  });

  const answer: CompletionResponse = {
    choices: [{ index: 0, text: "Hi", finishReason: "stop" }],
    usage: { inputTokens: 1, outputTokens: 2 },
  };
  const totals = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const frames = (text: string) =>
    text
      .split("\n\n")
      .slice(0, -2)
      .map((frame) => JSON.parse(frame.replace(/^data: /, "")));

  it("puts usage on the last frame, or in one of its own when it was asked for", () => {
    const plain = frames(streamed(chunksOf(answer)));
    expect(plain).toMatchObject([
      { id: "cmpl-0f1e2d", object: "text_completion", choices: [{ text: "Hi", index: 0, finish_reason: null }] },
      { choices: [{ text: "", finish_reason: "stop" }], usage: totals },
    ]);
    expect(plain[0]).not.toHaveProperty("usage");
    expect(
      frames(streamed(chunksOf(answer), { includeUsage: true })).map(({ choices, usage }) => [choices.length, usage]),
    ).toEqual([
      [1, null],
      [1, null],
      [0, totals],
    ]);
  });

  it("ends with an error and without a terminator when the answer failed", () => {
    const encoder = openAiCompletions.encodeStream?.(context);
    expect(encoder?.fail({ message: "busy", type: "server_error" })).toBe(
      'data: {"error":{"message":"busy","type":"server_error","param":null,"code":null}}\n\n',
    );
    expect(encoder?.end()).toBe("");
  });

  const text = { choices: [{ index: 0, text: "a" }] };
  const done = { choices: [{ index: 0, text: "", finish_reason: "stop" }] };
  const sse = (...data: unknown[]) =>
    data.map((frame) => `data: ${typeof frame === "string" ? frame : JSON.stringify(frame)}\n\n`).join("");
  it("knows a cut stream from a finished one", () => {
    expect(() => decoded(sse(text, done))).not.toThrow();
    for (const cut of [sse(text), sse(text, "[DONE]"), sse("[DONE]"), ""])
      expect(() => decoded(cut)).toThrow(expect.objectContaining({ code: "upstream_truncated" }));
  });

  it("reads how a stream ended from its last frames", () => {
    const end = (...data: unknown[]) =>
      openAiCompletions.readStreamEnd?.(
        data.map((frame) => ({ data: typeof frame === "string" ? frame : JSON.stringify(frame) })),
      );
    expect(end(text, done, { choices: [], usage: totals }, "[DONE]")).toEqual({
      finished: true,
      terminated: true,
      failed: false,
      usage: { inputTokens: 1, outputTokens: 2 },
    });
    expect(end(text, done, { choices: [], service_tier: "flex", usage: totals })?.usage?.serviceTier).toBe("flex");
    expect(end(text, "{", text)).toEqual({ finished: false, terminated: false, failed: false });
    expect(end(text, { error: "no" })).toMatchObject({ finished: false, failed: true });
  });
});

describe("openai-completions answers that are none", () => {
  it.each([[null], [{}], [{ choices: [{ text: 7 }] }], [{ error: { message: "no" } }]])("refuses %j", (wire) => {
    expect(() => openAiCompletions.decodeResponse(wire)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
  });

  it.each<[unknown, unknown]>([
    [{ error: { message: "no", type: "t", param: "n", code: 1 } }, { message: "no", type: "t", param: "n", code: 1 }],
    [{ error: "no" }, { message: "no" }],
    [
      { message: "no", code: "c" },
      { message: "no", code: "c" },
    ],
    [{ detail: "no" }, { message: "no" }],
    [{ detail: [{ msg: "no" }] }, { message: '[{"msg":"no"}]' }],
    ["no", undefined],
  ])("reads the error in %j", (wire, detail) => {
    expect(openAiCompletions.decodeError(wire)).toEqual(detail);
  });
});

describe("format-openai-completions", () => {
  it("registers the format and its endpoint", async () => {
    const registered: unknown[] = [];
    const add = (value: unknown) => registered.push(value);
    await plugin.setup({ format: add, endpoint: add } as unknown as Parameters<typeof plugin.setup>[0], {
      forceStreamUsage: false,
    });
    expect(registered).toEqual([
      openAiCompletions,
      {
        type: "complete",
        method: "POST",
        path: "/v1/completions",
        operation: "complete",
        format: "openai-completions",
        checked: true,
      },
    ]);
  });
});

describe("openai-completions answers as vendors really send them", () => {
  it("have numbers written as text, and other fields of odd types", () => {
    const choices = [{ index: "1", text: "Hi", finish_reason: 0 }];
    const usage = { prompt_tokens: "3", completion_tokens: -1 };
    expect(openAiCompletions.decodeResponse({ id: 17, created: "1786000000", model: null, choices, usage })).toEqual({
      id: "17",
      created: 1_786_000_000,
      choices: [{ index: 1, text: "Hi", finishReason: "stop" }],
      usage: { inputTokens: 3 },
    });
  });
});
