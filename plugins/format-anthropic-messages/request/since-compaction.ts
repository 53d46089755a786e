import type { AssistantPart, ContentPart, Message } from "../../../core/index.ts";
import { ownBlock } from "./tools-in-effect.ts";

/**
 * Messages as the vendor reads them behind a `compaction` block, which sums up all before it: that is left out, but for what stands in
 * `system`, and the user gives the summary. A block that says nothing is a compaction that failed.
 */
export function sinceCompaction(messages: readonly Message[]): readonly Message[] {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at] as Message;
    if (message.role !== "assistant" && message.role !== "user") continue;
    const place = (message.content as readonly (AssistantPart | ContentPart)[]).findLastIndex(summaryIn);
    const found = message.content[place];
    if (!found) continue;
    const summary = { type: "text", text: summaryIn(found) ?? "" } as const;
    const rest = { ...message, content: message.content.slice(place + 1) } as Message;
    return [
      ...messages.slice(0, at).filter(({ role, extra }) => role === "system" && extra === undefined),
      { role: "user", content: [summary] },
      ...(rest.content.length > 0 ? [rest] : []),
      ...messages.slice(at + 1),
    ];
  }
  return messages;
}

function summaryIn(part: AssistantPart | ContentPart): string | undefined {
  const block = ownBlock(part);
  return block?.type === "compaction" && typeof block.content === "string" && block.content !== ""
    ? block.content
    : undefined;
}
