import { expect, it } from "vitest";
import { operationsOf } from "./operations.ts";
import type { VertexOptions } from "./options.ts";

const options = { projectId: "p", region: "europe-west4", skipCostLabels: true } as unknown as VertexOptions;
const all = [operationsOf(options).chat].flat();
const chat = all.find((spec) => typeof spec === "object" && spec.serves?.("mistralai.mistral-medium-3"));
if (typeof chat !== "object") throw new Error("Mistral's models are served by nothing.");

it("Mistral's models are told what they are told at their vendor", () => {
  const dropped: string[] = [];
  const wire = {
    model: "mistral-medium-3",
    stream_options: { include_usage: true },
    tool_choice: "required",
    messages: [
      { role: "user", content: "Hi", name: "ann" },
      { role: "assistant", content: null, reasoning_content: "Hm.", tool_calls: [{ id: "toolu_01ABCDEFG" }] },
      { role: "tool", tool_call_id: "toolu_01ABCDEFG", content: "1" },
      { role: "user", content: "So?" },
    ],
  };
  expect(chat.rewrite?.apply(wire, (name) => dropped.push(name))).toEqual({
    model: "mistral-medium-3",
    tool_choice: "any",
    messages: [
      { role: "user", content: "Hi" },
      { role: "assistant", content: null, tool_calls: [{ id: "4d74a3c06" }] },
      { role: "tool", tool_call_id: "4d74a3c06", content: "1" },
      { role: "assistant", content: "…" },
      { role: "user", content: "So?" },
    ],
  });
  expect(dropped).toEqual(["messages.name", "messages.reasoning_content"]);
});

it("and none of the fields this host does not know", () => {
  expect(chat.drops).toEqual(expect.arrayContaining(["user", "store", "prompt_cache_key", "service_tier"]));
  const own = ["metadata", "prediction", "reasoning_effort", "prompt_mode", "parallel_tool_calls", "n"];
  expect(chat.drops?.filter((name) => own.includes(name))).toEqual([]);
});
