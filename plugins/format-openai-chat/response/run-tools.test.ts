import { describe, expect, it } from "vitest";
import type { Attempt, BoundProvider, StreamChunk } from "../../../core/index.ts";
import { rawUsage } from "../../../core/pipeline/reply/raw-usage.ts";
import { passThrough } from "../../../core/pipeline/stream/stream-work.ts";
import { openAiChat } from "../format.ts";

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const counts = { inputTokens: 10, outputTokens: 5 };
const ran = [{ index: 0, type: "browser_search", arguments: "{}", output: "tea" }];
const answer = (message: object) => ({
  id: "chatcmpl-1",
  model: "openai/gpt-oss-120b",
  choices: [{ index: 0, message: { role: "assistant", content: "Tea.", ...message }, finish_reason: "stop" }],
  usage,
});
const events = (first: object) =>
  [
    { choices: [{ index: 0, delta: first, finish_reason: null }] },
    { choices: [{ index: 0, delta: { content: "Tea." }, finish_reason: "stop" }] },
    { choices: [], usage },
  ].map((frame) => ({ data: JSON.stringify({ id: "chatcmpl-1", ...frame }) }));

function streamed(first: object) {
  const decoder = openAiChat.decodeStream?.();
  const chunks: StreamChunk[] = events(first).flatMap((event) => [...(decoder?.push(event) ?? [])]);
  return chunks.flatMap((chunk) => (chunk.type === "usage" ? [chunk.usage] : []));
}

describe("tools that a vendor has run are not in the usage", () => {
  it.each<[string, object, object]>([
    ["and are paid for", { executed_tools: ran }, { ...counts, uncounted: true }],
    ["unless there are none", { executed_tools: [] }, counts],
    ["nor are they asked for where nothing is said", {}, counts],
  ])("%s", (_, more, expected) => {
    const wire = answer(more);
    expect(openAiChat.readUsage(wire)).toEqual(expected);
    expect(openAiChat.decodeResponse(wire).usage).toEqual(expected);
    expect(streamed(more)).toEqual([expected]);
    expect(openAiChat.readStreamEnd?.(events(more)).usage).toEqual(expected);
  });

  it("wherever in a long stream it is said that they were run", async () => {
    const [, said = { data: "" }, counted = { data: "" }] = events({});
    const [tools = { data: "" }] = events({ executed_tools: ran });
    const [begun = { data: "" }] = events({ role: "assistant" });
    const many = Array.from({ length: 50 }, () => said);
    const stream = [begun, ...many, tools, ...many, counted].map(({ data }) => Buffer.from(`data: ${data}\n\n`));
    const work = passThrough(openAiChat, 1e6);
    for (const frame of stream) work.push(frame);
    expect(work.usage).toEqual({ ...counts, uncounted: true });
    const attempt: Attempt = { target: { path: "config", provider: {} as BoundProvider }, startedAt: 0 };
    const witness = rawUsage(attempt, "text/event-stream", new Map([["chat", openAiChat]]), undefined);
    for (const frame of stream) witness?.see(frame);
    await witness?.end(true);
    expect(attempt.usage).toEqual({ ...counts, uncounted: true });
  });

  it("and answers say by a mark that they are to be read whole", () => {
    const [tools = "", models = ""] = openAiChat.usageMark ?? [];
    expect(JSON.stringify(answer({ executed_tools: ran }))).toContain(tools);
    expect(JSON.stringify({ ...answer({}), usage_breakdown: null })).toContain(models);
  });
});
