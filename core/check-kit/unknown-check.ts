import { didYouMean } from "../nearest.ts";
import type { Check } from "./define-check.ts";

/** What is wrong with an id that no check has, in the words of all who name checks. */
export function unknownCheck(id: string, all: Iterable<Pick<Check, "id">>): string {
  const known = Array.from(all, (check) => check.id);
  return `"${id}" is not the id of a check${didYouMean(id, known)}`;
}
