import {
  type AssistantPart,
  type EncodeContext,
  type ErrorDetail,
  type Fields,
  type FinishChunk,
  isEmpty,
  type Moderated,
  RanText,
  type StartChunk,
  type StreamChunk,
  type StreamEncoder,
  type TextDelta,
  type ThinkingDelta,
  type Usage,
  usageSoFar,
  usualErrorFrame,
  writeJson,
} from "../../../core/index.ts";
import { fieldsOf, formatName, spellingOf } from "../extra.ts";
import { annotationsOf, otherCitations } from "../response/annotations.ts";
import { membersBeside } from "../response/beside-choices.ts";
import { deltaFields, encodeBlock, foreign, without } from "../response/encode-response.ts";
import { encodeFinishReason, functionReason } from "../response/finish-reason.ts";
import { FoundPages } from "../response/found-pages.ts";
import { moderation as moderated } from "../response/moderation.ts";
import { proofIn } from "../response/proofs.ts";
import { encodeUsage } from "../response/usage.ts";
import { blockDelta } from "./block-writer.ts";
import { frameHead } from "./frame-head.ts";
import { type WrittenChoice, writtenChoice } from "./written-choice.ts";

export const terminator = "data: [DONE]\n\n";

/** role frame → delta frames → a finish frame per choice (usage on the last) → moderation? → usage frame when asked for → [DONE] */
export const encodeStream = (context: EncodeContext): StreamEncoder => new ChatStreamEncoder(context);

/**
 * Frames are put together from text: of a text delta, only the text itself is serialised. A finish frame waits for the
 * usage that may follow it, unless the client asked for usage in a frame of its own.
 */
class ChatStreamEncoder implements StreamEncoder {
  readonly #context: EncodeContext;
  readonly #choices = new Map<number, WrittenChoice>();
  readonly #after: string;
  readonly #afterDelta: string;
  #head = "";
  #firstFields = "";
  #moderation: Moderated | undefined;
  #usage: Usage | undefined;
  /** The choice of a finish frame that has not been sent yet. */
  #held: string | undefined;
  /** Role frames to be sent before the next frame. */
  #due = "";
  /** The pages that were found, which the last frame of a choice names; strict clients do not know them. */
  readonly #pages = new FoundPages();
  #failed = false;

  constructor(context: EncodeContext) {
    this.#context = context;
    this.#after = context.includeUsage ? `],"usage":null}\n\n` : "]}\n\n";
    this.#afterDelta = `,"finish_reason":null}${this.#after}`;
  }

  push(chunk: StreamChunk): string {
    switch (chunk.type) {
      case "text-delta":
        return this.#text(chunk);
      case "tool-call-delta": {
        const open = this.#choice(chunk.choice);
        return this.#delta(open, open.calls.more(chunk.part, chunk.arguments));
      }
      case "start":
        return this.#start(chunk);
      case "thinking-delta":
        return this.#thinking(chunk);
      case "thinking-signature":
        return this.#block(chunk.choice, chunk.part, proofIn(chunk));
      case "tool-call-start":
        return this.#toolCall(chunk.choice, chunk);
      case "refusal-delta":
        this.#choice(chunk.choice).said = true;
        return this.#delta(this.#choice(chunk.choice), `{"refusal":${JSON.stringify(chunk.text)}}`);
      case "part":
        return this.#part(chunk.choice, chunk.part, chunk.value);
      case "finish":
        return this.#finish(chunk);
      case "moderation":
        this.#moderation = Object.assign({}, this.#moderation, chunk.moderation);
        return "";
      case "usage":
        return this.#count(chunk.usage);
      case "error":
        return this.fail(chunk.error);
    }
  }

