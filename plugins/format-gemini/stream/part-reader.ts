import {
  compact,
  type Draft,
  type Fields,
  isRecord,
  leftovers,
  proofChunks,
  type RanCode,
  type StreamChunk,
  type TextDelta,
  withMembers,
  writeJson,
} from "../../../core/index.ts";
import { madeId } from "../call-id.ts";
import { camelled, extraOf, formatName } from "../fields.ts";
import { decodeMedia } from "../media.ts";
import { proofIn, readable } from "../proof.ts";
import { citationsOf, type Piece } from "../response/read-grounding.ts";
import { isPartial, PartialCall, unreadable } from "./partial-call.ts";

const textFields = new Set(["text", "thought", "thoughtSignature"]);
const callFields = new Set(["functionCall", "thoughtSignature"]);
const functionCallFields = new Set(["id", "name", "args"]);

type Kind = "text" | "thinking";

/**
 * Turns the parts of one candidate into chunks. Neighbouring texts of one kind are one part, however many frames they
 * came in; a signature, or whatever else is said of a text, ends it.
 */
export class PartReader {
  readonly #choice: number;
  readonly #answerId: string;
  /** The text that may still go on. */
  #open: { readonly kind: Kind; readonly part: number } | undefined;
  #parts = 0;
  #lastText: number | undefined;
  #logprobs: unknown;
  /** What was said, by the number of the part it came in: what an answer is grounded on is told by it, at the end. */
  readonly #pieces = new Map<number, Piece>();
  #read = 0;
  #length = 0;
  #runs = 0;
  /** A call of which more is to come. */
  #partial: PartialCall | undefined;
  calls = 0;
  /** The answer ended inside a call. */
  cut = false;

  constructor(choice: number, answerId: string) {
    this.#choice = choice;
    this.#answerId = answerId;
  }

  /** Of an answer that has a name, an id for something in it that has none: it is the same every time. */
  #made(...place: readonly (string | number)[]): string {
    const answer = this.#answerId.replace(/[^A-Za-z0-9]/g, "");
    return madeId(...(answer === "" ? [] : [answer]), this.#choice, ...place);
  }

  /** Log probabilities stand beside the parts of a frame: they go with its first text. */
  measured(logprobs: unknown): void {
    if (logprobs !== undefined) this.#logprobs = logprobs;
  }

