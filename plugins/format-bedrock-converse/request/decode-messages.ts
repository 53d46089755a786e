import {
  type ContentPart,
  type Fields,
  isRecord,
  leftovers,
  type Message,
  objectAt,
  refuse,
  type SystemMessage,
  type ToolResultPart,
} from "../../../core/index.ts";
import {
  decodeBlocks,
  decodeContent,
  decodeInstruction,
  decodeSaid,
  decodeToolResult,
} from "../blocks/decode-block.ts";
import { extraOf, listAt } from "../fields.ts";

const messageFields = new Set(["role", "content"]);

export function decodeSystem(value: unknown): SystemMessage[] {
  if (value === undefined || value === null) return [];
  const content = decodeBlocks(value, "system", decodeInstruction).map((part) =>
    // A cache point with nothing before it.
    part.type === "opaque" ? decodeInstruction(part.value as Readonly<Fields>, "system") : part,
  );
  return content.length > 0 ? [{ role: "system", content }] : [];
}

export const decodeMessages = (value: unknown): Message[] =>
  value === undefined || value === null ? [] : listAt(value, "messages").flatMap(decodeMessage);

/** One wire turn becomes the tool results it holds, and what the user says besides. */
function decodeMessage(value: unknown, at: number): Message[] {
  const path = `messages[${at}]`;
  const wire = objectAt(value, path);
  const more = extraOf(leftovers(wire, messageFields));
  const place = `${path}.content`;
  if (wire.role === "assistant")
    return [{ role: "assistant", content: decodeBlocks(wire.content, place, decodeSaid), ...more }];
  if (wire.role !== "user") refuse(`${path}.role`, '"user" or "assistant"', wire.role);
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
