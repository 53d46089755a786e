import type { ChatRequest, ContentPart, Format, Message, Source } from "../../core/index.ts";

/**
 * The request without what a vendor refuses to be asked, which is an error and no loss: a format that can only be given
 * bytes, or nothing but a tool's description when no tool may be used, is shown those, and one that answers nothing that is
 * blank is asked in words.
 */
export function sayable(upstream: Format<"chat">, request: ChatRequest): ChatRequest {
  switch (upstream.name) {
    case "bedrock-converse":
      return forConverse({ ...request, messages: asked(request.messages) });
    case "gemini":
    case "anthropic-messages":
      return { ...request, messages: asked(request.messages) };
    default:
      return request;
  }
}

/** A conversation in which the user's last message, wherever it stands, has words. */
function asked(messages: readonly Message[]): readonly Message[] {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const last = messages[at];
  const see = { type: "text" as const, text: "See." };
  if (last?.role !== "user") return [...messages, { role: "user", content: [see] }];
  return last.content.some(hasWord) ? messages : messages.with(at, { ...last, content: [...last.content, see] });
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
