import { expect, it } from "vitest";
import { shownThinking } from "./claude-display.ts";

const read = { display: "summarized" };
const adaptive = { type: "adaptive" };
const shown = { type: "adaptive", display: "summarized" };

it.each([
  ["one that hides what it thinks", "claude-opus-4-7", read, adaptive, false, shown],
  ["one that thinks unasked", "us.anthropic.claude-opus-5", read, undefined, false, shown],
  ["one that thinks unasked, and is made to call a tool", "claude-opus-5", read, undefined, true, undefined],
  ["one that does not think", "claude-opus-4-7", read, undefined, false, undefined],
  ["one that is told not to think", "claude-opus-5", read, { type: "disabled" }, false, { type: "disabled" }],
  ["one that shows what it thinks", "claude-opus-4-6", read, adaptive, false, adaptive],
  ["one whose client says nothing", "claude-opus-4-7", {}, adaptive, false, adaptive],
  ["none", "minimax-m2", read, adaptive, false, adaptive],
])("asks to read thinking of %s", (_, model, reasoning, thinking, forced, wanted) => {
  expect(shownThinking(thinking, { model, reasoning }, forced)).toEqual(wanted);
});
