import { hash } from "node:crypto";
import type { ChatResponse } from "../../../core/index.ts";

const digits = 16;

/**
 * Ids for the calls of an answer whose vendor gives them none. Those of the answers of one conversation differ, as far as
 * the answers say which they are: clients find the result of a call by its id alone.
 */
export function callIds({ id, created }: Pick<ChatResponse, "id" | "created">): (choice: number, at: number) => string {
  const answer = id ?? created;
  const prefix = answer === undefined ? "call" : `call_${hash("sha256", `${answer}`).slice(0, digits)}`;
  return (choice, at) => `${prefix}_${choice}_${at}`;
}
