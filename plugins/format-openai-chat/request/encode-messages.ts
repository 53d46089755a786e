import {
  type AssistantMessage,
  type ContentPart,
  type Fields,
  isSaidElsewhere,
  type Message,
  objectArguments,
  reportForeign,
  ShownResults,
  type SystemMessage,
  type ThinkingPart,
  type ToolCallPart,
  type ToolResultPart,
  type UserMessage,
} from "../../../core/index.ts";
import { fieldsOf, formatName, spellingOf } from "../extra.ts";
import { messageFields, unsignedCall } from "./additions.ts";
import { encodeCustomCall, isOwnCustom } from "./custom.ts";
import { encodePart, reportLosses } from "./parts.ts";
import { withShortIds } from "./short-ids.ts";
import type { Report, Vendor } from "./vendor.ts";

export function encodeMessages(said: readonly Message[], report: Report, vendor?: Vendor): Fields[] {
  const messages = vendor?.exact ? withShortIds(said) : said;
  const encoded: Fields[] = [];
  // Tool messages hold only text here. What else the tools gave follows in a user message after the last of them.
  const shown = new ShownResults();
  // The last message of a user of which nothing was left.
  let silent: Fields | undefined;
  const flush = () => {
    const content = shown.take();
    if (content.length > 0) encoded.push({ role: "user", content });
  };
  for (const message of messages) {
    reportForeign(formatName, message.extra, "messages.", report);
    switch (message.role) {
      case "tool":
        for (const result of message.content) encoded.push(encodeResult(result, shown, report, vendor));
        break;
      case "assistant":
        flush();
        encoded.push(...encodeAssistant(message, report, vendor?.thinkingField));
        break;
      case "user": {
        // Two messages of the user behind each other are refused by templates of many models ("roles must alternate").
        const results = shown.take();
        const own = encodeParts(message.content, report, vendor);
        const parts = results.length > 0 ? [...results, ...own] : own;
        const wire = encodeTold(message, parts);
        if (parts.length === 0 && message.content.length > 0) silent = wire;
        else encoded.push(wire);
        break;
      }
      default: {
        const parts = encodeParts(message.content, report, vendor);
        if (parts.length === 0 && isSaidElsewhere(message, formatName)) break;
        flush();
        encoded.push(encodeTold(message, parts));
      }
    }
  }
  flush();
  // Vendors refuse empty messages, and chats of instructions only as well.
  if (silent && encoded.every(isInstruction)) encoded.push(silent);
  return encoded;
}

const isInstruction = ({ role }: Fields): boolean => role === "system" || role === "developer";

/** What the model is told, by the operator or the user. */
const encodeTold = ({ role, name, extra }: SystemMessage | UserMessage, parts: readonly Fields[]): Fields => ({
  role,
  content: contentOf(parts),
  ...(name !== undefined && { name }),
  ...fieldsOf(extra).inner,
});

function encodeParts(parts: readonly ContentPart[], report: Report, vendor: Vendor | undefined): Fields[] {
  const encoded: Fields[] = [];
  for (const part of parts) {
    const wire = encodePart(part, report, vendor);
    if (wire) encoded.push(wire);
  }
  return encoded;
}

/** One part of plain text is written as a string: every vendor of this format takes that. */
function contentOf(parts: readonly Fields[]): string | readonly Fields[] {
  const [first] = parts;
  if (!first) return "";
  return parts.length === 1 && first.type === "text" && Object.keys(first).length === 2 ? String(first.text) : parts;
}

function encodeResult(result: ToolResultPart, shown: ShownResults, report: Report, vendor: Vendor | undefined): Fields {
  reportLosses(result, report);
  if (result.isError) report("messages.tool_result.is_error");
  const texts: Fields[] = [];
  const attachments: Fields[] = [];
  for (const part of result.content) {
    const wire = encodePart(part, report, vendor);
    if (wire) (wire.type === "text" || part.type === "opaque" ? texts : attachments).push(wire);
  }
  const { inner } = fieldsOf(result.extra);
  const content = contentOf(shown.add(result, texts, attachments));
  return spellingOf(result.extra) === "function"
    ? { role: "function", content, ...inner }
    : { role: "tool", tool_call_id: result.toolCallId, content, ...inner };
}

