import { expect, it } from "vitest";
import { invocation } from "./claude.ts";

const claude = "us.anthropic.claude-sonnet-4-6";

it.each([
  ["files-api-2025-04-14, advanced-tool-use-2025-11-20,mine", claude, ["tool-search-tool-2025-10-19", "mine"]],
  [
    "claude-code-20250219,interleaved-thinking-2025-05-14,prompt-caching-scope-2026-01-05,mcp-servers-2025-12-04,message-threads-2026-08-12",
    claude,
    ["interleaved-thinking-2025-05-14"],
  ],
  [["structured-outputs-2025-11-13", "compact-2026-01-12"], claude, ["compact-2026-01-12"]],
  // Of an earlier Claude an effort is still a beta.
  ["effort-2025-11-24,advisor-tool-2026-03-01", claude, undefined],
  ["effort-2025-11-24", "anthropic.claude-opus-4-5-20251101-v1:0", ["effort-2025-11-24"]],
])("an invocation says of the betas %j to %s what its host takes", (anthropic_beta, model, told) => {
  expect(invocation({ model, anthropic_beta, messages: [] })).toEqual({
    messages: [],
    ...(told && { anthropic_beta: told }),
  });
});

it("an invocation has the word for inputs that are streamed as they are written, which its host does not take in tools", () => {
  const tool = { name: "f", input_schema: { type: "object" } };
  const eager = { ...tool, eager_input_streaming: true };
  const fine = "fine-grained-tool-streaming-2025-05-14";
  expect(invocation({ model: claude, tools: [eager, tool] })).toEqual({ tools: [tool, tool], anthropic_beta: [fine] });
  expect(invocation({ model: claude, tools: [eager], anthropic_beta: fine })).toEqual({
    tools: [tool],
    anthropic_beta: [fine],
  });
  expect(invocation({ model: claude, tools: [{ ...tool, eager_input_streaming: false }] })).toEqual({ tools: [tool] });
  expect(invocation({ model: claude, tools: [tool] })).toEqual({ tools: [tool] });
});

const compact = { type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 } };
const clear = { type: "clear_tool_uses_20250919" };
const thinking = { type: "clear_thinking_20251015", keep: "all" };

it.each([
  [[compact, clear], [compact, clear], []],
  [[thinking, clear], [clear], ["context_management"]],
  [[thinking], undefined, ["context_management"]],
  [[], undefined, []],
])("an invocation has the edits of a context that its host knows: %j", (edits, kept, lost) => {
  const dropped: string[] = [];
  const body = invocation({ model: claude, context_management: { edits } }, (name) => dropped.push(name));
  expect(body).toEqual(kept ? { context_management: { edits: kept } } : {});
  expect(dropped).toEqual(lost);
});
