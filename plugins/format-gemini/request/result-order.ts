import type { Message, ToolResultPart } from "../../../core/index.ts";

/**
 * This API tells by their places whose results they are: in the order of the calls, and calls that the vendor gave no ids are
 * known by nothing else. Clients of other formats may give them in the order in which their tools were done.
 */
export function inOrderOfCalls(messages: readonly Message[]): readonly Message[] {
  return messages.some(({ role }) => role === "tool") ? ordered(messages) : messages;
}

function ordered(messages: readonly Message[]): readonly Message[] {
  const places = new Map<string, number>();
  const all: Message[] = [];
  let results: ToolResultPart[] = [];
  for (const message of messages) {
    // How a client of this format wrote them is its own affair.
    if (message.role !== "tool" || message.extra) {
      sort(results, places);
      results = [];
      all.push(message);
      if (message.role !== "assistant") continue;
      places.clear();
      for (const part of message.content) if (part.type === "tool-call") places.set(part.id, places.size);
    } else {
      // Results of one turn stand together. Messages keep their places, by which mistakes are told.
      const isFirst = results.length === 0;
      results.push(...message.content);
      all.push({ role: "tool", content: isFirst ? results : [] });
    }
  }
  sort(results, places);
  return all;
}

function sort(results: ToolResultPart[], places: ReadonlyMap<string, number>): void {
  const placeOf = ({ toolCallId }: ToolResultPart) => places.get(toolCallId) ?? places.size;
  if (results.length > 1) results.sort((left, right) => placeOf(left) - placeOf(right));
}
