import {
  type AssistantPart,
  callProof,
  type EncodeContext,
  type Extra,
  type Fields,
  type FinishReason,
  InputReader,
  isCustomCall,
  isJsonText,
  isRecord,
  type Signed,
  type StreamChunk,
  type TextDelta,
  type ThinkingDelta,
  type ToolCallStart,
  webCitationsIn,
  writeSignature,
} from "../../../core/index.ts";
import { ownCall } from "../client-tools.ts";
import { formatName, isOwn, readExtra } from "../extra.ts";
import { type Called, calledAs } from "../namespaces.ts";
import { stemOf } from "./head.ts";
import type { Open, OpenCall } from "./open-item.ts";
import { OutputItems } from "./output-items.ts";
import { isResult, Runs } from "./ran-code.ts";
import { incompleteReason } from "./status.ts";
import { type EventSink, TextWriter, tokensIn } from "./text-writer.ts";
import { imageItem, redactedItem } from "./whole-items.ts";

/** A chunk that belongs to a part. */
export type ContentChunk = Extract<StreamChunk, { part: number }>;

/** What is told of the answer and the request beside the parts. */
type Context = Pick<EncodeContext, "id" | "customTools" | "asked">;

/**
 * Writes the parts of an answer as output items: texts that follow each other are one message, everything else is an
 * item of its own. A text is closed when something else begins; calls stay open until their arguments are complete,
 * for those of several calls may interleave. Whole answers and streams are written by the same steps: a stream tells
 * them as events.
 */
export class OutputWriter {
  readonly #items: OutputItems;
  readonly #sink: EventSink | undefined;
  #message: Open | undefined;
  #reasoning: Open | undefined;
  readonly #runs = new Runs();
  /** The text part last read from this format. */
  #ownPart: number | undefined;
  /** The texts of parts: what they are cited from may be told when others have begun. */
  readonly #said = new Map<number, TextWriter>();
  readonly #calls = new Map<number, OpenCall>();
  readonly #context: Context;
  #called: ReadonlyMap<string, Called> | undefined;

  /** The id of the answer is its items' as well. Without a sink nobody listens: the output is wanted, not its events. */
  constructor(context: Context, id: string | undefined, sink?: EventSink) {
    this.#context = context;
    this.#items = new OutputItems(stemOf(id, context), sink);
    this.#sink = sink;
  }

  get output(): readonly Fields[] {
    return this.#items.all;
  }

