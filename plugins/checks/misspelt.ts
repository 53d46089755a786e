import { type CheckMistake, nearest } from "../../core/index.ts";

/**
 * Names that are one of the known ones but for a letter, or for how its words are joined (`fail_on_error`), where that one is
 * missing: without it the check does something else than was meant, and nobody is told.
 */
export function misspelt(known: readonly string[], given: Readonly<Record<string, unknown>>): CheckMistake[] {
  return Object.keys(given).flatMap((name) => {
    if (known.includes(name)) return [];
    const meant = known.find((one) => joined(one) === joined(name)) ?? near(name, known);
    if (meant === undefined || given[meant] !== undefined) return [];
    return [{ path: [name], message: `is unknown; did you mean "${meant}"?` }];
  });
}

function near(name: string, known: readonly string[]): string | undefined {
  const best = nearest(name, known);
  return best !== undefined && Math.abs(best.length - name.length) <= 1 ? best : undefined;
}

const joined = (name: string): string => name.replace(/[_-]/g, "").toLowerCase();