/** What an assistant message is made of, in the places this format has for it. */
interface Said {
  readonly parts: Fields[];
  readonly calls: Fields[];
  /** `refusal`, `reasoning_content`, `function_call`: fields beside `content`. */
  readonly fields: Fields;
  /** Where the vendor wants thinking back that came in no field of this format. */
  readonly thinkingField: string | undefined;
}

/** A message of which nothing is left is none: some vendors refuse empty ones. */
function encodeAssistant(message: AssistantMessage, report: Report, thinkingField: string | undefined): Fields[] {
  const said: Said = { parts: [], calls: [], fields: {}, thinkingField };
  for (const part of message.content) place(part, said, report);
  const { parts, calls, fields } = said;
  const more = messageFields(message.extra, report);
  const silent = parts.length === 0 && (calls.length > 0 || "refusal" in fields || "function_call" in fields);
  const left = parts.length > 0 || calls.length > 0 || Object.keys(fields).length > 0 || Object.keys(more).length > 0;
  if (!left && message.content.length > 0) return [];
  return [
    {
      role: "assistant",
      content: silent ? null : contentOf(parts),
      ...fields,
      ...(message.name !== undefined && { name: message.name }),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...more,
    },
  ];
}

function place(part: AssistantMessage["content"][number], said: Said, report: Report): void {
  if (part.type === "opaque") {
    const wire = encodePart(part, report);
    if (wire) said.parts.push(wire);
    return;
  }
  const spelling = spellingOf(part.extra);
  switch (part.type) {
    case "text": {
      const wire = encodePart(part, report);
      if (wire) said.parts.push(wire);
      return;
    }
    case "tool-call":
      reportLosses(part, report);
      if (spelling === "function_call") said.fields.function_call = encodeFunction(part);
      else said.calls.push((isOwnCustom(part) ? encodeCustomCall : encodeCall)(unsignedCall(part, report)));
      return;
    case "refusal":
      reportLosses(part, report);
      if (spelling === "part") said.parts.push({ type: "refusal", refusal: part.text, ...fieldsOf(part.extra).inner });
      else append(said.fields, "refusal", part.text);
      return;
    case "thinking":
      placeThinking(part, spelling ?? said.thinkingField, said, report);
      return;
    case "image": {
      const wire = spelling === "image_url" ? encodePart(part, report) : report("messages.image");
      if (wire) said.parts.push(wire);
      return;
    }
    default:
      report(part.type === "audio" ? "messages.audio" : "messages.thinking");
  }
}

/** Only thinking that came in a field of this format, or that the vendor asks for in one, may go back: OpenAI rejects it. */
function placeThinking(part: ThinkingPart, field: string | undefined, { fields }: Said, report: Report): void {
  if (field === undefined || (part.signature !== undefined && spellingOf(part.extra) === undefined))
    report("messages.thinking");
  if (field !== undefined && part.text !== "") append(fields, field, part.text);
}

const append = (fields: Fields, name: string, text: string) => {
  fields[name] = `${fields[name] ?? ""}${text}`;
};

const encodeFunction = ({ name, arguments: text, extra }: ToolCallPart, written = objectArguments): Fields => ({
  name,
  arguments: written(text),
  ...fieldsOf(extra).inner,
});

/** A call of a history, or of an answer where its arguments are `written` so. */
export const encodeCall = (part: ToolCallPart, written?: (text: string) => string): Fields => ({
  id: part.id,
  type: "function",
  function: encodeFunction(part, written),
  ...fieldsOf(part.extra).outer,
});