  add(chunk: ContentChunk): void {
    if (this.#runs.waiting && !isResult(chunk)) this.#whole(this.#runs.flush(this.#items.idOf("ci")));
    switch (chunk.type) {
      case "text-delta":
        return this.#text(chunk);
      case "tool-call-delta":
        return this.#arguments(chunk.part, chunk.arguments);
      case "thinking-delta":
        return this.#thinking(chunk);
      case "thinking-signature":
        return this.#prove(chunk.part, chunk);
      case "refusal-delta":
        return this.#content("refusal", chunk.part, chunk.extra).append(chunk.text);
      case "tool-call-start":
        return this.#call(chunk);
      case "part":
        return this.#part(chunk.part, chunk.value);
    }
  }

  /** Closes what is open. Of an answer that is not whole the last item is not either. */
  close(reason: FinishReason): void {
    this.#whole(this.#runs.flush(this.#items.idOf("ci")));
    const last = this.output.at(-1);
    const incomplete = incompleteReason(reason) !== undefined;
    for (const open of [this.#message, this.#reasoning])
      if (open) this.#items.done(open, incomplete && open.item === last ? "incomplete" : "completed");
    for (const { open, text, input } of this.#calls.values()) {
      const cut = incomplete && (open.late === true || open.item === last);
      // A call without arguments has an empty object of them: clients read what is there as JSON.
      if (input) text.append(input.end());
      else if (!cut && text.text.trim() === "") text.append("{}");
      text.finish();
      this.#items.done(open, cut ? "incomplete" : "completed");
    }
  }

  /** Of an answer that breaks off there is what was said so far. What waits is told; what is open stays open. */
  breakOff(): void {
    this.#whole(this.#runs.flush(this.#items.idOf("ci")));
    for (const open of [this.#message, this.#reasoning]) if (open) this.#items.breakOff(open);
    for (const { open, text, input } of this.#calls.values()) {
      if (input) text.append(input.end());
      text.breakOff();
      this.#items.breakOff(open);
    }
  }

  #text({ part, text, logprobs, citations, extra }: TextDelta): void {
    // Only the first piece of a part says whose citations those of the part are.
    if (isOwn(extra)) this.#ownPart = part;
    const own = this.#ownPart === part ? (citations ?? []) : this.#pages(part, text, citations);
    const measured = tokensIn(logprobs);
    if (text === "" && own.length === 0 && (measured.length === 0 || !this.#message?.text)) return;
    const earlier = text === "" && own.length > 0 ? this.#said.get(part) : undefined;
    const writer = earlier ?? this.#content("output_text", part, extra);
    if (text !== "" || measured.length > 0) writer.append(text, measured);
    for (const annotation of own) writer.annotate(annotation);
  }

  #pages(part: number, text: string, citations: readonly unknown[] = []): readonly unknown[] {
    return citations.length === 0
      ? citations
      : webCitationsIn(citations, (this.#said.get(part)?.text.length ?? 0) + text.length);
  }

  /** The text of a message that belongs to a part, begun where it is not. */
  #content(kind: "output_text" | "refusal", part: number, extra: Extra | undefined): TextWriter {
    const known = this.#message;
    if (known?.text?.kind === kind && known.part === part) return known.text;
    const { item, fields } = readExtra(extra);
    if (known && item) this.#closeMessage();
    const open = this.#message ?? this.#openMessage(item);
    open.text?.finish();
    open.part = part;
    open.text = new TextWriter(this.#sink, kind, open, fields);
    this.#said.set(part, open.text);
    return open.text;
  }

  #openMessage(note: Readonly<Fields> | undefined): Open {
    this.#closeReasoning();
    this.#closeCompleteCalls();
    const item = {
      type: "message",
      id: this.#items.idOf("msg"),
      status: "in_progress",
      role: "assistant",
      ...note,
      content: [],
    };
    this.#message = this.#items.begin(item);
    return this.#message;
  }

  #thinking({ part, text, extra }: ThinkingDelta): void {
    const open = this.#thought(part, extra);
    const kind = readExtra(extra).spelling === "reasoning_text" ? "reasoning_text" : "summary_text";
    if (open.part !== part) open.text = open.text?.finish();
    open.part = part;
    if (text === "") return;
    open.text ??= new TextWriter(this.#sink, kind, open);
    open.text.append(text);
  }

  #prove(part: number, proof: Signed): void {
    const { item } = this.#thought(part, undefined);
    item.encrypted_content = `${item.encrypted_content ?? ""}${writeSignature(proof, formatName)}`;
  }

  /** The proof of a call goes with the reasoning that is open, where that has none, or with reasoning that says nothing. */
  #proveCall(part: number, proof: Signed | undefined): void {
    if (!proof) return;
    const open = this.#reasoning;
    this.#prove(open && open.item.encrypted_content === undefined ? open.part : part, proof);
  }

  /** The reasoning item of a part. One from this format whose item has begun already goes into that item. */
  #thought(part: number, extra: Extra | undefined): Open {
    const known = this.#reasoning;
    const { item: note } = readExtra(extra);
    if (known && (known.part === part || (isOwn(extra) && !note))) return known;
    this.#closeMessage();
    this.#closeReasoning();
    this.#closeCompleteCalls();
    // Some of the vendor's own have no status.
    const status = note && !("status" in note) ? {} : { status: "in_progress" };
    const item = { type: "reasoning", id: this.#items.idOf("rs"), ...note, summary: [], ...status };
    this.#reasoning = this.#items.begin(item, part);
    this.#reasoning.made = !isOwn(extra);
    return this.#reasoning;
  }

  #arguments(part: number, piece: string): void {
    const call = this.#calls.get(part);
    if (call) call.text.append(call.input ? call.input.push(piece) : piece);
  }

  #call(call: Pick<ToolCallStart, "part" | "id" | "name" | "custom" | "extra">): void {
    const { part, id, name, extra } = call;
    this.#proveCall(part, callProof(extra));
    this.#closeMessage();
    this.#closeReasoning();
    this.#closeCompleteCalls();
    // Who does not know of tools that have items of their own calls the client's as functions.
    const own = ownCall(name, this.#context.asked);
    if (own) {
      const item = own.item(this.#items.idOf(own.prefix), id);
      const open = own.late ? this.#items.beginLate(item, part) : this.#items.begin(item, part);
      this.#calls.set(part, { open, text: new TextWriter(undefined, "function_call", open) });
      return;
    }
    const { item: note } = readExtra(extra);
    const called = this.#calledAs(name);
    const free = isCustomCall(call, this.#context) || called?.free === true;
    const type = free ? "custom_tool_call" : "function_call";
    const item = {
      type,
      id: this.#items.idOf(free ? "ctc" : "fc"),
      call_id: id,
      name,
      [free ? "input" : "arguments"]: "",
      status: "in_progress",
    };
    const open = this.#items.begin(Object.assign(item, note, called?.group), part);
    const text = new TextWriter(this.#sink, type, open);
    this.#calls.set(part, { open, text, input: free ? new InputReader() : undefined });
  }

  /** Who knows functions only calls all tools as such, and those of groups by one name. */
  #calledAs(name: string): Called | undefined {
    this.#called ??= calledAs(this.#context.asked);
    return this.#called.get(name);
  }

  #part(part: number, value: AssistantPart): void {
    switch (value.type) {
      case "text":
        return this.#text(Object.assign({ choice: 0, part }, value, { type: "text-delta" } as const));
      case "refusal":
        return this.#content("refusal", part, value.extra).append(value.text);
      case "thinking":
        this.#thinking({ ...value, type: "thinking-delta", choice: 0, part });
        if (value.signature === undefined) return;
        return this.#prove(part, { signature: value.signature, ...(value.signer && { signer: value.signer }) });
      case "tool-call":
        this.#call({ ...value, part });
        return this.#arguments(part, value.arguments);
      case "redacted-thinking":
        return this.#whole(redactedItem(value, this.#items.idOf("rs")));
      case "image":
        return this.#whole(imageItem(value, this.#items.idOf("ig")));
      case "opaque":
        if (value.format !== formatName)
          return value.ran && this.#whole(this.#runs.add(value.ran, this.#items.idOf("ci")));
        if (isRecord(value.value)) this.#whole(value.value);
    }
  }

  /** An item that comes in one piece. */
  #whole(item: Readonly<Fields> | undefined): void {
    if (!item) return;
    this.#closeMessage();
    this.#closeReasoning();
    this.#closeCompleteCalls();
    this.#items.whole(item);
  }

  #closeMessage(): void {
    if (this.#message) this.#items.done(this.#message, "completed");
    this.#message = undefined;
  }

  #closeReasoning(): void {
    if (this.#reasoning) this.#items.done(this.#reasoning, "completed");
    this.#reasoning = undefined;
  }

  #closeCompleteCalls(): void {
    for (const [part, { open, text, input }] of this.#calls) {
      if (input ? !input.complete : !isJsonText(text.text)) continue;
      text.finish();
      this.#items.done(open, "completed");
      this.#calls.delete(part);
    }
  }
}
