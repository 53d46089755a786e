import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  assembler,
  type ChatRequest,
  type ChatResponse,
  type ContentPart,
  chunksOf,
  type EncodeContext,
  type Message,
  type StreamChunk,
  type ToolResultPart,
  type WireEvent,
  withAllowedTools,
} from "../../core/index.ts";
import { arbitraryChatRequest, arbitraryChatResponse, deepFreeze } from "../../test/arbitraries/chat.ts";
import { openAiChat } from "./index.ts";

const { encodeRequest, decodeRequest, encodeResponse, decodeResponse, encodeStream, decodeStream } = openAiChat;

const arbitraryContext: fc.Arbitrary<EncodeContext> = fc.record({
  provider: fc.constant("acme"),
  model: fc.constant("acme-1"),
  strict: fc.boolean(),
  now: fc.constant(1_786_000_000),
  id: fc.constant("0f1e2d"),
  includeUsage: fc.boolean(),
});

/** The frames of a stream as events: this format never writes anything but `data:` lines. */
const eventsOf = (text: string): WireEvent[] =>
  text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => ({ data: frame.replace(/^data: /, "") }));

function streamed(chunks: Iterable<StreamChunk>, context: EncodeContext): string {
  const encoder = encodeStream?.(context);
  let text = "";
  for (const chunk of chunks) text += encoder?.push(chunk) ?? "";
  return text + (encoder?.end() ?? "");
}

function assembled(text: string): ChatResponse {
  const decoder = decodeStream?.();
  const whole = assembler();
  for (const event of eventsOf(text)) for (const chunk of decoder?.push(event) ?? []) whole.add(chunk);
  for (const chunk of decoder?.end() ?? []) whole.add(chunk);
  return whole.chat();
}

/** What is left of a request after the losses `encodeRequest` reports, written the way this format reads it back. */
function expected(canonical: ChatRequest): ChatRequest {
  const request = withAllowedTools(canonical, () => {});
  const { topK: _, reasoning, serviceTier, ...rest } = request;
  const messages: Message[] = [];
  let attachments: ContentPart[][] = [];
  const take = (): ContentPart[] => {
    const content = attachments.flatMap((parts, at): ContentPart[] =>
      parts.length === 0 || attachments.length === 1 ? parts : [{ type: "text", text: `Result ${at + 1}:` }, ...parts],
    );
    attachments = [];
    return content;
  };
  const flush = () => {
    const content = take();
    if (content.length > 0) messages.push({ role: "user", content });
  };
  for (const message of request.messages) {
    const before = message.role === "user" ? take() : [];
    if (message.role !== "tool") flush();
    if (message.role === "tool")
      for (const result of message.content) {
        const { isError: _, ...kept } = uncached(result);
        const others = result.content.filter((part) => part.type !== "text");
        const content = result.content.filter((part) => part.type === "text");
        const isSilent = others.length > 0 && content.every(({ text }) => text.trim() === "");
        attachments.push(others.flatMap(shown));
        const text = attachments.at(-1)?.length ? "Shown below." : "Left out: it cannot be shown here.";
        const said = isSilent ? [{ type: "text" as const, text }] : content;
        messages.push({ role: "tool", content: [{ ...(kept as ToolResultPart), content: said }] });
      }
    else if (message.role === "assistant")
      messages.push({
        ...message,
        content: message.content
          .filter((part) => part.type !== "thinking" && part.type !== "redacted-thinking")
          .map(uncached),
      });
    else if (message.role === "user") {
      const content = [...before, ...message.content.flatMap(shown)];
      if (content.length > 0) messages.push({ ...message, content });
    } else messages.push({ ...message, content: message.content.map(uncached) });
  }
  flush();
  // A chat of instructions only is refused by vendors.
  if (messages.every(({ role }) => role === "system" || role === "developer"))
    messages.push({ role: "user", content: [] });
  return {
    ...rest,
    messages,
    ...(request.tools && { tools: request.tools.map(uncached) }),
    ...(reasoning?.effort !== undefined && { reasoning: { effort: reasoning.effort } }),
    ...(serviceTier !== undefined && serviceTier !== "standard_only" && { serviceTier }),
  };
}

function uncached<Part extends object>(part: Part): Part {
  const { cache: _, ...kept } = part as Part & { cache?: unknown };
  return kept as Part;
}

/** What users show: of documents this format has a word for texts, and for the bytes of a PDF, which have a name in it. */
function shown(part: ContentPart): ContentPart[] {
  const kept = uncached(part);
  if (kept.type !== "document" || kept.source.kind === "file") return [kept];
  const { source, name } = kept;
  if (source.kind === "text")
    return [{ type: "text", text: name === undefined ? source.text : `${name}\n\n${source.text}` }];
  return source.kind === "url" ? [] : [{ ...kept, name: name ?? "document.pdf" }];
}

describe("openai-chat properties", () => {
  it("gives back every canonical request but for the losses it reports", () => {
    fc.assert(
      fc.property(arbitraryChatRequest, (request) => {
        const dropped: string[] = [];
        const wire = encodeRequest(deepFreeze(request), (name) => dropped.push(name));
        expect(decodeRequest(JSON.parse(JSON.stringify(wire)))).toEqual(expected(request));
        expect(dropped.filter((name) => !openAiChat.drops.includes(name))).toEqual([]);
        expect(new Set(dropped).size).toBe(dropped.length);
      }),
    );
  });

  it("gives the same JSON for the same request, and reads it without writing to it", () => {
    fc.assert(
      fc.property(arbitraryChatRequest, (request) => {
        const ignore = () => {};
        const wire = deepFreeze(encodeRequest(request, ignore));
        expect(JSON.stringify(encodeRequest(request, ignore))).toBe(JSON.stringify(wire));
        expect(encodeRequest(deepFreeze(decodeRequest(wire)), ignore)).toEqual(wire);
      }),
    );
  });

  it("streams what it would have answered whole", () => {
    fc.assert(
      fc.property(arbitraryChatResponse, arbitraryContext, (response, context) => {
        const whole = decodeResponse(deepFreeze(encodeResponse(deepFreeze(response), context)));
        expect(assembled(streamed(chunksOf(response), context))).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps an answer that went through it twice as it was the first time", () => {
    fc.assert(
      fc.property(arbitraryChatResponse, arbitraryContext, (response, context) => {
        const wire = JSON.parse(JSON.stringify(encodeResponse(response, context)));
        expect(JSON.parse(JSON.stringify(encodeResponse(decodeResponse(wire), context)))).toEqual(wire);
      }),
    );
  });
});
