import { expect, it } from "vitest";
import type { ChatRequest } from "../../model/chat.ts";
import { withoutIdleChoice } from "./idle-choice.ts";

const chat: ChatRequest = { model: "m", messages: [], stream: false };
const tools = [{ type: "function" as const, name: "f" }];

it.each<[string, Partial<ChatRequest>, Partial<ChatRequest>]>([
  ["loses what asks for nothing", { tools: [], toolChoice: { type: "auto" }, parallelToolCalls: false }, { tools: [] }],
  ["loses that there are to be no calls", { toolChoice: { type: "none" } }, {}],
  ["loses what may be called", { toolChoice: { type: "among", required: false, names: ["f"] } }, {}],
  [
    "keeps that there has to be a call",
    { toolChoice: { type: "required" }, parallelToolCalls: true },
    { toolChoice: { type: "required" } },
  ],
])("without tools a request %s", (_what, said, left) => {
  expect(withoutIdleChoice({ ...chat, ...said })).toEqual({ ...chat, ...left });
});

it.each<Partial<ChatRequest>>([{ tools, toolChoice: { type: "none" }, parallelToolCalls: false }, { tools: [] }, {}])(
  "is the request itself where there is nothing to lose: %o",
  (said) => {
    const request = { ...chat, ...said };
    expect(withoutIdleChoice(request)).toBe(request);
  },
);
