import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ChatRequest,
  type ContentPart,
  type Format,
  type Message,
  readJson,
  type Tool,
  withUserTurn,
  writeJson,
} from "../../core/index.ts";
import { arbitraryChatRequest, deepFreeze } from "../arbitraries/chat.ts";
import { pairs } from "./pairs.ts";
import { sayable } from "./sayable.ts";

const ignore = () => undefined;
const json = (value: unknown): unknown => readJson(writeJson(value));

/**
 * The request as the gateway has it after a client of this format sent it, with what this vendor can be asked. One of which
 * nothing is left, as of blank text in some formats, is none.
 */
function arrived(client: Format<"chat">, upstream: Format<"chat">, request: ChatRequest): ChatRequest {
  const wire = json(client.encodeRequest(sayable(client, request), ignore));
  const { messages } = wire as { messages?: unknown };
  fc.pre(!Array.isArray(messages) || messages.length > 0);
  const read = client.decodeRequest(wire);
  fc.pre(read.messages.length > 0);
  return deepFreeze(sayable(upstream, read));
}

function sent(upstream: Format<"chat">, request: ChatRequest) {
  const dropped: string[] = [];
  const wire = json(upstream.encodeRequest(request, (name) => dropped.push(name)));
  return { wire, dropped };
}

/** Fields that either arrive as they were or are reported, under their public names. */
const plainFields = {
  temperature: "temperature",
  topP: "top_p",
  topK: "top_k",
  n: "n",
  presencePenalty: "presence_penalty",
  frequencyPenalty: "frequency_penalty",
  logitBias: "logit_bias",
  logprobs: "logprobs",
  topLogprobs: "top_logprobs",
  seed: "seed",
  stop: "stop",
  user: "user",
} as const satisfies Partial<Record<keyof ChatRequest, string>>;

/** Values that say what saying nothing says: leaving them out is no loss. */
const saysNothing = (name: string, value: unknown): boolean =>
  value === undefined ||
  value === false ||
  (name === "n" && value === 1) ||
  value === 0 ||
  (typeof value === "object" && value !== null && Object.keys(value).length === 0);

describe.each(pairs)("a request of a client of $client.name for a vendor of $upstream.name", ({ client, upstream }) => {
  it("reports what it loses: only what is declared, and each name once", () => {
    fc.assert(
      fc.property(arbitraryChatRequest, (request) => {
        const { dropped } = sent(upstream, arrived(client, upstream, request));
        expect(dropped.filter((name) => !upstream.drops.includes(name))).toEqual([]);
        expect(new Set(dropped).size).toBe(dropped.length);
      }),
      { numRuns: 60 },
    );
  });

  it("loses nothing more when it is read and written again", () => {
    fc.assert(
      fc.property(arbitraryChatRequest, (request) => {
        const { wire } = sent(upstream, arrived(client, upstream, request));
        expect(sent(upstream, upstream.decodeRequest(deepFreeze(wire)))).toEqual({ wire, dropped: [] });
      }),
      { numRuns: 60 },
    );
  });

  it("keeps every setting that is not reported", () => {
    fc.assert(
      fc.property(arbitraryChatRequest, (request) => {
        const before = arrived(client, upstream, request);
        const { wire, dropped } = sent(upstream, before);
        const after = upstream.decodeRequest(wire);
        for (const [field, name] of Object.entries(plainFields)) {
          const value = before[field as keyof ChatRequest];
          if (dropped.includes(name) || saysNothing(name, value)) continue;
          expect({ [name]: after[field as keyof ChatRequest] }).toEqual({ [name]: value });
        }
        expect(after.model).toBe(before.model);
        expect(after.stream).toBe(before.stream);
        if (!dropped.includes("max_tokens"))
          expect(after.maxTokens ?? before.maxTokens).toBe(before.maxTokens ?? after.maxTokens);
      }),
      { numRuns: 60 },
    );
  });

  it("keeps everything that was said, called, shown and offered, but for what is reported", () => {
    fc.assert(
      fc.property(arbitraryChatRequest, (request) => {
        const before = arrived(client, upstream, request);
        const { wire, dropped } = sent(upstream, before);
        const lost = new Set(dropped);
        const { tools = [], ...after } = withoutOpening(upstream.decodeRequest(wire));
        // Where none are offered, an API may want those that were called before.
        const offered = before.tools?.length ? tools : [];
        expect(atoms({ ...after, tools: callable(before, offered) }, lost)).toEqual(
          atoms({ ...withoutOpening(read(upstream, before)), tools: callable(before, before.tools) }, lost),
        );
      }),
      { numRuns: 60 },
    );
  });
});

