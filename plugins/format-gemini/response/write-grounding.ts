import { type Fields, type PartSpans, type TextDelta, type TextPart, webCitationsIn } from "../../../core/index.ts";
import { Measured } from "./measured.ts";

/** A text of an answer as clients of this format count in it. */
export interface Counted {
  /** All that is counted in. */
  readonly whole: Measured;
  /** Where the text begins in it, in UTF-16 units. */
  readonly start: number;
  /** The number of the part, where there is more than one to count in. */
  readonly partIndex?: number | undefined;
  readonly text: string;
}

/**
 * Writes citations of the web as `groundingMetadata`: each page once, and each place with the pages it is taken from, in
 * bytes of UTF-8.
 */
export class GroundingWriter {
  readonly #pages = new Map<string, { readonly index: number; readonly chunk: Fields }>();
  readonly #supports = new Map<string, { readonly segment: Fields; readonly pages: Set<number> }>();

  add(citations: NonNullable<TextPart["citations"]>, counted: Counted): void {
    for (const citation of webCitationsIn(citations, counted.text.length)) this.#cite(citation, counted);
  }

  /** Undefined where nothing was cited. */
  written(): Fields | undefined {
    if (this.#supports.size === 0) return undefined;
    return {
      groundingChunks: [...this.#pages.values()].map(({ chunk }) => chunk),
      groundingSupports: Array.from(this.#supports.values(), ({ segment, pages }) => ({
        segment,
        groundingChunkIndices: [...pages],
      })),
    };
  }

  #cite(
    { url, title, start_index: start, end_index: end }: Fields,
    { whole, start: base, partIndex, text }: Counted,
  ): void {
    const from = base + (typeof start === "number" ? start : 0);
    const to = base + (typeof end === "number" ? end : text.length);
    const key = `${partIndex} ${from} ${to}`;
    const support = this.#supports.get(key) ?? { segment: segmentOf(whole, from, to, partIndex), pages: new Set() };
    this.#supports.set(key, support);
    support.pages.add(this.#page(String(url), title));
  }

  #page(uri: string, title: unknown): number {
    const known = this.#pages.get(uri);
    if (known) return known.index;
    const index = this.#pages.size;
    this.#pages.set(uri, { index, chunk: { web: { uri, ...(typeof title === "string" && { title }) } } });
    return index;
  }
}

/** A streamed answer: all of its text, where each part begins in it, and what is cited of which. */
export interface Streamed {
  readonly whole: string;
  readonly spans: PartSpans;
  readonly cited: readonly TextDelta[];
}

/** Places in a stream are counted from the beginning of all its text. */
export function groundingOf({ whole, spans, cited }: Streamed): GroundingWriter {
  const writer = new GroundingWriter();
  const measured = new Measured(whole);
  for (const { part, citations = [] } of cited) {
    const { start, end } = spans.spanOf(part, whole.length);
    writer.add(citations, { whole: measured, start, text: whole.slice(start, end) });
  }
  return writer;
}

/** Like all numbers of the vendor, those that are 0 are left out. */
function segmentOf(whole: Measured, from: number, to: number, partIndex: number | undefined): Fields {
  const startIndex = whole.bytesAt(from);
  const text = whole.text.slice(from, to);
  return {
    ...(partIndex && { partIndex }),
    ...(startIndex > 0 && { startIndex }),
    endIndex: startIndex + Buffer.byteLength(text),
    text,
  };
}
