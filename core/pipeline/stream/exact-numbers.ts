import { amongNumbers, type LongNumbers } from "../../codec-kit/exact-json.ts";
import type { StreamWork } from "./stream-work.ts";

/**
 * A stream that is written anew in the format it came in: long whole numbers in fields of the vendor's own leave as they came, also those
 * of a frame itself, whose members stand in frames that are made anew.
 */
export function withExactNumbers(work: StreamWork): StreamWork {
  const numbers: LongNumbers = new Map();
  const { push, end, stir } = work;
  work.push = (bytes) => amongNumbers(numbers, () => push(bytes));
  work.end = () => amongNumbers(numbers, end);
  if (stir) work.stir = () => amongNumbers(numbers, stir);
  return work;
}
