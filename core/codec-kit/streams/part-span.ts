/** Where the text of one part stands in all text of a streamed answer, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** `begins` is where the text of each part begins, and `length` how much text there is; a part goes as far as the next one. */
export function partSpan(begins: ReadonlyMap<number, number>, part: number, length: number): Span {
  const start = begins.get(part) ?? length;
  let end = length;
  for (const begin of begins.values()) if (begin > start && begin < end) end = begin;
  return { start, end };
}
