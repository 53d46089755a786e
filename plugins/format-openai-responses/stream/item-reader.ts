import {
  type Extra,
  type Fields,
  inputBegin,
  inputEnd,
  inputPiece,
  leftovers,
  proofChunks,
  recordsIn,
  type StreamChunk,
} from "../../../core/index.ts";
import { formatName, ownExtra } from "../extra.ts";
import { calledIn, nameIn } from "../namespaces.ts";
import { redactedPrefix } from "../request/decode-input.ts";
import { partsOf } from "../response/built-in-items.ts";

const choice = 0;
const none: Readonly<Fields> = {};

/** A text of an item, as far as it came. */
interface Text {
  readonly part: number;
  text: string;
  annotations: number;
  measured: boolean;
}

/** An output item, begun and perhaps not finished. */
interface Item {
  readonly type: string;
  readonly part: number | undefined;
  /** What the item has besides its content, until its first part has taken it along. */
  note: Readonly<Fields> | undefined;
  readonly texts: Map<string, Text>;
  done: boolean;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const calls: ReadonlySet<string> = new Set(["function_call", "custom_tool_call"]);

/** Fields of an item that are its content, or change while it is written. */
const content: ReadonlySet<string> = new Set([
  "type",
  "status",
  "role",
  "content",
  "summary",
  "encrypted_content",
  "call_id",
  "name",
  "arguments",
  "input",
]);

/** Reasoning has a status with some vendors only: that it has one is remembered, not which. */
function noteOf(item: Readonly<Fields>): Fields {
  const note = leftovers(item, content) ?? {};
  if (item.type === "reasoning" && typeof item.status === "string") note.status = "completed";
  return note;
}

/** What kinds of texts are called in the chunks. */
export type TextKind = "output_text" | "refusal" | "summary_text" | "reasoning_text";

/**
 * Reads output items as chunks: piece by piece, and what is still missing when the whole item is there. Vendors that
 * leave events out, down to those that send whole items only, are read alike.
 */
export class ItemReader {
  readonly #items = new Map<number, Item>();
  #parts = 0;
  /** Whether the model has called a function. */
  called = false;

  get any(): boolean {
    return this.#items.size > 0;
  }

  /** An item begins. */
  begin(index: number, wire: Readonly<Fields>, chunks: StreamChunk[]): Item {
    const known = this.#items.get(index);
    if (known) return known;
    const type = textOf(wire.type);
    const custom = type === "custom_tool_call";
    const called = type === "function_call" || custom;
    const texts = type === "message" || type === "reasoning";
    const item: Item = {
      type,
      part: texts ? undefined : this.#parts++,
      note: called ? { ...noteOf(wire), ...calledIn(wire) } : noteOf(wire),
      texts: new Map(),
      done: false,
    };
    this.#items.set(index, item);
    if (!called || item.part === undefined) return item;
    this.called = true;
    const id = textOf(wire.call_id) || textOf(wire.id) || `call_${index}`;
    chunks.push({
      type: "tool-call-start",
      choice,
      part: item.part,
      id,
      name: nameIn(wire.namespace, textOf(wire.name)),
      ...(custom && { custom }),
      ...this.#extra(item),
    });
    if (custom) chunks.push({ type: "tool-call-delta", choice, part: item.part, arguments: inputBegin });
    this.arguments(index, textOf(custom ? wire.input : wire.arguments), chunks);
    return item;
  }

  /** More of a text. `at` is its place in the item. */
  text(index: number, kind: TextKind, at: number, delta: string, chunks: StreamChunk[], tokens?: unknown): void {
    const measured = kind === "output_text" && Array.isArray(tokens) && tokens.length > 0;
    if (delta === "" && !measured) return;
    const item = this.begin(index, itemOf(kind), chunks);
    const { text, extra } = this.#open(item, kind, at);
    text.text += delta;
    if (measured) text.measured = true;
    const { part } = text;
    switch (kind) {
      case "output_text": {
        const logprobs = measured ? { logprobs: { content: tokens, refusal: null } } : none;
        chunks.push({ type: "text-delta", choice, part, text: delta, ...logprobs, ...extra });
        return;
      }
      case "refusal":
        chunks.push({ type: "refusal-delta", choice, part, text: delta, ...extra });
        return;
      default:
        chunks.push({ type: "thinking-delta", choice, part, text: delta, ...extra });
    }
  }

  annotation(index: number, at: number, annotation: unknown, chunks: StreamChunk[]): void {
    const { text, extra } = this.#open(this.begin(index, itemOf("output_text"), chunks), "output_text", at);
    text.annotations++;
    // What it says is in the words of this format: the part is marked as read from it.
    const marked = extra ?? ownExtra();
    chunks.push({ type: "text-delta", choice, part: text.part, text: "", citations: [annotation], ...marked });
  }

  /** More of the arguments of a call, or of the free text it has instead. */
  arguments(index: number, delta: string, chunks: StreamChunk[]): void {
    const item = this.#items.get(index);
    if (delta === "" || !item || !calls.has(item.type) || item.part === undefined) return;
    const text = textIn(item, "arguments", item.part);
    text.text += delta;
    const piece = item.type === "function_call" ? delta : inputPiece(delta);
    chunks.push({ type: "tool-call-delta", choice, part: item.part, arguments: piece });
  }

