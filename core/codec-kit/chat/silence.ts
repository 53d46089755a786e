import type { Message, SystemMessage, UserMessage } from "../../model/chat.ts";
import type { ContentPart, Extra, TextPart } from "../../model/content.ts";
import { reportForeign } from "../fields/extra.ts";
import { refuse } from "../fields/refusal.ts";

/**
 * Refuses a chat whose last words, those of the user, come to nothing in a vendor's format: white space, or media it cannot take. Left
 * out, the model would go on with what it said itself. `said` tells of the messages, by their places, whether anything of them is left.
 * Behind results of tools, and behind another message of the user's, silence is no harm.
 */
export function refuseSilence(messages: readonly Message[], said: ReadonlySet<number>): void {
  let last: { readonly at: number; readonly message: UserMessage } | undefined;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (message?.role === "tool" || (message?.role === "user" && said.has(at))) return;
    if (message?.role === "assistant") break;
    if (message?.role === "user") last ??= { at, message };
  }
  if (!last) return;
  const found = last.message.content.map(word).join("");
  refuse(`messages[${last.at}].content`, "text that is not blank, or media that this vendor takes", found);
}

const word = (part: ContentPart): string => (part.type === "text" ? part.text : `[${part.type}]`);

/**
 * Messages without what only another format than `format` has among instructions, which travels as texts that say nothing, and
 * without instructions of which nothing else is left: vendors refuse empty ones. It is reported by its name.
 */
export function withoutSilentInstructions(
  messages: readonly Message[],
  format: string,
  report: (dropped: string) => void,
): readonly Message[] {
  const isForeign = (extra: Extra | undefined) => extra !== undefined && extra.format !== format;
  const isSilent = ({ text, extra }: TextPart) => text === "" && isForeign(extra);
  const isChanged = ({ content, extra }: SystemMessage) =>
    content.length > 0 ? content.some(isSilent) : isForeign(extra);
  if (!messages.some((message) => isInstruction(message) && isChanged(message))) return messages;
  return messages.flatMap((message): readonly Message[] => {
    if (!isInstruction(message) || !isChanged(message)) return [message];
    const content = message.content.filter((part) => !isSilent(part));
    for (const part of message.content) if (isSilent(part)) reportForeign(format, part.extra, "messages.", report);
    if (content.length > 0) return [{ ...message, content }];
    reportForeign(format, message.extra, "messages.", report);
    return [];
  });
}

/** Whether a message is the operator's, by either name. */
export const isInstruction = (message: Message): message is SystemMessage =>
  message.role === "system" || message.role === "developer";
