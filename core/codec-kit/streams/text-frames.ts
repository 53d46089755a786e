import type { WireEvent } from "../../model/framing.ts";
import type { StreamChunk, TextDelta } from "../../model/stream.ts";
import { parseFrame } from "./frames.ts";

/** Characters of a frame that is learned at most, and places in it that are tried: whoever wrote it must not make work. */
const longest = 4_096;
const mostPlaces = 4;

/** Frames in a row that were unlike the one before, after which no further one is compared. */
const patience = 8;

/** A text that is not part of another one: comparing with such a part takes five times as long. */
const copyOf = (text: string): string => Buffer.from(text).toString();

/** What stands in JSON as it is meant: no quote, no backslash, no control character. */
const plain = /^[ !#-[\]-\uffff]+$/;

/**
 * Knows the frames of a stream that differ from one before in nothing but their text, which are most of what most vendors
 * send: what such a frame decodes to is known without parsing it.
 */
export class TextFrames {
  readonly #textOf: (frame: Readonly<Record<string, unknown>>) => unknown;
  #event: string | undefined;
  /** Where the text belongs. */
  #choice = 0;
  #part = 0;
  #before = "";
  #after = "";
  #misses = 0;

  /** `textOf` is where the text stands in a frame. */
  constructor(textOf: (frame: Readonly<Record<string, unknown>>) => unknown) {
    this.#textOf = textOf;
  }

  /** What a frame like the one that was learned decodes to; undefined for any other, and for one without text. */
  decoded({ event, data }: WireEvent): readonly [TextDelta] | undefined {
    const before = this.#before;
    const after = this.#after;
    if (before === "" || event !== this.#event) return undefined;
    const end = data.length - after.length;
    if (end <= before.length || data.slice(0, before.length) !== before || data.slice(end) !== after) return undefined;
    const text = data.slice(before.length, end);
    if (!plain.test(text)) return undefined;
    this.#misses = 0;
    return [{ type: "text-delta", choice: this.#choice, part: this.#part, text }];
  }

  /** To be told what each frame that had to be parsed was decoded to. One that says a text and nothing besides is learned. */
  learn({ event, data }: WireEvent, chunks: readonly StreamChunk[]): void {
    const [only] = chunks;
    if (chunks.length !== 1 || only?.type !== "text-delta") return;
    const { text, logprobs, citations, extra } = only;
    if (logprobs !== undefined || citations || extra) return;
    this.forget();
    if (this.#misses >= patience || data.length > longest || !plain.test(text)) return;
    this.#misses++;
    const quoted = `"${text}"`;
    let tried = 0;
    for (let at = data.indexOf(quoted); at >= 0 && tried < mostPlaces; at = data.indexOf(quoted, at + 1)) {
      tried++;
      const before = data.slice(0, at + 1);
      const after = data.slice(at + 1 + text.length);
      if (!this.#isPlaceOfText(before, after, text)) continue;
      this.#event = event;
      this.#choice = only.choice;
      this.#part = only.part;
      this.#before = copyOf(before);
      this.#after = copyOf(after);
      return;
    }
  }

  /** What was learned does not hold any more. */
  forget(): void {
    this.#before = "";
  }

  /** The same text may stand in several places: it is the one whose change changes the text. */
  #isPlaceOfText(before: string, after: string, text: string): boolean {
    const probe = `${text}?`;
    try {
      return this.#textOf(parseFrame(before + probe + after)) === probe;
    } catch {
      return false;
    }
  }
}