/** Where the model spoke first, an API may want the user to have said something before. */
function withoutOpening(request: ChatRequest): ChatRequest {
  const at = request.messages.findIndex(({ role }) => role !== "system" && role !== "developer");
  const { role, content = [] } = request.messages[at] ?? {};
  const isOpening = role === "user" && content.length === 1 && isEllipsis(content[0]);
  return isOpening ? { ...request, messages: request.messages.toSpliced(at, 1) } : request;
}

/** What says where that is that a tool or a user gave, in formats that have it elsewhere. */
const pointing =
  /^\{"(?:tool":"(?:Shown below|Left out: it cannot be shown here)\.|user":"(?:Result \d+:|See the documents\.))"\}$/;

const isEllipsis = (part: object | undefined): boolean => part !== undefined && "text" in part && part.text === "…";

/** The tools a client allows: where it allows some only, or one, an API may be shown no others. */
function callable({ toolChoice }: ChatRequest, tools: readonly Tool[] = []): readonly Tool[] {
  if (toolChoice?.type !== "among" && toolChoice?.type !== "tool") return tools;
  const names = toolChoice.type === "among" ? toolChoice.names : [toolChoice.name];
  const allowed = tools.filter((tool) => "name" in tool && names.includes(tool.name));
  return toolChoice.type === "tool" && allowed.length === 0 ? tools : allowed;
}

/** Formats in which instructions that the model answered are the user's word. */
const withUserTurns: ReadonlySet<string> = new Set(["anthropic-messages", "bedrock-converse", "gemini"]);

/** Converse carries thoughts of the vendors of the Messages API. */
const signerOf = (name: string): string => (name === "bedrock-converse" ? "anthropic-messages" : name);

/** What is shown as what it is read as: documents that are text are said, where the vendor takes no documents but PDFs. */
function read({ name }: Format<"chat">, request: ChatRequest): ChatRequest {
  if (withUserTurns.has(name) && request.extra?.format !== name)
    return { ...request, messages: withUserTurn(request.messages, signerOf(name)) };
  if (name !== "openai-chat") return request;
  const said = (part: ContentPart): ContentPart =>
    part.type === "document" && part.source.kind === "text" && part.extra?.format !== name
      ? { type: "text", text: part.name === undefined ? part.source.text : `${part.name}\n\n${part.source.text}` }
      : part;
  const messages = request.messages.map((message) =>
    message.role === "user" ? { ...message, content: message.content.map(said) } : message,
  );
  return { ...request, messages };
}

/** All that a request says, piece by piece, without the grouping into messages, in which formats differ. */
function atoms({ messages, tools = [] }: ChatRequest, lost: ReadonlySet<string>): string[] {
  const cached = (part: object): object =>
    "cache" in part && !lost.has("messages.cache_control") ? { cache: part.cache } : {};
  const ofPart = (part: Message["content"][number], owner: string): object[] => {
    if (lost.has(`messages.${part.type.replaceAll("-", "_").replace("redacted_", "")}`)) return [];
    switch (part.type) {
      case "text":
        return [{ [owner]: part.text, ...cached(part) }];
      case "tool-call":
        return [{ call: part.id, name: part.name, arguments: writeJson(readJson(part.arguments || "{}")) }];
      case "tool-result":
        return [{ result: part.toolCallId }, ...ofResult(part.content).flatMap((inner) => ofPart(inner, "tool"))];
      case "image":
      case "audio":
      case "document":
        return [{ [part.type]: part.source }];
      case "thinking":
        return [{ thinking: part.text, signature: part.signature }];
      default:
        return [{ ...part }];
    }
  };
  const said = messages.flatMap((message) =>
    message.content.flatMap((part) => ofPart(part, message.role === "developer" ? "system" : message.role)),
  );
  const offered = tools.map((tool) => ({
    tool: "name" in tool ? [tool.name, tool.description, opened(tool.parameters)] : tool,
  }));
  return [...said, ...offered]
    .map((atom) => JSON.stringify(atom))
    .filter((atom) => !pointing.test(atom))
    .sort();
}

/** Whether a tool takes more than the parameters it names is not to be said in every format. */
function opened({ additionalProperties: _, ...schema }: Readonly<Record<string, unknown>> = {}): object {
  return schema;
}

/** What a tool said, its texts in one: some formats have room for one text only, and join them. */
function ofResult(content: readonly ContentPart[]): ContentPart[] {
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  // Where there is something to be shown, a blank text beside it says where that is.
  const isSaid = content.some(({ type }) => type !== "text") ? text.trim() !== "" : text !== "";
  return [...(!isSaid ? [] : [{ type: "text" as const, text }]), ...content.filter(({ type }) => type !== "text")];
}