  /** A text is there as a whole. */
  finishText(index: number, kind: TextKind, at: number, whole: string, chunks: StreamChunk[], tokens?: unknown): void {
    const known = this.#items.get(index)?.texts.get(kind + at);
    this.text(index, kind, at, missing(whole, known?.text), chunks, known?.measured ? undefined : tokens);
  }

  finishArguments(index: number, whole: string, chunks: StreamChunk[]): void {
    this.arguments(index, missing(whole, this.#items.get(index)?.texts.get("arguments")?.text), chunks);
  }

  /** An item is there as a whole. */
  finish(index: number, wire: Readonly<Fields>, chunks: StreamChunk[]): void {
    const item = this.begin(index, wire, chunks);
    if (item.done) return;
    item.done = true;
    switch (item.type) {
      case "message":
        for (const [at, part] of recordsIn(wire.content).entries()) this.#finishPart(index, at, part, chunks);
        return;
      case "function_call":
        return this.finishArguments(index, textOf(wire.arguments), chunks);
      case "custom_tool_call":
        this.finishArguments(index, textOf(wire.input), chunks);
        if (item.part !== undefined)
          chunks.push({ type: "tool-call-delta", choice, part: item.part, arguments: inputEnd });
        return;
      case "reasoning":
        return this.#finishReasoning(index, item, wire, chunks);
      default:
        for (const [at, value] of partsOf(wire).entries()) {
          const part = at === 0 && item.part !== undefined ? item.part : this.#parts++;
          chunks.push({ type: "part", choice, part, value });
        }
    }
  }

  #finishPart(index: number, at: number, part: Readonly<Fields>, chunks: StreamChunk[]): void {
    switch (part.type) {
      case "output_text":
      case "text": {
        this.finishText(index, "output_text", at, textOf(part.text), chunks, part.logprobs);
        const annotations: readonly unknown[] = Array.isArray(part.annotations) ? part.annotations : [];
        const known = this.#items.get(index)?.texts.get(`output_text${at}`)?.annotations ?? 0;
        for (const annotation of annotations.slice(known)) this.annotation(index, at, annotation, chunks);
        return;
      }
      case "refusal":
        return this.finishText(index, "refusal", at, textOf(part.refusal), chunks);
      default:
        this.#whole(this.#parts++, part, chunks);
    }
  }

  /** The proof of origin follows the last text of the item. Where there is nothing to read, it stands alone. */
  #finishReasoning(index: number, item: Item, wire: Readonly<Fields>, chunks: StreamChunk[]): void {
    const proof = textOf(wire.encrypted_content);
    for (const [at, one] of recordsIn(wire.summary).entries())
      this.finishText(index, "summary_text", at, textOf(one.text), chunks);
    for (const [at, one] of recordsIn(wire.content).entries())
      this.finishText(index, "reasoning_text", at, textOf(one.text), chunks);
    const last = [...item.texts.values()].at(-1);
    if (proof === "") {
      // The vendor keeps what was thought. Its name alone is to be had, without which it refuses what follows in a history.
      if (!last && wire.id !== undefined) this.#whole(this.#parts++, wire, chunks);
      return;
    }
    if (!last && proof.startsWith(redactedPrefix)) {
      const value = {
        type: "redacted-thinking",
        data: proof.slice(redactedPrefix.length),
        ...this.#extra(item),
      } as const;
      chunks.push({ type: "part", choice, part: this.#parts++, value });
      return;
    }
    const part = last?.part ?? this.#parts++;
    if (!last) chunks.push({ type: "thinking-delta", choice, part, text: "", ...this.#extra(item) });
    chunks.push(...proofChunks(choice, part, proof, formatName));
  }

  #whole(part: number, value: Readonly<Fields>, chunks: StreamChunk[]): void {
    chunks.push({ type: "part", choice, part, value: { type: "opaque", format: formatName, value } });
  }

  /** The text at a place; with its extra, when it is new. */
  #open(item: Item, kind: TextKind, at: number): { text: Text; extra?: { extra: Extra } | undefined } {
    const known = item.texts.get(kind + at);
    if (known) return { text: known };
    const text = textIn(item, kind + at, this.#parts++);
    const spelling = kind === "reasoning_text" ? kind : undefined;
    return item.note || item.type === "reasoning" ? { text, extra: this.#extra(item, spelling) } : { text };
  }

  /** The first part of an item takes along what the item has besides. */
  #extra(item: Item, spelling?: string): { extra: Extra } {
    const extra = ownExtra({}, { item: item.note, spelling });
    item.note = undefined;
    return extra;
  }
}

function textIn(item: Item, key: string, part: number): Text {
  const known = item.texts.get(key);
  if (known) return known;
  const text: Text = { part, text: "", annotations: 0, measured: false };
  item.texts.set(key, text);
  return text;
}

/** The item a text without one belongs to. */
const itemOf = (kind: TextKind): Fields => ({
  type: kind === "output_text" || kind === "refusal" ? "message" : "reasoning",
});

/** What the pieces left out of the whole. */
const missing = (whole: string, pieces = ""): string => (whole.startsWith(pieces) ? whole.slice(pieces.length) : "");
