import type { Redactor } from "../../core/index.ts";
import { inJson } from "./in-json.ts";
import { patternOf } from "./patterns.ts";

/** Replaces what a pattern matches: everywhere with the flag g, else where it matches first. */
export function patternRedactor(rule: string, replacement: string): Redactor {
  const { window, context, global, findAll } = patternOf(rule);
  let done = false;
  return inJson({
    window,
    context,
    find: (text, from) => (done ? [] : findAll(text, from).map(({ start, end }) => ({ start, end, kind: "match" }))),
    replacement() {
      done = !global;
      return replacement;
    },
  });
}