  end(): string {
    if (this.#failed) return "";
    if (this.#head === "") this.#begin({});
    let frames = "";
    for (const open of this.#choices.values()) frames += this.#rest(open);
    frames += this.#release(true);
    if (this.#moderation)
      frames += `${this.#head}],"moderation":${writeJson(moderated.encode(this.#moderation))}${this.#after.slice(1)}`;
    if (this.#context.includeUsage && this.#usage)
      frames += `${this.#head}],"usage":${writeJson(encodeUsage(this.#usage))}}\n\n`;
    return frames + terminator;
  }

  fail(error: ErrorDetail): string {
    if (this.#failed) return "";
    this.#failed = true;
    return usualErrorFrame(error);
  }

  #start(chunk: Partial<Omit<StartChunk, "type">>): string {
    this.#begin(chunk);
    this.#choice(0);
    return this.#take();
  }

  #begin(chunk: Partial<Omit<StartChunk, "type">>): void {
    const { head, first } = frameHead(chunk, this.#context);
    this.#head = head;
    this.#firstFields = first;
  }

  /** The choice, with its role frame due when it is new. */
  #choice(index: number): WrittenChoice {
    const known = this.#choices.get(index);
    if (known) return known;
    if (this.#head === "") this.#begin({});
    const open = writtenChoice(index, `${this.#head}{"index":${index},"delta":`, this.#context);
    this.#choices.set(index, open);
    const more = this.#firstFields;
    this.#firstFields = "";
    const after = more === "" ? this.#after : this.#after.replace("]", () => `]${more}`);
    this.#due += `${open.before}{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}${after}`;
    return open;
  }

  #delta(open: WrittenChoice, delta: string): string {
    return delta === "" ? "" : this.#take() + open.before + delta + this.#afterDelta;
  }

  /** What is left to say of the calls and fields of a choice. */
  #rest(open: WrittenChoice): string {
    let frames = this.#delta(open, open.fields.rest());
    for (const call of open.calls.rest()) frames += this.#delta(open, call);
    return frames;
  }

  #take(): string {
    const due = this.#due;
    this.#due = "";
    return due;
  }

  #text(chunk: TextDelta): string {
    const open = this.#choice(chunk.choice);
    const { text, logprobs, citations } = chunk;
    if (open.latest !== chunk.part) {
      open.latest = chunk.part;
      open.spans.begin(chunk.part, open.length);
    }
    open.length += text.length;
    if (text === "" && logprobs === undefined) return citations ? this.#citations(chunk) : this.#take();
    const mirrored = !this.#context.strict && text !== "" && open.blocks.takes(chunk.part, text);
    const earlier = mirrored ? this.#delta(open, open.blocks.earlier()) : "";
    const content = JSON.stringify(text);
    const delta = mirrored
      ? `{"content":${content},"content_blocks":[{"index":${chunk.part},"delta":{"text":${content}}}]}`
      : `{"content":${content}}`;
    const frame =
      logprobs === undefined
        ? this.#delta(open, delta)
        : this.#delta(open, `${delta},"logprobs":${writeJson(logprobs)}`);
    return citations ? earlier + frame + this.#citations(chunk) : earlier + frame;
  }

  #citations({ choice, part, citations = [] }: TextDelta): string {
    const open = this.#choice(choice);
    const { start, end } = open.spans.spanOf(part, open.length);
    const annotations = annotationsOf(citations, start, end - start);
    const blocks = otherCitations(citations)
      .map((citation) => this.#block(choice, part, { citation }))
      .join("");
    return annotations.length > 0 ? this.#delta(open, writeJson({ annotations })) + blocks : blocks;
  }

  #thinking(chunk: ThinkingDelta): string {
    const spelling = spellingOf(chunk.extra);
    if (spelling === undefined) return this.#block(chunk.choice, chunk.part, { thinking: chunk.text });
    const { inner } = fieldsOf(chunk.extra);
    if (spelling === "reasoning_content" && isEmpty(inner))
      return this.#delta(this.#choice(chunk.choice), `{"reasoning_content":${JSON.stringify(chunk.text)}}`);
    const delta = without({ [spelling]: chunk.text, ...inner }, this.#context.strict);
    if (Object.keys(delta).length === 0) return "";
    return this.#delta(this.#choice(chunk.choice), writeJson(delta));
  }

  /** A piece of a block; strict clients do not know blocks. */
  #block(choice: number, part: number, delta: Fields): string {
    if (this.#context.strict) return "";
    const open = this.#choice(choice);
    return this.#delta(open, open.blocks.earlier()) + this.#delta(open, blockDelta(part, delta));
  }

  #toolCall(choice: number, call: Parameters<WrittenChoice["calls"]["start"]>[0]): string {
    const open = this.#choice(choice);
    open.said = true;
    return this.#delta(open, open.calls.start(call));
  }

  #part(choice: number, part: number, value: AssistantPart): string {
    switch (value.type) {
      case "text":
        return this.#text({ ...value, type: "text-delta", choice, part });
      case "refusal":
        return this.push({ type: "refusal-delta", choice, part, text: value.text });
      case "thinking": {
        const shown = this.#thinking({ ...value, type: "thinking-delta", choice, part });
        return value.signature === undefined ? shown : shown + this.#block(choice, part, proofIn(value));
      }
      case "tool-call":
        return this.#toolCall(choice, { ...value, part }) + this.#arguments(choice, part, value);
      case "redacted-thinking":
        return this.#block(choice, part, { data: value.data });
      case "opaque":
        return this.#opaque(choice, part, value.format === formatName, value);
      default: {
        const open = this.#choice(choice);
        const field = open.fields.add(value);
        if (field !== undefined || !this.#context.strict) open.said = true;
        const shown = this.#delta(open, field ?? "");
        const block = encodeBlock(value);
        return block ? shown + this.#block(choice, part, block) : shown;
      }
    }
  }

  #arguments(choice: number, part: number, value: { readonly arguments: string }): string {
    return value.arguments === ""
      ? ""
      : this.push({ type: "tool-call-delta", choice, part, arguments: value.arguments });
  }

