import { acceptedId } from "./accepted-id.ts";

/** Ids that count the calls of an answer, anew in each: `call_0`, `functions.look:1`. Those of Claude never do. */
const counted = /^(?!toolu).*[^A-Za-z0-9]\d{1,4}$/s;
/** What is random enough that no other answer has it. */
const random = /(?=[A-Za-z]*\d)[A-Za-z0-9]{12}/;

/** So much of the id of an answer, which is random at its end. */
const digits = 8;

/**
 * The id of a call as clients are given it whose own vendor refuses other characters, and ids that were there before: what they
 * give back may pass through to it. Ids that count are told apart by the answer they are of.
 */
export function clientId(id: string, answerId: string, longest?: number): string {
  const isUnique = !counted.test(id) || random.test(id);
  const end = `-${answerId.slice(-digits)}`;
  return acceptedId(isUnique || id.endsWith(end) ? id : id + end, longest);
}
