import type { AssistantMessage, Message, ToolMessage } from "../../model/chat.ts";

/**
 * Puts what was said next behind a conversation. What the model says in one go is one turn, and the results of tools follow
 * the turn that called, whatever was said in between: most APIs take them nowhere else.
 */
export function addTurn(messages: Message[], next: Message): void {
  if (next.role === "tool") return addResults(messages, next);
  const last = messages.at(-1);
  if (last?.role === "assistant" && next.role === "assistant")
    messages[messages.length - 1] = { ...last, content: [...last.content, ...next.content] };
  else messages.push(next);
}

/** A conversation with more behind it. */
export function inTurns(before: readonly Message[], next: readonly Message[]): Message[] {
  const messages = [...before];
  for (const message of next) addTurn(messages, message);
  return messages;
}

/** Each goes where it belongs: they may be of several turns. */
function addResults(messages: Message[], next: ToolMessage): void {
  for (const result of next.content) {
    const called = messages.findLastIndex((message) => message.role === "assistant" && calls(message, result));
    const place = called < 0 ? messages.length - (messages.at(-1)?.role === "tool" ? 1 : 0) : called + 1;
    const there = messages[place];
    if (there?.role === "tool") messages[place] = { ...there, content: [...there.content, result] };
    else messages.splice(place, 0, { ...next, content: [result] });
  }
}

const calls = ({ content }: AssistantMessage, { toolCallId }: ToolMessage["content"][number]): boolean =>
  content.some((part) => part.type === "tool-call" && part.id === toolCallId);
