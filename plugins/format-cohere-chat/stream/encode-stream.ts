import {
  type AssistantPart,
  type EncodeContext,
  type ErrorDetail,
  type Fields,
  type FinishChunk,
  jsonArguments,
  ownFields,
  PartsInTurn,
  RanText,
  type StartChunk,
  type StreamChunk,
  type StreamEncoder,
  type TextDelta,
  type ThinkingDelta,
  type ToolCallStart,
  type Usage,
  usageSoFar,
  webCitationsIn,
  writeJson,
} from "../../../core/index.ts";
import { citationList, ownCitations, shownCitations } from "../citations.ts";
import { errorEvent } from "../errors.ts";
import { formatName, writtenIn } from "../fields.ts";
import { encodeOpaque, startedCall } from "../response/encode-response.ts";
import { encodeFinishReason } from "../response/finish-reason.ts";
import { encodeLogprobs } from "../response/logprobs.ts";
import { encodeUsage } from "../response/usage.ts";

export const encodeStream = (context: EncodeContext): StreamEncoder => new MessageEncoder(context);

/** A chunk that belongs to a part. */
type ContentChunk = Extract<StreamChunk, { part: number }>;

/** The part being written: there is one at most. */
interface OpenPart {
  readonly kind: "text" | "thinking" | "call";
  readonly part: number;
  /** Its number among those of its kind, which is what events name it by. */
  readonly index: number;
  /** A delta event of it, up to the text. */
  readonly prefix: string;
  /** The arguments so far, of a call. */
  json: string;
}

const deltaEnd = "}}}}\n\n";

class MessageEncoder implements StreamEncoder {
  readonly #context: EncodeContext;
  #head: Omit<StartChunk, "type"> = {};
  #usage: Usage | undefined;
  #finish: FinishChunk | undefined;
  #begun = false;
  #over = false;
  #open: OpenPart | undefined;
  #plan: number | undefined;
  #items = 0;
  #calls = 0;
  #citations = 0;
  /** Code that was run, which is told as text where nothing else was said. */
  readonly #ran = new RanText();
  /** Texts by their parts, and the items of the content they are: citations are of these. Those not told yet are of the web. */
  readonly #texts = new Map<number, { readonly item: number; text: string; cited: unknown[] }>();
  /** Clients read one part after the other. */
  readonly #parts = new PartsInTurn((chunk) => this.#write(chunk));

  constructor(context: EncodeContext) {
    this.#context = context;
  }

