import { hash } from "node:crypto";

const digits = 16;

/**
 * Ids for the calls of an answer whose vendor gives them none. Those of the answers of one conversation differ, as far as
 * the answers say which they are (by their id, or when they were made): clients find the result of a call by its id alone.
 */
export function callIds(answer: string | number | undefined): (choice: number, at: number) => string {
  // Most answers call nothing, and of those that do most say themselves what their calls are called.
  let prefix: string | undefined;
  return (choice, at) => {
    prefix ??= prefixOf(answer);
    return `${prefix}_${choice}_${at}`;
  };
}

const prefixOf = (answer: string | number | undefined): string =>
  answer === undefined ? "call" : `call_${hash("sha256", `${answer}`).slice(0, digits)}`;
