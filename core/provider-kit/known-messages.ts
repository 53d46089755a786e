import { saysNothing } from "../codec-kit/fields/extras.ts";
import { isRecord } from "../codec-kit/records.ts";

/** What answers of one vendor or another hold beside their content, which comes back with the history: others refuse it. */
export const answeredFields: readonly string[] = [
  "annotations",
  "audio",
  "citations",
  "content_blocks",
  "content_parts",
  "images",
  "reasoning",
  "reasoning_content",
  "reasoning_details",
  "refusal",
  "thought_signature",
];

/**
 * The messages of a chat on the wire without fields that their vendor refuses; those that say something are reported. The `name`
 * of a message is that of who speaks, but in what a tool says, which has that of the tool and keeps it.
 */
export const knownMessages = (
  messages: readonly unknown[],
  refused: readonly string[],
  report?: (dropped: string) => void,
): unknown[] =>
  messages.map((message) => {
    if (!isRecord(message)) return message;
    const isOfTool = message.role === "tool" || message.role === "function";
    const unknown = refused.filter((name) => name in message && !(isOfTool && name === "name"));
    if (unknown.length === 0) return message;
    const known: Record<string, unknown> = { ...message };
    for (const name of unknown) {
      if (!saysNothing(message[name])) report?.(`messages.${name}`);
      delete known[name];
    }
    return known;
  });