  push(chunk: StreamChunk): string {
    if (this.#over) return "";
    switch (chunk.type) {
      case "start":
        this.#head = chunk;
        return this.#begin();
      case "moderation":
        return "";
      case "usage":
        this.#usage = usageSoFar(this.#usage, chunk.usage);
        return "";
      case "finish":
        if (chunk.choice === 0) this.#finish = chunk;
        return "";
      case "error":
        return this.fail(chunk.error);
      default:
        return chunk.choice === 0 ? this.#begin() + this.#parts.push(chunk) : "";
    }
  }

  end(): string {
    if (this.#over) return "";
    let text = this.#begin() + this.#parts.end() + this.#close();
    const ran = this.#ran.text;
    if (ran !== "" && this.#texts.size === 0 && this.#calls === 0) text += this.#said("text", -1, ran) + this.#close();
    this.#over = true;
    const { reason = "other", rawReason, stopSequence, extra } = this.#finish ?? {};
    const { citations, usage: billed } = ownFields(formatName, extra);
    text += this.#allCited();
    for (const citation of citationList(citations)) text += this.#citation(citation);
    const finishReason = encodeFinishReason({
      finishReason: reason,
      ...(rawReason !== undefined && { rawFinishReason: rawReason }),
      ...(stopSequence !== undefined && { stopSequence }),
    });
    const usage = encodeUsage(this.#usage, billed);
    return text + event({ type: "message-end", delta: { finish_reason: finishReason, usage } });
  }

  fail(error: ErrorDetail): string {
    if (this.#over) return "";
    this.#over = true;
    return this.#parts.breakOff(() => this.#leave()) + this.#allCited() + errorEvent(error);
  }

  /** A part that never became whole has no end. */
  #leave(): void {
    this.#open = undefined;
  }

  #begin(): string {
    if (this.#begun) return "";
    this.#begun = true;
    const message = { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] };
    return event({
      id: this.#head.id ?? this.#context.id,
      type: "message-start",
      delta: { message },
      ...ownFields(formatName, this.#head.extra),
    });
  }

  #write(chunk: ContentChunk): string {
    switch (chunk.type) {
      case "text-delta":
        return this.#text(chunk);
      case "refusal-delta":
        return this.#said("text", chunk.part, chunk.text);
      case "thinking-delta":
        return this.#thinking(chunk);
      case "tool-call-start":
        return this.#call(chunk);
      case "tool-call-delta":
        return this.#arguments(chunk.part, chunk.arguments);
      case "part":
        return this.#part(chunk.part, chunk.value);
      case "thinking-signature":
        return "";
    }
  }

  #text({ part, text, logprobs, citations }: Omit<TextDelta, "type" | "choice">): string {
    const measured = logprobs === undefined ? [] : encodeLogprobs(logprobs);
    let out = measured.length === 0 ? this.#said("text", part, text) : "";
    for (const [at, one] of measured.entries()) out += this.#measured(part, at === 0 ? text : "", one);
    const said = this.#texts.get(part);
    if (said) said.text += text;
    if (!citations) return out;
    const own = ownCitations({ citations });
    if (own.length === 0 && webCitationsIn(citations, 0).length === 0) return out;
    if (!said) out += this.#ensure("text", part);
    if (own.length === 0) this.#texts.get(part)?.cited.push(...citations);
    for (const citation of own) out += this.#citation(citation);
    return out;
  }

  /** What of a text is cited from the web: told once it is complete, and all that is of one span. */
  #cited(part: number): string {
    const said = this.#texts.get(part);
    if (!said || said.cited.length === 0) return "";
    const shown = shownCitations({ citations: said.cited }, said.text, said.item);
    said.cited = [];
    return shown.map((citation) => this.#citation(citation)).join("");
  }

  #allCited(): string {
    let text = "";
    for (const part of this.#texts.keys()) text += this.#cited(part);
    return text;
  }

  #said(kind: "text" | "thinking", part: number, text: string): string {
    if (text === "") return "";
    const start = this.#ensure(kind, part);
    return start + this.#open?.prefix + JSON.stringify(text) + deltaEnd;
  }

  #measured(part: number, text: string, logprobs: Fields): string {
    const start = this.#ensure("text", part);
    const delta = { message: { content: { text } } };
    return start + event({ type: "content-delta", index: this.#open?.index, delta, logprobs });
  }

  /** Only the first piece of a plan says that it is one. */
  #thinking({ part, text, extra }: Pick<ThinkingDelta, "part" | "text" | "extra">): string {
    if (writtenIn(extra).tool_plan === true) this.#plan = part;
    if (this.#plan !== part) return this.#said("thinking", part, text);
    return this.#close() + event({ type: "tool-plan-delta", delta: { message: { tool_plan: text } } });
  }

  #citation(citation: unknown): string {
    const index = this.#citations++;
    const start = event({ type: "citation-start", index, delta: { message: { citations: citation } } });
    return start + event({ type: "citation-end", index });
  }

  #call({ part, id, name, extra }: Pick<ToolCallStart, "part" | "id" | "name" | "extra">): string {
    if (this.#open?.kind === "call" && this.#open.part === part) return "";
    const closing = this.#close();
    const index = this.#calls++;
    const prefix = `event: tool-call-delta\ndata: {"type":"tool-call-delta","index":${index},"delta":{"message":{"tool_calls":{"function":{"arguments":`;
    this.#open = { kind: "call", part, index, prefix, json: "" };
    const call = startedCall({ id, name, ...(extra && { extra }) });
    return closing + event({ type: "tool-call-start", index, delta: { message: { tool_calls: call } } });
  }

  /** Arguments of a call that is closed have nowhere to go; after complete JSON there is only white space. */
  #arguments(part: number, text: string): string {
    const open = this.#open;
    if (text === "" || open?.kind !== "call" || open.part !== part) return "";
    open.json += text;
    return `${open.prefix}${JSON.stringify(text)}}${deltaEnd}`;
  }

  #part(part: number, value: AssistantPart): string {
    switch (value.type) {
      case "text":
        return this.#text({ ...value, part });
      case "refusal":
        return this.#said("text", part, value.text);
      case "thinking":
        return this.#thinking({ ...value, part });
      case "tool-call":
        return this.#call({ ...value, part }) + this.#arguments(part, value.arguments);
      default: {
        const item = encodeOpaque(value);
        if (!item) {
          if (value.type === "opaque") this.#ran.add(value);
          return "";
        }
        const closing = this.#close();
        const index = this.#items++;
        const start = event({ type: "content-start", index, delta: { message: { content: item } } });
        return closing + start + event({ type: "content-end", index });
      }
    }
  }

  /** Sees to it that the open part is this one. */
  #ensure(kind: "text" | "thinking", part: number): string {
    if (this.#open?.part === part && this.#open.kind === kind) return "";
    const closing = this.#close() + this.#cited(part);
    const index = this.#items++;
    const prefix = `event: content-delta\ndata: {"type":"content-delta","index":${index},"delta":{"message":{"content":{"${kind}":`;
    this.#open = { kind, part, index, prefix, json: "" };
    if (kind === "text") this.#texts.set(part, { item: index, text: "", cited: [] });
    const content = { type: kind, [kind]: "" };
    return closing + event({ type: "content-start", index, delta: { message: { content } } });
  }

  #close(): string {
    const open = this.#open;
    if (!open) return "";
    // A call without arguments has an empty object of them: clients read what is there as JSON.
    const rest = open.kind === "call" && open.json.trim() === "" ? this.#arguments(open.part, jsonArguments("")) : "";
    const cited = open.kind === "text" ? this.#cited(open.part) : "";
    this.#open = undefined;
    return rest + cited + event({ type: open.kind === "call" ? "tool-call-end" : "content-end", index: open.index });
  }
}

const event = (data: Fields & { type: string }): string => `event: ${data.type}\ndata: ${writeJson(data)}\n\n`;
