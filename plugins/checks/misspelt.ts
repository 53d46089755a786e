import { type CheckMistake, editDistance } from "../../core/index.ts";

/**
 * Names that are one of the known ones but for a letter, or for how its words are joined (`fail_on_error`), where that one is
 * missing: without it the check does something else than was meant, and nobody is told.
 */
export function misspelt(known: readonly string[], given: Readonly<Record<string, unknown>>): CheckMistake[] {
  return Object.keys(given).flatMap((name) => {
    if (known.includes(name)) return [];
    const meant = known.find((one) => joined(one) === joined(name)) ?? known.find((one) => isOneLetterOff(one, name));
    if (meant === undefined || given[meant] !== undefined) return [];
    return [{ path: [name], message: `is unknown; did you mean "${meant}"?` }];
  });
}

/** A letter more, less or other than meant, or two of them swapped. */
const isOneLetterOff = (one: string, name: string): boolean =>
  Math.abs(one.length - name.length) <= 1 && editDistance(name.toLowerCase(), one.toLowerCase()) === 1;

const joined = (name: string): string => name.replace(/[_-]/g, "").toLowerCase();
