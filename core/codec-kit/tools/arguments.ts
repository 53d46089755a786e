import { readJson, writeJson } from "../exact-json.ts";
import { type Fields, isRecord } from "../records.ts";

/**
 * The arguments of a call as JSON text: clients and vendors parse it, also where a tool has no parameters and its model
 * wrote nothing. White space stays, for in a stream it is sent already.
 */
export const jsonArguments = (text: string): string => (text.trim() === "" ? `${text}{}` : text);

/** The arguments of a call as an object; none at all is an empty one. Undefined when the text is something else. */
export function parseArguments(text: string): Fields | undefined {
  if (text.trim() === "") return {};
  try {
    const value = readJson(text);
    return isRecord(value) ? value : value === null ? {} : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The same for formats that hold an object where others hold a text. Models do write what is none, or are cut off in it:
 * it is said under a name no tool has a parameter for, to clients and, with a history, to vendors.
 */
export const argumentsObject = (text: string): Fields => parseArguments(text) ?? { INVALID_JSON: text };

/**
 * The same for formats that hold a text, in a history: vendors parse it for the templates of their models, and refuse every request with
 * a call in it that is no object (vLLM: "Unterminated string"; github.com/vllm-project/vllm/pull/48922). What is one stays as it was written.
 */
export function objectArguments(text: string): string {
  const isObject = /^\s*(?:\{|$)/.test(text) && parseArguments(text) !== undefined;
  return isObject ? jsonArguments(text) : writeJson(argumentsObject(text));
}
