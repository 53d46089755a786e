import { type Fields, isRecord } from "../../core/index.ts";

/** The arguments of a call as an object; none at all is an empty one. Undefined when the text is something else. */
export function parseArguments(text: string): Fields | undefined {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : value === null ? {} : undefined;
  } catch {
    return undefined;
  }
}

/** Ids the gateway gave to calls the vendor gave none: they mean nothing to it. */
const ownPrefix = "gateway-";

export const madeId = (...steps: readonly (string | number)[]): string => ownPrefix + steps.join("-");

/** The id of a call as the vendor knows it. */
export const idFor = (id: string): { id?: string } => (id.startsWith(ownPrefix) ? {} : { id });
