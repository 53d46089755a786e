import type { Message, SystemMessage } from "../../model/chat.ts";
import { refuse } from "../fields/refusal.ts";
import { isRecord } from "../records.ts";

/**
 * Refuses a chat whose last words, those of the user, come to nothing in a vendor's format: white space, or media it cannot take. Left
 * out, the model would go on with what it said itself, or be asked nothing at all. `said` tells of the messages, by their places, whether
 * anything of them is left. Behind results of tools, and behind another message of the user's, silence is no harm.
 */
export function refuseSilence(messages: readonly Message[], said: ReadonlySet<number>): void {
  const silent = lastSilent(messages, said);
  if (silent === undefined) return;
  const found = messages[silent]?.content.map(word).join("") ?? "";
  refuse(`messages[${silent}].content`, "text that is not blank, or media that this vendor takes", found);
}

/** The place of the user's last message where nothing is left of it, or of the last message at all where nothing is left of any. */
function lastSilent(messages: readonly Message[], said: ReadonlySet<number>): number | undefined {
  let asked: number | undefined;
  let last: number | undefined;
  for (let at = messages.length - 1; at >= 0; at--) {
    const { role } = messages[at] as Message;
    if (role === "tool" || (role === "user" && said.has(at))) return undefined;
    if (role === "assistant" && said.has(at)) return asked;
    if (role === "user") asked ??= at;
    if (role === "assistant") last ??= at;
  }
  // What is left then are instructions, which the user says where a model has no other place for them.
  return asked ?? (said.size > 0 ? undefined : last);
}

function word(part: Message["content"][number]): string {
  if (part.type === "text") return part.text;
  const type = part.type === "opaque" && isRecord(part.value) ? part.value.type : part.type;
  return `[${typeof type === "string" ? type : part.type}]`;
}

/**
 * Whether instructions of which no part was written are left out, since vendors refuse empty ones: what they say, or change, only another
 * format than `format` knows. A client of `format` that says nothing has it its way.
 */
export const isSaidElsewhere = ({ content, extra }: SystemMessage, format: string): boolean =>
  content.length > 0 || (extra !== undefined && extra.format !== format);

/** Whether a message is the operator's, by either name. */
export const isInstruction = (message: Message): message is SystemMessage =>
  message.role === "system" || message.role === "developer";
