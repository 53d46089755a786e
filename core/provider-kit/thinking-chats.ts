import { isRecord } from "../codec-kit/records.ts";

type Wire = Readonly<Record<string, unknown>>;

/** Whether a chat on the wire leaves its model no choice but to call a tool; many do not think then, and some refuse to. */
export function forcesTool({ tools, tool_choice: choice }: Wire): boolean {
  if (!Array.isArray(tools) || tools.length === 0) return false;
  if (!isRecord(choice)) return choice === "required" || choice === "any";
  const { allowed_tools: allowed } = choice;
  return isRecord(allowed) ? allowed.mode === "required" : choice.type === "function" || choice.type === "custom";
}

/** The efforts of models that know three of them and always think, by what others call them. */
const threeEfforts: ReadonlyMap<unknown, string> = new Map([
  ["none", "low"],
  ["minimal", "low"],
  ["low", "low"],
  ["medium", "high"],
  ["high", "high"],
  ["xhigh", "max"],
  ["max", "max"],
]);

/** What is said to models that know `low`, `medium` and `high` instead of the other efforts. */
const plainEfforts: ReadonlyMap<unknown, string> = new Map([
  ["minimal", "low"],
  ["xhigh", "high"],
  ["max", "high"],
]);

/** An effort by the name that models which know `low`, `medium` and `high` have for it; `none` is for each vendor to say. */
export const plainEffort = (effort: unknown): unknown => plainEfforts.get(effort) ?? effort;

/** Whether the switch that several vendors have for thinking is off. */
export const isThinkingOff = (thinking: unknown): boolean => isRecord(thinking) && thinking.type === "disabled";

/** The field by which a chat says that its model is not to think: the switch, or where there is none an effort of `none`. */
export function noThinking(thinking: unknown, effort: unknown): "thinking" | "reasoning_effort" | undefined {
  if (isRecord(thinking)) return isThinkingOff(thinking) ? "thinking" : undefined;
  return effort === "none" ? "reasoning_effort" : undefined;
}

/** A chat with a model that always thinks, `low`, `high` or `max`: who wants no thoughts has few, and is told. */
export function withThreeEfforts(wire: Wire, report?: (dropped: string) => void): Wire {
  const { reasoning_effort: effort, thinking, ...rest } = wire;
  const off = isThinkingOff(thinking);
  if (effort === "none") report?.("reasoning_effort");
  if (off) report?.("thinking");
  const word = threeEfforts.get(effort ?? (off ? "none" : undefined)) ?? effort;
  return {
    ...rest,
    ...(thinking !== undefined && !off && { thinking }),
    ...(word !== undefined && { reasoning_effort: word }),
  };
}

/** What stands for thoughts that nobody has: no vendor takes an absent one, and some take an empty text for absent. */
const unknownThought = " ";

const isTurn = (message: unknown): message is Wire => isRecord(message) && message.role === "assistant";

/** Whether the model has called a tool in these messages of a chat. */
export const hasCalls = (messages: readonly unknown[]): boolean =>
  messages.some((message) => isTurn(message) && Array.isArray(message.tool_calls) && message.tool_calls.length > 0);

/**
 * The messages of a chat for a vendor that refuses turns of its model without `reasoning_content`. Of turns that another
 * vendor has answered in `reasoning` it is that; of those whose thoughts are not known, all but nothing.
 */
export const withThoughts = (messages: readonly unknown[]): unknown[] =>
  messages.map((message) => {
    if (!isTurn(message)) return message;
    const { reasoning_content: known, reasoning, ...rest } = message;
    if (isSaid(known)) return message;
    return { ...rest, reasoning_content: isSaid(reasoning) ? reasoning : unknownThought };
  });

const isSaid = (text: unknown): boolean => typeof text === "string" && text !== "";

/** A message with what its model thought in the field that a vendor has for it, whichever other one it came in. */
export function withThoughtsIn(field: "reasoning" | "reasoning_content", message: unknown): unknown {
  const other = field === "reasoning" ? "reasoning_content" : "reasoning";
  if (!isTurn(message) || typeof message[other] !== "string") return message;
  const { [other]: thought, ...rest } = message;
  return { ...rest, [field]: isSaid(rest[field]) ? rest[field] : thought };
}
