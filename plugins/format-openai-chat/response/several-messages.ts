import { type Fields, isRecord } from "../../../core/index.ts";
import { answeredMessage } from "../wire.ts";

/**
 * What the model said in all messages of a choice: Mistral tells so (`messages`) of tools that it runs itself, with what they
 * found in between. Calls that have been answered there are not the client's to answer. Undefined where there are none.
 */
export function saidInAll(messages: unknown): ReturnType<typeof answeredMessage.parse> | undefined {
  if (!Array.isArray(messages)) return undefined;
  const all = messages.filter(isRecord);
  const answered = new Set(all.filter(isOfTool).map((message) => message.tool_call_id));
  const said = all.filter((message) => !isOfTool(message));
  const calls = said.flatMap(({ tool_calls: made }) => (Array.isArray(made) ? made : []));
  const open = calls.filter((call) => isRecord(call) && !answered.has(call.id));
  const content = said.flatMap(partsOf);
  const message = answeredMessage.safeParse({
    role: "assistant",
    content,
    ...(open.length > 0 && { tool_calls: open }),
  });
  return message.data;
}

/** Whether a message, or a piece of one, is what a tool of the vendor's found. */
export const isOfTool = ({ role }: Fields): boolean => role === "tool";

function partsOf({ content }: Fields): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : [];
}
