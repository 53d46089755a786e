import type { ChatRequest, ContentPart, Format, Message, Source } from "../../core/index.ts";

/**
 * The request without what a vendor refuses to be asked, which is an error and no loss: a format that can only be given
 * bytes, or nothing but a tool's description when no tool may be used, is shown those, and one that answers nothing that is
 * blank is asked in words.
 */
export function sayable(upstream: Format<"chat">, request: ChatRequest): ChatRequest {
  switch (upstream.name) {
    case "bedrock-converse":
      return forConverse({ ...request, messages: request.messages.map(inWords) });
    case "gemini":
    case "anthropic-messages":
      return { ...request, messages: request.messages.map(inWords) };
    default:
      return request;
  }
}

function inWords(message: Message, at: number, messages: readonly Message[]): Message {
  if (message.role !== "user" || at < messages.length - 1 || message.content.some(hasWord)) return message;
  return { ...message, content: [...message.content, { type: "text", text: "See." }] };
}

function forConverse({ toolChoice, ...request }: ChatRequest): ChatRequest {
  return {
    ...request,
    ...(toolChoice && toolChoice.type !== "none" && { toolChoice }),
    messages: request.messages.map(inlined),
  };
}

function inlined(message: Message): Message {
  switch (message.role) {
    case "user": {
      const content = message.content.map(withBytes);
      const shown = content.some(({ type }) => type === "document") && !content.some(hasWord);
      return { ...message, content: shown ? [...content, { type: "text", text: "See." }] : content };
    }
    case "tool":
      return {
        ...message,
        content: message.content.map((result) => ({ ...result, content: result.content.map(withBytes) })),
      };
    default:
      return message;
  }
}

const hasWord = (part: ContentPart) => part.type === "text" && part.text.trim() !== "";

function withBytes(part: ContentPart): ContentPart {
  switch (part.type) {
    case "image":
      return { ...part, source: bytes(part.source, "image/png") };
    case "document":
      return { ...part, source: bytes(part.source, "application/pdf") };
    default:
      return part;
  }
}

const bytes = (source: Source, mediaType: string): Source =>
  source.kind === "url" || source.kind === "file" ? { kind: "data", data: "AAAA", mediaType } : source;
