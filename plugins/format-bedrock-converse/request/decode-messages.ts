import {
  type AssistantPart,
  type ContentPart,
  type Fields,
  isRecord,
  leftovers,
  type Message,
  objectAt,
  refuse,
  type SystemMessage,
  type ToolResultPart,
  unsigned,
} from "../../../core/index.ts";
import {
  decodeBlocks,
  decodeContent,
  decodeInstruction,
  decodeSaid,
  decodeToolResult,
} from "../blocks/decode-block.ts";
import { extraOf, formatName, listAt } from "../fields.ts";

const messageFields = new Set(["role", "content"]);

export function decodeSystem(value: unknown): SystemMessage[] {
  if (value === undefined || value === null) return [];
  const content = decodeBlocks(value, "system", decodeInstruction);
  return content.length > 0 ? [{ role: "system", content }] : [];
}

export function decodeMessages(value: unknown): Message[] {
  const messages: Message[] = [];
  if (value === undefined || value === null) return messages;
  const list = listAt(value, "messages");
  for (let at = 0; at < list.length; at++) for (const message of decodeMessage(list[at], at)) messages.push(message);
  return messages;
}

/** Thinking that says itself that nobody signed it is another vendor's: a model of this one may refuse it. */
function decodeTurn(block: Readonly<Fields>, path: string): AssistantPart {
  const part = decodeSaid(block, path);
  const { reasoningText: said } = isRecord(block.reasoningContent) ? block.reasoningContent : {};
  return part.type === "thinking" && isRecord(said) && said.signature === unsigned
    ? { ...part, signer: "nobody" }
    : part;
}

/** One wire turn becomes the tool results it holds, and what the user says besides. */
function decodeMessage(value: unknown, at: number): Message[] {
  const path = `messages[${at}]`;
  const wire = objectAt(value, path);
  const more = extraOf(leftovers(wire, messageFields));
  const place = `${path}.content`;
  if (wire.role === "assistant")
    return [{ role: "assistant", content: decodeBlocks(wire.content, place, decodeTurn), ...more }];
  if (wire.role === "system") {
    // The bag, empty or not, marks instructions that stand between messages: encoding leaves them there.
    const extra = { format: formatName, fields: leftovers(wire, messageFields) ?? {} };
    return [{ role: "system", content: decodeBlocks(wire.content, place, decodeInstruction), extra }];
  }
  if (wire.role !== "user") refuse(`${path}.role`, '"user", "assistant" or "system"', wire.role);
  const parts = decodeBlocks<ContentPart | ToolResultPart>(wire.content, place, (block, at) =>
    isRecord(block.toolResult) ? decodeToolResult(block.toolResult, `${at}.toolResult`) : decodeContent(block, at),
  );
  const results = parts.filter((part): part is ToolResultPart => part.type === "tool-result");
  const said = parts.filter((part) => part.type !== "tool-result");
  if (results.length === 0) return [{ role: "user", content: said, ...more }];
  return [
    { role: "tool", content: results, ...more },
    ...(said.length > 0 ? [{ role: "user", content: said } as const] : []),
  ];
}
