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

/** A text of an item, as far as it came. */
interface Text {
  readonly part: number;
  text: string;
  annotations: number;
  measured: boolean;
}

/** A piece of a text, being made. */
interface Piece {
  readonly type: (typeof chunkTypes)[TextKind];
  readonly choice: number;
  readonly part: number;
  readonly text: string;
  logprobs?: unknown;
  extra?: Extra;
}

/** An output item, begun and perhaps not finished. */
interface Item {
  readonly type: string;
  readonly part: number | undefined;
  /** What the item has besides its content, until its first part has taken it along. */
  note: Readonly<Fields> | undefined;
  /** By `keyOf`. */
  readonly texts: Map<number, Text>;
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

const kinds = { output_text: 0, refusal: 1, summary_text: 2, reasoning_text: 3, arguments: 4 } as const;

/** The key of a text of an item: asked for with each piece, so a number. */
const keyOf = (kind: keyof typeof kinds, at = 0): number => at * 5 + kinds[kind];

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
    const key = keyOf(kind, at);
    const known = item.texts.get(key);
    const text = known ?? this.#opened(item, key);
    text.text += delta;
    if (measured) text.measured = true;
    const piece: Piece = { type: chunkTypes[kind], choice, part: text.part, text: delta };
    if (measured) piece.logprobs = { content: tokens, refusal: null };
    const extra = known ? undefined : this.#first(item, kind);
    if (extra) piece.extra = extra;
    chunks.push(piece);
  }

  annotation(index: number, at: number, annotation: unknown, chunks: StreamChunk[]): void {
    const item = this.begin(index, itemOf("output_text"), chunks);
    const key = keyOf("output_text", at);
    const known = item.texts.get(key);
    const text = known ?? this.#opened(item, key);
    text.annotations++;
    // What it says is in the words of this format: the part is marked as read from it.
    const extra = (known ? undefined : this.#first(item, "output_text")) ?? ownExtra().extra;
    chunks.push({ type: "text-delta", choice, part: text.part, text: "", citations: [annotation], extra });
  }

  /** More of the arguments of a call, or of the free text it has instead. */
  arguments(index: number, delta: string, chunks: StreamChunk[]): void {
    const item = this.#items.get(index);
    if (delta === "" || !item || !calls.has(item.type) || item.part === undefined) return;
    const key = keyOf("arguments");
    const text = item.texts.get(key) ?? textIn(item, key, item.part);
    text.text += delta;
    const piece = item.type === "function_call" ? delta : inputPiece(delta);
    chunks.push({ type: "tool-call-delta", choice, part: item.part, arguments: piece });
  }

  /** A text is there as a whole. */
  finishText(index: number, kind: TextKind, at: number, whole: string, chunks: StreamChunk[], tokens?: unknown): void {
    const known = this.#items.get(index)?.texts.get(keyOf(kind, at));
    this.text(index, kind, at, missing(whole, known?.text), chunks, known?.measured ? undefined : tokens);
  }

  finishArguments(index: number, whole: string, chunks: StreamChunk[]): void {
    this.arguments(index, missing(whole, this.#items.get(index)?.texts.get(keyOf("arguments"))?.text), chunks);
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
        const { annotations } = part;
        if (!Array.isArray(annotations) || annotations.length === 0) return;
        const known = this.#items.get(index)?.texts.get(keyOf("output_text", at))?.annotations ?? 0;
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

  #opened(item: Item, key: number): Text {
    return textIn(item, key, this.#parts++);
  }

  /** What the first piece of a text takes along. */
  #first(item: Item, kind: TextKind): Extra | undefined {
    if (!item.note && item.type !== "reasoning") return undefined;
    return this.#extra(item, kind === "reasoning_text" ? kind : undefined).extra;
  }

  /** The first part of an item takes along what the item has besides. */
  #extra(item: Item, spelling?: string): { extra: Extra } {
    const extra = ownExtra({}, { item: item.note, spelling });
    item.note = undefined;
    return extra;
  }
}

function textIn(item: Item, key: number, part: number): Text {
  const text: Text = { part, text: "", annotations: 0, measured: false };
  item.texts.set(key, text);
  return text;
}

const chunkTypes = {
  output_text: "text-delta",
  refusal: "refusal-delta",
  summary_text: "thinking-delta",
  reasoning_text: "thinking-delta",
} as const satisfies Record<TextKind, StreamChunk["type"]>;

const aMessage: Readonly<Fields> = { type: "message" };
const reasoning: Readonly<Fields> = { type: "reasoning" };

/** The item a text without one belongs to. */
const itemOf = (kind: TextKind): Readonly<Fields> =>
  kind === "output_text" || kind === "refusal" ? aMessage : reasoning;

/** What the pieces left out of the whole. */
const missing = (whole: string, pieces = ""): string => (whole.startsWith(pieces) ? whole.slice(pieces.length) : "");
