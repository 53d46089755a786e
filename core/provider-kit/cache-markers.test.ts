import { expect, it } from "vitest";
import { withoutCacheMarkers } from "./cache-markers.ts";

const cache_control = { type: "ephemeral" };
const text = { type: "text", text: "Hi" };
const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
const tool = { type: "function", function: { name: "f" } };

it("takes what is said of caches from wherever it stands, and reports it", () => {
  const dropped: string[] = [];
  const wire = {
    model: "m",
    messages: [
      { role: "system", content: "Hi", cache_control },
      { role: "user", content: [{ ...text, prompt_cache_breakpoint: { mode: "explicit" } }, "odd"] },
      { role: "assistant", content: null, tool_calls: [{ ...call, cache_control }] },
      { role: "user", content: [{ ...text, cache_control: null }] },
    ],
    tools: [{ ...tool, cache_control }],
  };
  expect(withoutCacheMarkers(wire, (name) => dropped.push(name))).toEqual({
    model: "m",
    messages: [
      { role: "system", content: "Hi" },
      { role: "user", content: [text, "odd"] },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "user", content: [text] },
    ],
    tools: [tool],
  });
  expect(dropped.sort()).toEqual([
    "messages.cache_control",
    "messages.cache_control",
    "messages.prompt_cache_breakpoint",
    "tools.cache_control",
  ]);
});

it("leaves everything else as it is", () => {
  const wire = {
    messages: [null, "x", { role: "user", content: "Hi" }, { role: "user", content: [text] }],
    tools: null,
  };
  expect(withoutCacheMarkers(wire)).toEqual(wire);
  expect(withoutCacheMarkers({ messages: "none" })).toEqual({ messages: "none" });
});
