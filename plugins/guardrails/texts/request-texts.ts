import type {
  ChatRequest,
  CompletionRequest,
  ContentPart,
  EmbeddingRequest,
  GatewayRequest,
  Message,
  OpaquePart,
  OperationName,
  RequestOf,
  ToolResultPart,
} from "../../../core/index.ts";
import { opaqueTexts, withOpaqueTexts } from "./opaque-texts.ts";

/** Texts of a body, and the body with others in their places: null keeps one. */
export interface Texts<Body> {
  readonly texts: readonly string[];
  with(replaced: readonly (string | null)[]): Body;
}

/** What checks look at of a request: its last message, its prompt, what it embeds (guardrails.md section 6). */
export function textsOfRequest(request: GatewayRequest): Texts<RequestOf<OperationName>> | undefined {
  switch (request.operation) {
    case "chat":
      return ofChat(request.body as ChatRequest);
    case "complete":
      return ofCompletion(request.body as CompletionRequest);
    case "embed":
      return ofEmbedding(request.body as EmbeddingRequest);
    default:
      return undefined;
  }
}

/** The last message, with the results of tools before it: in some formats they are one message, in others several. */
function lastOf({ messages }: ChatRequest): readonly Message[] {
  let from = messages.length - 1;
  while (from > 0 && messages[from - 1]?.role === "tool") from--;
  return messages.slice(Math.max(0, from));
}

function ofChat(body: ChatRequest): Texts<ChatRequest> {
  const last = lastOf(body);
  const texts: string[] = [];
  for (const { content } of last) for (const part of content as readonly Part[]) addTexts(part, texts);
  return {
    texts,
    with(replaced) {
      const pending = [...replaced];
      const changed = last.map(
        (message) => ({ ...message, content: replacedIn(message.content as readonly Part[], pending) }) as Message,
      );
      return { ...body, messages: [...body.messages.slice(0, -last.length), ...changed] };
    },
  };
}

type Part = Message["content"][number];

function addTexts(part: Part, texts: string[]): void {
  switch (part.type) {
    case "text":
    case "refusal":
      texts.push(part.text);
      break;
    case "tool-call":
      texts.push(part.arguments);
      break;
    case "tool-result":
      for (const inner of (part as ToolResultPart).content) addTexts(inner, texts);
      break;
    case "document":
      texts.push(part.source.kind === "text" ? part.source.text : "");
      break;
    case "opaque": {
      const own = opaqueTexts(part.value);
      texts.push(...(own.length > 0 ? own : [""]));
      break;
    }
    default:
      texts.push("");
  }
}

/** Takes from `pending` what stands in place of each text, in the order `addTexts` gave them. */
function replacedIn(parts: readonly Part[], pending: (string | null)[]): Part[] {
  return parts.map((part): Part => {
    if (part.type === "tool-result")
      return { ...part, content: replacedIn(part.content as readonly Part[], pending) as ContentPart[] };
    if (part.type === "opaque") return replacedInOpaque(part, pending);
    const text = pending.shift() ?? null;
    if (text === null) return part;
    if (part.type === "text" || part.type === "refusal") return { ...part, text };
    if (part.type === "tool-call") return { ...part, arguments: text };
    if (part.type === "document" && part.source.kind === "text") return { ...part, source: { ...part.source, text } };
    return part;
  });
}

function replacedInOpaque(part: OpaquePart, pending: (string | null)[]): OpaquePart {
  const own = pending.splice(0, Math.max(1, opaqueTexts(part.value).length));
  if (own.every((text) => text === null)) return part;
  return { ...part, value: withOpaqueTexts(part.value, () => own.shift() ?? null) };
}

function ofCompletion(body: CompletionRequest): Texts<CompletionRequest> {
  const { prompt } = body;
  if (typeof prompt === "string") return { texts: [prompt], with: ([text]) => ({ ...body, prompt: text ?? prompt }) };
  const texts = (prompt ?? []).map((one) => (typeof one === "string" ? one : ""));
  return {
    texts,
    with: (replaced) => ({ ...body, prompt: texts.map((text, at) => replaced[at] ?? text) }),
  };
}

function ofEmbedding(body: EmbeddingRequest): Texts<EmbeddingRequest> {
  const texts = body.input.map((one) => (typeof one === "string" ? one : ""));
  return {
    texts,
    with: (replaced) => ({ ...body, input: body.input.map((one, at) => replaced[at] ?? one) }),
  };
}
