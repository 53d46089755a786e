/** How many single-character edits, swaps of neighbours included, lead from one word to the other. */
export function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      next.push(swapped ? Math.min(cost, (before[j - 2] ?? 0) + 1) : cost);
    }
    before = row;
    row = next;
  }
  return row[to.length] ?? 0;
}

/** The known name a mistyped one was probably meant to be. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const typed = name.toLowerCase();
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(typed, candidate.toLowerCase()) }))
    .sort((left, right) => left.distance - right.distance);
  const best = ranked[0];
  if (best && best.distance <= Math.max(1, Math.floor(typed.length / 3))) return best.candidate;
  return onlyOneWith(wordsOf(name), known);
}

/** The one name that has all words of what was typed: `ai_org_model` for `ai_model`. */
function onlyOneWith(typed: readonly string[], known: readonly string[]): string | undefined {
  const [found, ...others] = known.filter((name) => {
    const words = wordsOf(name);
    return typed.length > 0 && typed.every((word) => words.includes(word));
  });
  return others.length === 0 ? found : undefined;
}

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])(?=[A-Z])/g, "$1 ")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1);

/** `; did you mean "value"?` behind what is wrong with a name, where another one is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const best = nearest(name, known);
  return best === undefined ? "" : `; did you mean "${best}"?`;
}

const shownNames = 20;

/** `did you mean "value"?`, or else which names there are; `others` are possible but not worth listing. */
export function suggestion(
  name: string,
  known: readonly string[],
  what: string,
  others: readonly string[] = [],
): string {
  const best = nearest(name, [...known, ...others]);
  if (best !== undefined) return `did you mean "${best}"?`;
  if (known.length === 0) return `there are no ${what}`;
  const more = known.length > shownNames ? ` and ${known.length - shownNames} more` : "";
  return `known ${what}: ${known.slice(0, shownNames).join(", ")}${more}`;
}
