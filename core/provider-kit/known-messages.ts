import { saysNothing } from "../codec-kit/fields/usual-values.ts";
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
 * Fields of a message that some clients write into each text of it once more: `@openai/agents` (0.20) gives back what it was
 * answered so.
 */
const repeated: ReadonlySet<string> = new Set(["role", "tool_calls", "function_call"]);

type Fields = Readonly<Record<string, unknown>>;
type Report = ((dropped: string) => void) | undefined;

/**
 * The messages of a chat on the wire without fields that their vendor refuses; those that say something are reported. The `name`
 * of a message is that of who speaks, but in what a tool says, which has that of the tool and keeps it. Texts of an answer
 * hold none of these fields either, nor those of the message around them.
 */
export const knownMessages = (messages: readonly unknown[], refused: readonly string[], report?: Report): unknown[] =>
  messages.map((message) => {
    if (!isRecord(message)) return message;
    const isOfTool = message.role === "tool" || message.role === "function";
    const known = without(message, (name) => refused.includes(name) && !(isOfTool && name === "name"), report);
    const { content } = known;
    if (known.role !== "assistant" || !Array.isArray(content)) return known;
    const parts = content.map((part) => knownText(part, refused, report));
    return parts.every((part, at) => part === content[at]) ? known : { ...known, content: parts };
  });

function knownText(part: unknown, refused: readonly string[], report: Report): unknown {
  if (!isRecord(part) || part.type !== "text") return part;
  const own = without(part, (name) => repeated.has(name));
  return without(own, (name) => refused.includes(name), report);
}

/** The fields that are not refused: the same object where none is. */
function without(fields: Fields, isRefused: (name: string) => boolean, report?: Report): Fields {
  const unknown = Object.keys(fields).filter(isRefused);
  if (unknown.length === 0) return fields;
  const known: Record<string, unknown> = { ...fields };
  for (const name of unknown) {
    if (!saysNothing(known[name])) report?.(`messages.${name}`);
    delete known[name];
  }
  return known;
}
