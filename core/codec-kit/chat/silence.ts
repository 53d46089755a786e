import type { Message, SystemMessage, UserMessage } from "../../model/chat.ts";
import type { ContentPart } from "../../model/content.ts";
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
 * Whether instructions of which no part was written are left out, since vendors refuse empty ones: what they say, or change, only another
 * format than `format` knows. A client of `format` that says nothing has it its way.
 */
export const isSaidElsewhere = ({ content, extra }: SystemMessage, format: string): boolean =>
  content.length > 0 || (extra !== undefined && extra.format !== format);

/** Whether a message is the operator's, by either name. */
export const isInstruction = (message: Message): message is SystemMessage =>
  message.role === "system" || message.role === "developer";
