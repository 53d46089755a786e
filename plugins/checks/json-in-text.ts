/** JSON found in a text. */
export interface FoundJson {
  readonly value: unknown;
}

/** What lies between braces is tried so often. */
const mostTries = 100;
const mostBraces = 10_000;

/** What the whole of a text is as JSON, if anything. */
export const wholeJson = (text: string): FoundJson[] => parsed([text.trim()]);

/** The JSON of fenced blocks. */
export const fencedJson = (text: string): FoundJson[] => parsed(fencesIn(text));

/** Objects that stand bare in a text, the outermost that can be read. */
export function bareJson(text: string): FoundJson[] {
  const found: FoundJson[] = [];
  let behind = 0;
  for (const [start, end] of braces(text).slice(0, mostTries)) {
    if (start < behind) continue;
    const [object] = parsed([text.slice(start, end)]);
    if (!object) continue;
    found.push(object);
    behind = end;
  }
  return found;
}

export const hasFence = (text: string): boolean => fencesIn(text).length > 0;

const fencesIn = (text: string): string[] =>
  [...text.matchAll(/```(?:json)?([\s\S]*?)```/g)].map(([, inside = ""]) => inside.trim());

function parsed(candidates: readonly string[]): FoundJson[] {
  return candidates.flatMap((candidate) => {
    try {
      return [{ value: JSON.parse(candidate) as unknown }];
    } catch {
      return [];
    }
  });
}

/** Pairs of braces, those that begin first before others. Braces in texts within them do not count. */
function braces(text: string): (readonly [start: number, end: number])[] {
  const open: number[] = [];
  const pairs: (readonly [number, number])[] = [];
  for (const { 0: token, index } of text.matchAll(/[{}]|"(?:[^"\\\n]|\\.)*"/g)) {
    if (token === "{") open.push(index);
    else if (token === "}") {
      const start = open.pop();
      if (start !== undefined) pairs.push([start, index + 1]);
    }
    if (pairs.length >= mostBraces) break;
  }
  return pairs.sort(([a], [b]) => a - b);
}