  read(wire: Readonly<Fields>, chunks: StreamChunk[]): void {
    this.#read++;
    if (typeof wire.text === "string") return this.#text(wire.text, wire, chunks);
    this.#open = undefined;
    const call = isRecord(wire.functionCall) ? wire.functionCall : undefined;
    if (call && this.#inPieces(camelled(call), wire, chunks)) return;
    if (call && typeof call.name === "string") return this.#call(call, call.name, wire, chunks);
    const media = decodeMedia(wire);
    const value =
      media && media.type !== "document"
        ? media
        : { type: "opaque" as const, format: formatName, value: wire, ...compact({ ran: this.#ran(wire) }) };
    chunks.push({ type: "part", choice: this.#choice, part: this.#parts++, value });
  }

  /** What was measured and has found no text yet, and what the texts are taken from. */
  end(grounding: unknown): readonly StreamChunk[] {
    const choice = this.#choice;
    const chunks: StreamChunk[] = [];
    this.cut = this.#partial !== undefined;
    this.#closeCall(chunks);
    if (this.#logprobs !== undefined && this.#lastText !== undefined) {
      chunks.push({ type: "text-delta", choice, part: this.#lastText, text: "", logprobs: this.#logprobs });
      this.#logprobs = undefined;
    }
    if (grounding !== undefined) this.#cite(grounding, chunks);
    return chunks;
  }

  #cite(grounding: unknown, chunks: StreamChunk[]): void {
    const cited = new Map<number, Fields[]>();
    for (const { part, citation } of citationsOf(grounding, this.#pieces)) {
      const known = cited.get(part);
      if (known) known.push(citation);
      else cited.set(part, [citation]);
    }
    for (const [part, citations] of cited)
      chunks.push({ type: "text-delta", choice: this.#choice, part, text: "", citations });
  }

  /** Code that was run and what came of it, which is of the code before it where it names none. */
  #ran({ executableCode: code, codeExecutionResult: result }: Readonly<Fields>): RanCode | undefined {
    const said = isRecord(code) ? code : isRecord(result) ? result : undefined;
    if (!said) return undefined;
    if (isRecord(code)) this.#runs++;
    const id = typeof said.id === "string" && said.id !== "" ? said.id : this.#made("run", this.#runs);
    if (isRecord(code)) {
      const language = typeof code.language === "string" ? code.language.toLowerCase() : undefined;
      return { id, code: typeof code.code === "string" ? code.code : "", ...compact({ language }) };
    }
    const output = typeof said.output === "string" ? said.output : "";
    return { id, output, ...(said.outcome !== "OUTCOME_OK" && { failed: true }) };
  }

  #text(text: string, wire: Readonly<Fields>, chunks: StreamChunk[]): void {
    const choice = this.#choice;
    const kind: Kind = wire.thought === true ? "thinking" : "text";
    const signature = typeof wire.thoughtSignature === "string" ? wire.thoughtSignature : undefined;
    const rest = leftovers(wire, textFields);
    const goesOn = this.#open?.kind === kind;
    if (text === "" && signature === undefined && !rest) return;
    if (text === "" && kind === "text" && !goesOn) {
      this.#open = undefined;
      chunks.push({
        type: "part",
        choice,
        part: this.#parts++,
        value: { type: "opaque", format: formatName, value: wire },
      });
      return;
    }
    const part = goesOn && this.#open ? this.#open.part : this.#parts++;
    if (kind === "thinking") {
      if (text !== "" || rest) chunks.push({ type: "thinking-delta", choice, part, text, ...extraOf(rest) });
      if (signature !== undefined) chunks.push(...proofChunks(choice, part, readable(signature), formatName));
    } else {
      const logprobs = this.#logprobs;
      this.#logprobs = undefined;
      this.#lastText = part;
      if (!goesOn) this.#length = 0;
      if (text !== "") this.#pieces.set(this.#read - 1, { part, start: this.#length, text });
      this.#length += text.length;
      const proof = signature !== undefined && { thought_signature: signature };
      const { extra } = extraOf(proof ? withMembers(rest ?? {}, proof) : rest);
      const piece: Draft<TextDelta> = {
        type: "text-delta",
        choice,
        part,
        text,
      };
      if (logprobs !== undefined) piece.logprobs = logprobs;
      if (extra) piece.extra = extra;
      chunks.push(piece);
    }
    this.#open = signature === undefined && !rest ? { kind, part } : undefined;
  }

  /** Takes the pieces of a call that does not come whole; false for others. A new name, or a new id, is another call. */
  #inPieces(call: Readonly<Fields>, wire: Readonly<Fields>, chunks: StreamChunk[]): boolean {
    const open = this.#partial;
    const others = open && ((call.name ?? open.name) !== open.name || (call.id ?? open.id) !== open.id);
    if (others) this.#closeCall(chunks);
    if (!this.#partial) {
      if (!isPartial(call)) return false;
      if (typeof call.name !== "string") unreadable(call);
      this.#partial = new PartialCall(call.name);
    }
    if (!this.#partial.add(call, wire)) this.#closeCall(chunks);
    return true;
  }

  #closeCall(chunks: StreamChunk[]): void {
    const { functionCall: call, ...beside } = this.#partial?.whole() ?? {};
    this.#partial = undefined;
    if (isRecord(call) && typeof call.name === "string")
      this.#call(call, call.name, { ...beside, functionCall: call }, chunks);
  }

  /** A call comes whole. One without an id is given one that is the same every time, and another in every answer. */
  #call(call: Readonly<Fields>, name: string, wire: Readonly<Fields>, chunks: StreamChunk[]): void {
    const choice = this.#choice;
    const part = this.#parts++;
    const id = typeof call.id === "string" && call.id !== "" ? call.id : this.#made(this.calls);
    this.calls++;
    const inner = leftovers(call, functionCallFields);
    const extra = extraOf({
      ...leftovers(wire, callFields),
      ...proofIn(wire),
      ...(inner && { functionCall: inner }),
    });
    chunks.push({ type: "tool-call-start", choice, part, id, name, ...extra });
    chunks.push({ type: "tool-call-delta", choice, part, arguments: writeJson(call.args ?? {}) });
  }
}
