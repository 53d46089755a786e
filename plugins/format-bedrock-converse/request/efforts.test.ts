import { expect, it } from "vitest";
import type { ChatRequest } from "../../../core/index.ts";
import { bedrockConverse } from "../index.ts";

const nova = "us.amazon.nova-2-lite-v1:0";
const thinking = (maxReasoningEffort: string) => ({ reasoningConfig: { type: "enabled", maxReasoningEffort } });

it.each<[string, Partial<ChatRequest>, unknown, string[]]>([
  ["us.openai.gpt-5.4", { reasoning: { effort: "high" } }, { reasoning: { effort: "high" } }, []],
  [nova, { reasoning: { effort: "minimal" }, maxTokens: 9 }, thinking("low"), []],
  [nova, { reasoning: { effort: "xhigh" } }, thinking("high"), []],
  [nova, { reasoning: { effort: "high" }, maxTokens: 9 }, thinking("medium"), ["reasoning_effort"]],
  [nova, { reasoning: { effort: "none" } }, { reasoningConfig: { type: "disabled" } }, []],
  [nova, { reasoning: { effort: "odd" } }, undefined, ["reasoning_effort"]],
  [nova, { reasoning: { mode: "enabled", budgetTokens: 2000 } }, undefined, ["thinking"]],
  ["amazon.nova-pro-v1:0", { reasoning: { effort: "low" } }, undefined, ["reasoning_effort"]],
])("%s that is to think %j is told %j", (model, more, fields, lost) => {
  const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] }];
  const dropped: string[] = [];
  const wire = bedrockConverse.encodeRequest({ model, messages, stream: false, ...more }, (name) => dropped.push(name));
  expect(wire.additionalModelRequestFields).toEqual(fields);
  expect(dropped).toEqual(lost);
});
