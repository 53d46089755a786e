import {
  type AssistantPart,
  type Attempt,
  type ChatRequest,
  type ContentPart,
  isRecord,
  isVideo,
  type ToolResultPart,
} from "../../../core/index.ts";

export type ShownKind = "image" | "video";
type Asked = NonNullable<Attempt["asked"]>;
type AnyPart = ContentPart | AssistantPart | ToolResultPart;

/**
 * Whether a request shows the model such a thing. A word in a text is none, nor is a field of a tool that is called so: that
 * the body has the word anywhere is only why it is read. What cannot be read may show anything.
 */
export function mayShow(asked: Asked | undefined, kind: ShownKind): boolean {
  if (!asked) return true;
  if (asked.bytes?.includes(kind) === false) return false;
  try {
    if (asked.operation === "chat") return isIn((asked.body as ChatRequest).messages, kind);
    return holds(asked.json, kind);
  } catch {
    return true;
  }
}

const isIn = (messages: ChatRequest["messages"], kind: ShownKind): boolean =>
  messages.some(({ content }) => content.some((part: AnyPart) => isShownBy(part, kind)));

function isShownBy(part: AnyPart, kind: ShownKind): boolean {
  switch (part.type) {
    case "image":
      return kind === "image";
    case "document":
      return kind === "video" && isVideo(part);
    case "tool-result":
      return part.content.some((one) => isShownBy(one, kind));
    case "opaque":
      return holds(part.value, kind);
    default:
      return false;
  }
}

/** What things that are shown are called in the words of vendors: `image`, `images`, `image_url`, `imageUrl`, `image_base64`, `image[]` of forms. */
const names = {
  image: /^(?:input_)?images?(?:_?(?:url|uri|file|base64|bytes)|\[\])?$/i,
  video: /^(?:input_)?videos?(?:_?(?:url|uri|file|base64|bytes)|\[\])?$/i,
};
/** Where media types stand. */
const mediaTypes: ReadonlySet<string> = new Set(["mimeType", "mime_type", "mediaType", "media_type"]);

/** Whether JSON nobody here has words for, things to embed and forms of images among it, has one somewhere. */
function holds(wire: unknown, kind: ShownKind): boolean {
  if (typeof wire === "string") return wire.startsWith(`data:${kind}/`);
  if (Array.isArray(wire)) return wire.some((one) => holds(one, kind));
  if (!isRecord(wire)) return false;
  return Object.entries(wire).some(([name, value]) => {
    if (name === "type") return typeof value === "string" && names[kind].test(value);
    if (mediaTypes.has(name)) return typeof value === "string" && value.startsWith(`${kind}/`);
    return (names[kind].test(name) && isThing(value)) || holds(value, kind);
  });
}

/** Text, or bytes, or where they are; numbers and switches are none. */
const isThing = (value: unknown): boolean =>
  (typeof value === "string" && value !== "") || isRecord(value) || (Array.isArray(value) && value.length > 0);
