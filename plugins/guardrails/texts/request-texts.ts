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
import { mapOpaque, mapPart } from "./beside.ts";
import { readSource, writeSource } from "./source-texts.ts";
import { type Change, textsIn } from "./texts-in.ts";

/** Texts of a body, and the body with others in their places: null keeps one. */
export interface Texts<Body> {
  readonly texts: readonly string[];
  /** How many of them are what was said; the others stand beside it. */
  readonly said: number;
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

/** A message of which something is looked at: the parts from a number on. */
interface Looked {
  readonly message: Message;
  readonly from: number;
}

/** The last message, with the results of tools before it: in some formats they are one message, in others several. */
function lastOf({ messages }: ChatRequest): readonly Looked[] {
  const looked: Looked[] = [];
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (!message) break;
    const from = looked.length === 0 || message.role === "tool" ? 0 : toldFrom(message);
    if (looked.length > 0 && from === message.content.length) break;
    looked.unshift({ message, from });
    if (from > 0) break;
  }
  return looked;
}

/** From where on a turn of the model is nothing but what its client tells it of tools. */
function toldFrom({ role, content }: Message): number {
  let from = content.length;
  if (role !== "assistant") return from;
  for (; from > 0; from--) {
    const part = content[from - 1];
    if (part?.type !== "opaque" || !part.told) break;
  }
  return from;
}

const partsOf = ({ message, from }: Looked): readonly Part[] => (message.content as readonly Part[]).slice(from);

/** The message with other parts from there on. */
const withParts = ({ message, from }: Looked, parts: readonly Part[]): Message =>
  ({ ...message, content: [...message.content.slice(0, from), ...parts] }) as Message;

function ofChat(body: ChatRequest): Texts<ChatRequest> {
  const last = lastOf(body);
  const said: string[] = [];
  for (const looked of last) for (const part of partsOf(looked)) addTexts(part, said);
  const beside = besideIn(last);
  return {
    texts: beside.length === 0 ? said : [...said, ...beside],
    said: said.length,
    with(replaced) {
      const pending = replaced.slice(0, said.length);
      const others = replaced.slice(said.length);
      const isSame = others.every((text) => text === null);
      const changed = last.map((looked) => {
        const parts = replacedIn(partsOf(looked), pending);
        return withParts(looked, isSame ? parts : besideEach(parts, (text) => others.shift() ?? text));
      });
      return { ...body, messages: [...body.messages.slice(0, -last.length), ...changed] };
    },
  };
}

/** What can be read beside what the messages say. */
function besideIn(last: readonly Looked[]): readonly string[] {
  const found: string[] = [];
  for (const looked of last)
    besideEach(partsOf(looked), (text) => {
      found.push(text);
      return text;
    });
  return found;
}

function besideEach(parts: readonly Part[], change: Change): Part[] {
  return parts.map((part): Part => {
    // What a block says was said.
    if (part.type === "opaque") return part;
    const mapped: Part = mapPart(part, change);
    if (mapped.type === "tool-result")
      return { ...mapped, content: besideEach(mapped.content, change) as ToolResultPart["content"] };
    if (mapped.type === "document" && mapped.name !== undefined)
      return { ...mapped, name: change(mapped.name, "name") };
    return mapped;
  });
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
      texts.push(readSource(part.source) ?? "");
      break;
    case "opaque": {
      const own = textsIn(part.value);
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
    if (part.type === "document") return { ...part, source: writeSource(part.source, text) };
    return part;
  });
}

function replacedInOpaque(part: OpaquePart, pending: (string | null)[]): OpaquePart {
  const own = pending.splice(0, Math.max(1, textsIn(part.value).length));
  return own.every((text) => text === null) ? part : mapOpaque(part, (text) => own.shift() ?? text);
}

function ofCompletion(body: CompletionRequest): Texts<CompletionRequest> {
  const { prompt } = body;
  if (typeof prompt === "string")
    return { texts: [prompt], said: 1, with: ([text]) => ({ ...body, prompt: text ?? prompt }) };
  const texts = (prompt ?? []).map((one) => (typeof one === "string" ? one : ""));
  return {
    texts,
    said: texts.length,
    with: (replaced) => ({ ...body, prompt: texts.map((text, at) => replaced[at] ?? text) }),
  };
}

function ofEmbedding(body: EmbeddingRequest): Texts<EmbeddingRequest> {
  const texts = body.input.map((one) => (typeof one === "string" ? one : ""));
  return {
    texts,
    said: texts.length,
    with: (replaced) => ({ ...body, input: body.input.map((one, at) => replaced[at] ?? one) }),
  };
}
