import type { Message } from "../../model/chat.ts";
import { isInstruction } from "./silence.ts";

/** A chat of instructions only, with the last of them said by the user, for vendors that refuse one without turns. */
export function withUserTurn(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  if (!last || !messages.every(isInstruction)) return messages;
  return [...messages.slice(0, -1), Object.assign({}, last, { role: "user" as const })];
}
