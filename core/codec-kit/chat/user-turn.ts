import type { AssistantMessage, Message } from "../../model/chat.ts";
import { isSignedFor } from "./signatures.ts";
import { isInstruction } from "./silence.ts";

/**
 * A chat that begins with instructions which the model answers, with the last of them said by the user: vendors refuse one without turns
 * of the user. It stays so when it goes on, as thoughts are valid behind what they were thought behind only, and Gemini takes calls
 * behind a turn of the user's only. `signer` is the format whose vendors verify thoughts here: others are left out, or mere words.
 */
export function withUserTurn(messages: readonly Message[], signer: string): readonly Message[] {
  const next = messages.findIndex((message) => !isInstruction(message) && says(message));
  let at = (next < 0 ? messages.length : next) - 1;
  for (let one = messages[at]; one && !isInstruction(one); one = messages[at]) at--;
  const last = messages[at];
  if (!last || !isAnswered(messages[next], messages, signer)) return messages;
  return messages.with(at, Object.assign({}, last, { role: "user" as const }));
}

/** Of a message with nothing but parts of the client's own format nothing is left: references to what nobody knows here. */
const says = ({ content }: Message): boolean =>
  content.length === 0 || content.some((part) => part.type !== "opaque" || part.ran !== undefined);

/**
 * Whether instructions were what the model answered, or is to answer. What it says before the user does may be a greeting of the
 * client's, or all that is left of a longer history: then they stay what they are.
 */
function isAnswered(next: Message | undefined, messages: readonly Message[], signer: string): boolean {
  if (!next) return true;
  if (next.role !== "assistant") return false;
  if (next.content.some((part) => isProven(part, signer))) return true;
  return next.content.some(isCall) && !messages.some((message) => message.role === "user" && says(message));
}

type Part = AssistantMessage["content"][number];
const isProven = (part: Part, signer: string): boolean =>
  part.type === "redacted-thinking" || (part.type === "thinking" && isSignedFor(part, signer));
const isCall = ({ type }: Part): boolean => type === "tool-call";
