/** Where a text is cut, the best first: behind lines, sentences, words. */
const borders = [/\n(?!\n)/g, /[.!?。！？]\s/g, /\s(?!\s)/g] as const;

/**
 * A text in as few pieces as a service takes it in, in order: nothing is left out, and what belongs together is cut only
 * where a piece would have no border in its second half. `most`: UTF-16 units, of which a text has no fewer than characters.
 */
export function piecesOf(text: string, most: number): string[] {
  const pieces: string[] = [];
  let at = 0;
  while (text.length - at > most) {
    const length = cutIn(text.slice(at, at + most));
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return [...pieces, text.slice(at)];
}

function cutIn(text: string): number {
  const half = text.length >> 1;
  for (const border of borders) {
    const last = [...text.slice(half).matchAll(border)].at(-1);
    if (last) return half + last.index + last[0].length;
  }
  // No character is halved.
  const code = text.charCodeAt(text.length - 1);
  return code >= 0xd800 && code < 0xdc00 ? text.length - 1 : text.length;
}
