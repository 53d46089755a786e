import { type ChatRequest, type Fields, isRecord, type OperationSpec } from "../../../core/index.ts";
import { formatName } from "../fields.ts";
import { abilitiesOf } from "./model-version.ts";

/** The word without which the API does not know the field. */
const beta = "thinking-binding-controls-2026-08-01";

/**
 * A request that asks for thinking to be left out which does not belong to its conversation any more. Newer Claudes take theirs back only
 * behind the very conversation it was thought behind, and a request that brings it behind another one fails, each time it is sent
 * (platform.claude.com/docs/en/build-with-claude/preserved-thinking). Clients of other formats cannot know that: they shorten histories,
 * date their instructions and load tools. Who speaks this format says so, or wants to be told.
 */
export function leavingOutMisfits(
  wire: Fields,
  { model, extra }: ChatRequest,
  { leavesOutThinking }: Pick<OperationSpec, "leavesOutThinking">,
): Fields {
  if (!leavesOutThinking || extra?.format === formatName || !abilitiesOf(model).bindsThoughts) return wire;
  const { thinking = { type: "adaptive" }, tool_choice: choice, anthropic_beta: said } = wire;
  // What is not said of thinking these do; beside a tool that is forced it cannot be said.
  if (!isRecord(thinking) || thinking.type !== "adaptive" || thinking.block_binding !== undefined) return wire;
  if (isRecord(choice) && (choice.type === "any" || choice.type === "tool")) return wire;
  if (!Array.isArray(wire.messages) || !wire.messages.some(holdsThoughts)) return wire;
  return {
    ...wire,
    thinking: { ...thinking, block_binding: { prefix_mismatch_behavior: "drop_block" } },
    anthropic_beta: [...new Set([...wordsOf(said), beta])],
  };
}

const holdsThoughts = ({ content }: Fields): boolean =>
  Array.isArray(content) && content.some(({ type }) => type === "thinking" || type === "redacted_thinking");

const wordsOf = (said: unknown): readonly unknown[] =>
  Array.isArray(said) ? said : typeof said === "string" ? said.split(",").map((word) => word.trim()) : [];
