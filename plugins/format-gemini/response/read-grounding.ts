import { type Fields, isRecord } from "../../../core/index.ts";
import { Measured } from "./measured.ts";

/** A text of a candidate: the canonical part it went to, and where it stands there, in UTF-16 units. */
export interface Piece {
  readonly part: number;
  readonly start: number;
  readonly text: string;
}

/** A citation of the web, and the part it is of. */
export interface Cited {
  readonly part: number;
  readonly citation: Fields;
}

/**
 * What `groundingMetadata` says a candidate is taken from, as citations of its texts. A segment is measured in bytes of UTF-8
 * from the beginning of a part of the candidate; in a stream, whose parts come in pieces, from that of all its text. The
 * words of the segment tell which: where neither has them, they are looked for, and a segment that is nowhere cites nothing.
 */
export function citationsOf(grounding: unknown, pieces: ReadonlyMap<number, Piece>): Cited[] {
  if (!isRecord(grounding)) return [];
  const chunks = listOf(grounding.groundingChunks);
  const runs: Runs = {
    all: runOf([...pieces.values()]),
    named: new Map([...pieces].map(([index, piece]) => [index, runOf([piece])])),
  };
  return listOf(grounding.groundingSupports).flatMap((support) => {
    const place = isRecord(support.segment) ? placeOf(support.segment, runs) : undefined;
    const indices: readonly unknown[] = Array.isArray(support.groundingChunkIndices)
      ? support.groundingChunkIndices
      : [];
    if (!place) return [];
    return indices.flatMap((index) => {
      const source = typeof index === "number" ? sourceOf(chunks[index]) : undefined;
      return source ? [{ part: place.part, citation: citationAt(place, source) }] : [];
    });
  });
}

const listOf = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.map((one) => (isRecord(one) ? one : {})) : [];

const citationAt = ({ start, end }: Place, source: Source): Fields => ({
  type: "url_citation",
  start_index: start,
  end_index: end,
  ...source,
});

interface Source {
  readonly url: string;
  readonly title: string;
}

/** A page, a place on a map, or a document with an address. Others are nowhere on the web. */
function sourceOf(chunk: Readonly<Fields> | undefined): Source | undefined {
  for (const kind of ["web", "maps", "retrievedContext"]) {
    const said = chunk?.[kind];
    if (!isRecord(said) || typeof said.uri !== "string" || said.uri === "") continue;
    const title = [said.title, said.domain].find((one) => typeof one === "string" && one !== "");
    return { url: said.uri, title: typeof title === "string" ? title : said.uri };
  }
  return undefined;
}

/** Where a text stands in a part, in UTF-16 units. */
interface Place {
  readonly part: number;
  readonly start: number;
  readonly end: number;
}

function placeOf(
  { partIndex = 0, startIndex = 0, endIndex, text }: Readonly<Fields>,
  { all, named }: Runs,
): Place | undefined {
  const said = typeof text === "string" && text !== "" ? text : undefined;
  const own = typeof partIndex === "number" ? named.get(partIndex) : undefined;
  if (typeof startIndex === "number" && typeof endIndex === "number")
    for (const run of own ? [own, all] : [all]) {
      const found = within(run, startIndex, endIndex, said);
      if (found) return found;
    }
  if (said === undefined) return undefined;
  for (const { part, start, text: whole } of all.pieces) {
    const at = whole.indexOf(said);
    if (at >= 0) return { part, start: start + at, end: start + at + said.length };
  }
  return undefined;
}

/** Pieces that follow each other, and their text as it is measured. */
interface Run {
  readonly pieces: readonly Piece[];
  /** Where each piece begins in their text. */
  readonly begins: readonly number[];
  /** Where each part ends in itself. */
  readonly ends: ReadonlyMap<number, number>;
  readonly measured: Measured;
}

function runOf(pieces: readonly Piece[]): Run {
  let length = 0;
  const begins: number[] = [];
  for (const { text } of pieces) {
    begins.push(length);
    length += text.length;
  }
  return {
    pieces,
    begins,
    ends: new Map(pieces.map(({ part, start, text }) => [part, start + text.length])),
    measured: new Measured(pieces.map(({ text }) => text).join("")),
  };
}

/** The last of ascending numbers that is not above a number, by its place; -1 where all are. */
function lastUpTo(numbers: readonly number[], most: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** What may be counted in: all the text of a candidate, or that of one of its parts, by its number. */
interface Runs {
  readonly all: Run;
  readonly named: ReadonlyMap<number, Run>;
}

/** The place of bytes in a run; undefined where they are not all there, or say something else. */
function within(
  { pieces, begins, ends, measured }: Run,
  from: number,
  to: number,
  said: string | undefined,
): Place | undefined {
  if (from >= to || to > measured.encoded.length) return undefined;
  const text = measured.encoded.toString("utf8", from, to);
  if (said !== undefined && text !== said) return undefined;
  const units = measured.unitsAt(from);
  const at = lastUpTo(begins, units);
  const piece = pieces[at];
  if (!piece || units - (begins[at] ?? 0) >= piece.text.length) return undefined;
  const { part } = piece;
  const start = piece.start + units - (begins[at] ?? 0);
  // What goes on in another part is cited as far as this one goes.
  return { part, start, end: Math.min(start + text.length, ends.get(part) ?? start) };
}
