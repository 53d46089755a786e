import { type Fields, isRecord, jsonOr, leftovers, proofChunks, type StreamChunk } from "../../../core/index.ts";
import { isServed } from "../blocks/decode-block.ts";
import { decodeMedia } from "../blocks/media.ts";
import { extraOf, formatName, signer } from "../fields.ts";

/** A block of which something has come. */
interface OpenBlock {
  part?: number;
  /** Citations of a text, which are about it as a whole: they are told when it is. */
  citations?: unknown[];
  /** A call of which no arguments have come. */
  bare?: boolean;
  /** Data of redacted thinking, which comes whole for other formats. */
  redacted?: string;
  /** A block that only this format knows, or an image: how it began, and its pieces. */
  held?: { readonly start: Fields; readonly deltas: Fields[] };
}

const toolUseFields = new Set(["toolUseId", "name"]);
const choice = 0;

/** Turns the blocks of one stream into chunks: parts are counted in the order they begin to say something. */
export class BlockReader {
  readonly #open = new Map<number, OpenBlock>();
  #parts = 0;

  start(index: number, start: Readonly<Fields>, chunks: StreamChunk[]): void {
    const block: OpenBlock = {};
    this.#open.set(index, block);
    const { toolUse } = start;
    if (!isRecord(toolUse) || isServed(toolUse)) {
      if (Object.keys(start).length > 0) block.held = { start, deltas: [] };
      return;
    }
    const { toolUseId: id, name } = toolUse;
    block.bare = true;
    chunks.push({
      type: "tool-call-start",
      choice,
      part: this.#partOf(block),
      id: typeof id === "string" ? id : "",
      name: typeof name === "string" ? name : "",
      ...extraOf(leftovers(toolUse, toolUseFields)),
    });
  }

  delta(index: number, delta: Readonly<Fields>, chunks: StreamChunk[]): void {
    const block = this.#open.get(index) ?? {};
    this.#open.set(index, block);
    if (block.held) {
      block.held.deltas.push(delta);
      return;
    }
    const { text, toolUse, reasoningContent: thought, citation } = delta;
    if (typeof text === "string" && text !== "")
      chunks.push({ type: "text-delta", choice, part: this.#partOf(block), text });
    else if (isRecord(toolUse)) this.#arguments(block, toolUse.input, chunks);
    else if (isRecord(thought)) this.#thought(block, thought, chunks);
    else if (citation !== undefined) {
      block.citations ??= [];
      block.citations.push(citation);
    }
  }

  stop(index: number, chunks: StreamChunk[]): void {
    const block = this.#open.get(index);
    this.#open.delete(index);
    if (!block) return;
    const { citations } = block;
    if (citations) {
      const extra = { format: formatName, fields: {} };
      chunks.push({ type: "text-delta", choice, part: this.#partOf(block), text: "", citations, extra });
    }
    // A whole answer has an empty object there.
    if (block.bare) this.#arguments(block, "{}", chunks);
    if (block.redacted !== undefined)
      chunks.push({
        type: "part",
        choice,
        part: this.#partOf(block),
        value: { type: "redacted-thinking", data: block.redacted },
      });
    if (block.held) this.#held(block, block.held, chunks);
  }

  /** What was never said to have ended. */
  end(chunks: StreamChunk[]): void {
    for (const index of [...this.#open.keys()]) this.stop(index, chunks);
  }

  #arguments(block: OpenBlock, input: unknown, chunks: StreamChunk[]): void {
    if (typeof input !== "string" || input === "") return;
    block.bare = false;
    chunks.push({ type: "tool-call-delta", choice, part: this.#partOf(block), arguments: input });
  }

  #thought(block: OpenBlock, { text, signature, redactedContent }: Readonly<Fields>, chunks: StreamChunk[]): void {
    if (typeof redactedContent === "string") {
      this.#partOf(block);
      block.redacted = joinBase64(block.redacted, redactedContent);
      return;
    }
    if (typeof text === "string" && text !== "")
      chunks.push({ type: "thinking-delta", choice, part: this.#partOf(block), text });
    if (typeof signature === "string") chunks.push(...proofChunks(choice, this.#partOf(block), signature, signer));
  }

  #held(block: OpenBlock, { start, deltas }: NonNullable<OpenBlock["held"]>, chunks: StreamChunk[]): void {
    const whole = wholeBlock(start, deltas);
    const media = decodeMedia(whole);
    const value =
      media && media.type !== "document" ? media : ({ type: "opaque", format: formatName, value: whole } as const);
    chunks.push({ type: "part", choice, part: this.#partOf(block), value });
  }

  #partOf(block: OpenBlock): number {
    block.part ??= this.#parts++;
    return block.part;
  }
}

/** Pieces of base64 are pieces of what they stand for. */
function joinBase64(before: string | undefined, next: string): string {
  if (before === undefined) return next;
  return Buffer.concat([Buffer.from(before, "base64"), Buffer.from(next, "base64")]).toString("base64");
}

/** A block as a whole answer has it: lists of the pieces are its content, objects are joined, and so is the text of an input. */
function wholeBlock(start: Readonly<Fields>, deltas: readonly Fields[]): Fields {
  const [kind = ""] = Object.keys(start);
  let whole: Fields = isRecord(start[kind]) ? { ...start[kind] } : {};
  let input = "";
  for (const { [kind]: piece } of deltas) {
    if (isRecord(piece) && typeof piece.input === "string") input += piece.input;
    else if (Array.isArray(piece)) whole.content = [...((whole.content as unknown[]) ?? []), ...piece];
    else if (isRecord(piece)) whole = { ...whole, ...piece };
  }
  if (kind === "toolUse") whole.input = jsonOr(input || "{}", input);
  return { [kind]: whole };
}
