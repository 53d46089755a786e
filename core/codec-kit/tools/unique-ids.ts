import type { Message } from "../../model/chat.ts";
import type { AssistantPart, ToolResultPart } from "../../model/content.ts";

/**
 * A conversation in which no two calls have the same id, for vendors that refuse those: others count calls anew in every
 * answer, or give no ids at all. What comes a second time is called otherwise, and its result with it.
 */
export function withUniqueIds(messages: readonly Message[]): readonly Message[] {
  return hasTwins(messages) ? new Renaming().rename(messages) : messages;
}

function hasTwins(messages: readonly Message[]): boolean {
  const seen = new Set<string>();
  for (const { role, content } of messages) {
    if (role !== "assistant") continue;
    for (const part of content) {
      if (part.type !== "tool-call") continue;
      if (seen.has(part.id)) return true;
      seen.add(part.id);
    }
  }
  return false;
}

class Renaming {
  readonly #taken = new Set<string>();
  /** What the calls of an id are called that wait for their results, the last of which stays. */
  readonly #waiting = new Map<string, string[]>();

  rename(messages: readonly Message[]): Message[] {
    for (const { role, content } of messages)
      if (role === "assistant") for (const part of content) if (part.type === "tool-call") this.#taken.add(part.id);
    return messages.map((message): Message => {
      if (message.role === "assistant") {
        const open = new Map<string, string[]>();
        const content = message.content.map((part) => this.#call(part, open));
        for (const [id, names] of open) this.#waiting.set(id, names);
        return { ...message, content };
      }
      return message.role === "tool"
        ? { ...message, content: message.content.map((part) => this.#result(part)) }
        : message;
    });
  }

  #call(part: AssistantPart, open: Map<string, string[]>): AssistantPart {
    if (part.type !== "tool-call") return part;
    const { id } = part;
    const isFirst = !open.has(id) && !this.#waiting.has(id);
    const name = isFirst ? id : this.#otherThan(id);
    open.set(id, [...(open.get(id) ?? []), name]);
    return isFirst ? part : { ...part, id: name };
  }

  #result(part: ToolResultPart): ToolResultPart {
    const names = this.#waiting.get(part.toolCallId);
    const name = names && (names.length > 1 ? names.shift() : names[0]);
    return name === undefined || name === part.toolCallId ? part : { ...part, toolCallId: name };
  }

  #otherThan(id: string): string {
    let count = 2;
    while (this.#taken.has(`${id}-${count}`)) count++;
    const name = `${id}-${count}`;
    this.#taken.add(name);
    return name;
  }
}