  #opaque(choice: number, part: number, own: boolean, opaque: AssistantPart & { type: "opaque" }): string {
    const fields = own ? without(deltaFields(opaque.value), this.#context.strict) : {};
    if (Object.keys(fields).length > 0) return this.#delta(this.#choice(choice), writeJson(fields));
    if (opaque.ran) {
      const open = this.#choice(choice);
      open.ran ??= { part, told: new RanText() };
      open.ran.told.add(opaque);
    }
    if (!this.#context.strict) this.#pages.add(opaque);
    const block = encodeBlock(opaque);
    return block ? this.#block(choice, part, block) : "";
  }

  #finish({ choice, reason, rawReason, extra }: FinishChunk): string {
    const open = this.#choice(choice);
    const { ran } = open;
    const isTold = ran && open.length === 0 && !open.said;
    const told = isTold ? this.#text({ type: "text-delta", choice, part: ran.part, text: ran.told.text }) : "";
    delete open.ran;
    const { strict } = this.#context;
    const isFunction = reason === "tool-calls" && open.calls.isOld;
    const word = isFunction ? functionReason : encodeFinishReason(reason, rawReason, strict);
    const { inner, outer } = fieldsOf(extra);
    const end = { finish_reason: word, ...without(outer, strict), ...foreign(extra, strict) };
    const frame = `${open.before}${writeJson(without(inner, strict))},${writeJson(end).slice(1)}]${membersBeside(extra, strict)}`;
    const due = told + this.#rest(open) + this.#take();
    if (this.#context.includeUsage) return `${due}${frame}${this.#pages.members}${this.#after.slice(1)}`;
    const earlier = this.#release(false);
    this.#held = frame;
    return due + earlier;
  }

  #count(usage: Usage): string {
    this.#usage = usageSoFar(this.#usage, usage);
    return this.#release(true);
  }

  /** Sends the finish frame that waits, if one does. */
  #release(withUsage: boolean): string {
    const held = this.#held;
    if (held === undefined) return "";
    this.#held = undefined;
    const usage = withUsage && this.#usage ? `,"usage":${writeJson(encodeUsage(this.#usage))}` : "";
    return `${held}${this.#pages.members}${usage}}\n\n`;
  }
}
