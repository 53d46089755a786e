import type { AssistantMessage, Message, ToolMessage } from "../../model/chat.ts";
import type { AssistantPart, ToolResultPart } from "../../model/content.ts";
import { GrowingLists } from "../streams/growing-lists.ts";

/**
 * A conversation with more behind it. What the model says in one go is one turn, and the results of tools follow the turn that
 * called, whatever was said in between: most APIs take them nowhere else. Nothing that is given is changed.
 */
export function inTurns(before: readonly Message[], next: Iterable<Message>): Message[] {
  const turns = new Turns();
  for (const message of before) turns.push(message);
  for (const message of next) turns.add(message);
  return turns.messages;
}

class Turns {
  readonly messages: Message[] = [];
  /** What turns hold that were put together here. */
  readonly #lists = new GrowingLists();
  /** The last turn with a call of each id. */
  readonly #callers = new Map<string, Message>();

  push(message: Message): void {
    this.messages.push(message);
    if (message.role === "assistant") this.#calls(message, message.content);
  }

  add(next: Message): void {
    if (next.role === "tool") return this.#addResults(next);
    const last = this.messages.at(-1);
    if (last?.role === "assistant" && next.role === "assistant") this.#goOn(last, next.content);
    else this.push(next);
  }

  #calls(turn: Message, content: readonly AssistantPart[]): void {
    for (const part of content) if (part.type === "tool-call") this.#callers.set(part.id, turn);
  }

  #goOn(last: AssistantMessage, more: readonly AssistantPart[]): void {
    const content = this.#lists.joined(last.content, more);
    if (content === last.content) return this.#calls(last, more);
    const turn: AssistantMessage = Object.assign({}, last, { content });
    this.messages[this.messages.length - 1] = turn;
    this.#calls(turn, content);
  }

  /** Each goes where it belongs: they may be of several turns. */
  #addResults(next: ToolMessage): void {
    for (const result of next.content) {
      const caller = this.#callers.get(result.toolCallId);
      const called = caller ? this.messages.lastIndexOf(caller) : -1;
      const place = called < 0 ? this.messages.length - (this.messages.at(-1)?.role === "tool" ? 1 : 0) : called + 1;
      const there = this.messages[place];
      if (there?.role !== "tool") this.#put(place, 0, next, this.#lists.own([result]));
      else {
        const content = this.#lists.joined(there.content, [result]);
        if (content !== there.content) this.#put(place, 1, there, content);
      }
    }
  }

  #put(place: number, instead: number, like: ToolMessage, content: readonly ToolResultPart[]): void {
    const turn: ToolMessage = Object.assign({}, like, { content });
    this.messages.splice(place, instead, turn);
  }
}
