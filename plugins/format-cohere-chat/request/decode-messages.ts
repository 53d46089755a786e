import {
  type AssistantMessage,
  type AssistantPart,
  type ContentPart,
  compact,
  type Fields,
  isRecord,
  leftovers,
  type Message,
  objectAt,
  refuse,
  type Source,
  type TextPart,
  type ToolCallPart,
  type ToolMessage,
  textAt,
} from "../../../core/index.ts";
import { citationList, citedContent } from "../citations.ts";
import { extraOf, formatName, listAt, textIn } from "../fields.ts";
import { documentText } from "./documents.ts";

const plainFields = new Set(["role", "content"]);
const assistantFields = new Set(["role", "content", "tool_plan", "tool_calls", "citations"]);
const toolFields = new Set(["role", "content", "tool_call_id"]);
const callFields = new Set(["id", "type", "function"]);
const imageFields = new Set(["url", "detail"]);

export const decodeMessages = (messages: readonly unknown[]): Message[] =>
  messages.map((message, at) => decodeMessage(objectAt(message, `messages[${at}]`), `messages[${at}]`));

function decodeMessage(wire: Readonly<Fields>, path: string): Message {
  switch (wire.role) {
    case "system":
    case "developer":
      return {
        role: wire.role,
        content: partsOf(wire.content, onlyText, `${path}.content`),
        ...extraOf(leftovers(wire, plainFields)),
      };
    case "user":
      return {
        role: "user",
        content: partsOf<ContentPart>(wire.content, decodePart, `${path}.content`),
        ...extraOf(leftovers(wire, plainFields)),
      };
    case "assistant":
      return decodeAssistant(wire, path);
    case "tool":
      return decodeTool(wire, path);
    default:
      return refuse(`${path}.role`, "one of system, user, assistant, tool", wire.role);
  }
}

/** A string is one text; an empty one, like nothing at all, is none. */
function partsOf<Part>(
  content: unknown,
  decode: (part: Readonly<Fields>, path: string) => Part,
  path: string,
): (Part | TextPart)[] {
  if (content === undefined || content === null || content === "") return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  // One item alone is a list of one.
  const items = isRecord(content) ? [content] : listAt(content, path);
  return items.map((part, at) => decode(objectAt(part, `${path}[${at}]`), `${path}[${at}]`));
}

const decodeText = (wire: Readonly<Fields>, path: string): TextPart => ({
  type: "text",
  text: textAt(wire.text, `${path}.text`),
});

const onlyText = (wire: Readonly<Fields>, path: string): TextPart =>
  wire.type === "text" ? decodeText(wire, path) : refuse(`${path}.type`, '"text"', wire.type);

function decodePart(wire: Readonly<Fields>, path: string): ContentPart {
  switch (textAt(wire.type, `${path}.type`)) {
    case "text":
      return decodeText(wire, path);
    case "image_url":
      return decodeImage(wire, path);
    default:
      return { type: "opaque", format: formatName, value: wire };
  }
}

function decodeImage(wire: Readonly<Fields>, path: string): ContentPart {
  const image = typeof wire.image_url === "string" ? { url: wire.image_url } : wire.image_url;
  const inner = objectAt(image, `${path}.image_url`);
  const url = textAt(inner.url, `${path}.image_url.url`);
  return {
    type: "image",
    source: sourceOf(url),
    ...compact({ detail: textIn(inner.detail, `${path}.image_url.detail`) }),
    ...extraOf(leftovers(inner, imageFields)),
  };
}

/** `data:<type>;base64,<data>`, or where the image is. */
export function sourceOf(url: string): Source {
  const [, mediaType, data] = /^data:([^;,]+)(?:;[^,]*)?;base64,(.*)$/is.exec(url) ?? [];
  return mediaType === undefined || data === undefined
    ? { kind: "url", url }
    : { kind: "data", data, mediaType: mediaType.toLowerCase() };
}

function decodeAssistant(wire: Readonly<Fields>, path: string): AssistantMessage {
  const plan = textIn(wire.tool_plan, `${path}.tool_plan`);
  const calls = wire.tool_calls ? listAt(wire.tool_calls, `${path}.tool_calls`) : [];
  const said = partsOf<AssistantPart>(wire.content, decodeSaid, `${path}.content`);
  const { content, citations } = withCitations(said, citationList(wire.citations));
  return {
    role: "assistant",
    content: [
      ...planOf(plan),
      ...content,
      ...calls.map((call, at) => decodeCall(objectAt(call, `${path}.tool_calls[${at}]`), `${path}.tool_calls[${at}]`)),
    ],
    ...extraOf({ ...leftovers(wire, assistantFields), ...(citations.length > 0 && { citations }) }),
  };
}

/** What the model means to do with its tools, said before it calls them: thinking, in a place of its own. */
export const planOf = (plan: string | undefined): AssistantPart[] =>
  plan ? [{ type: "thinking", text: plan, ...planExtra }] : [];

export const planExtra = extraOf({}, { tool_plan: true });

function decodeSaid(wire: Readonly<Fields>, path: string): AssistantPart {
  switch (wire.type) {
    case "text":
      return decodeText(wire, path);
    case "thinking":
      return { type: "thinking", text: textAt(wire.thinking, `${path}.thinking`) };
    default:
      return { type: "opaque", format: formatName, value: wire };
  }
}

function decodeCall(wire: Readonly<Fields>, path: string): ToolCallPart {
  const inner = objectAt(wire.function, `${path}.function`);
  return {
    type: "tool-call",
    id: textAt(wire.id, `${path}.id`),
    name: textAt(inner.name, `${path}.function.name`),
    arguments: textIn(inner.arguments, `${path}.function.arguments`) ?? "",
    ...extraOf(leftovers(wire, callFields)),
  };
}

/** The parts of a message with the citations that are about them, and those that are about none. */
export function withCitations(
  content: readonly AssistantPart[],
  all: readonly unknown[],
): { content: AssistantPart[]; citations: unknown[] } {
  const parts = [...content];
  const citations: unknown[] = [];
  for (const citation of all) {
    const about = citedContent(citation);
    const at = about === "first" ? parts.findIndex(({ type }) => type === "text") : (about ?? -1);
    const part = parts[at];
    if (part?.type === "text") parts[at] = { ...part, citations: [...(part.citations ?? []), citation] };
    else citations.push(citation);
  }
  return { content: parts, citations };
}

function decodeTool(wire: Readonly<Fields>, path: string): ToolMessage {
  return {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: textAt(wire.tool_call_id, `${path}.tool_call_id`),
        content: partsOf<ContentPart>(wire.content, decodeResultPart, `${path}.content`),
        ...extraOf(leftovers(wire, toolFields)),
      },
    ],
  };
}

/** What a tool found comes as documents. To other formats a document is the text it holds. */
function decodeResultPart(wire: Readonly<Fields>, path: string): ContentPart {
  if (wire.type !== "document") return decodePart(wire, path);
  const document = typeof wire.document === "string" ? wire.document : objectAt(wire.document, `${path}.document`);
  return { type: "text", text: documentText(document), ...extraOf({}, { document }) };
}
