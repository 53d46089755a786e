import { isRecord } from "../codec-kit/records.ts";

type Wire = Readonly<Record<string, unknown>>;

/** Whether a chat on the wire leaves its model no choice but to call a tool; many do not think then, and some refuse to. */
export function forcesTool({ tools, tool_choice: choice }: Wire): boolean {
  if (!Array.isArray(tools) || tools.length === 0) return false;
  if (!isRecord(choice)) return choice === "required" || choice === "any";
  const { allowed_tools: allowed } = choice;
  return isRecord(allowed) ? allowed.mode === "required" : choice.type === "function" || choice.type === "custom";
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
