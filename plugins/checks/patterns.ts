import { RE2JS } from "re2js";
import { z } from "../../core/index.ts";

/** A regular expression of an operator or a caller: it takes time in proportion to the text, whatever it is. */
export interface Pattern {
  /** The most characters a match has; undefined where there is no bound. */
  readonly window: number | undefined;
  /** The first match, or with the flag g all of them. */
  findAll(text: string): PatternMatch[];
  first(text: string): PatternMatch | undefined;
}

export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly captures: readonly (string | null)[];
  readonly groups: Readonly<Record<string, string | null>>;
}

const bodyAndFlags = /^\/(.+)\/([dgimsuy]*)$/s;

/** Reads a pattern, bare or as `/pattern/flags`. Throws where it is none. */
export function patternOf(rule: string): Pattern {
  const [, body = rule, flags = ""] = bodyAndFlags.exec(rule) ?? [];
  let options = 0;
  if (flags.includes("i")) options |= RE2JS.CASE_INSENSITIVE;
  if (flags.includes("m")) options |= RE2JS.MULTILINE;
  if (flags.includes("s")) options |= RE2JS.DOTALL;
  const compiled = RE2JS.compile(RE2JS.translateRegExp(body), options);
  const most = flags.includes("g") ? Number.POSITIVE_INFINITY : 1;
  return {
    window: undefined,
    findAll: (text) => matchesIn(compiled, text, most),
    first: (text) => matchesIn(compiled, text, 1)[0],
  };
}

function matchesIn(compiled: RE2JS, text: string, most: number): PatternMatch[] {
  const found: PatternMatch[] = [];
  const matcher = compiled.matcher(text);
  const names = Object.entries(compiled.namedGroups() as Record<string, number>);
  while (found.length < most && matcher.find()) {
    const group = (at: number): string | null => matcher.group(at) ?? null;
    found.push({
      start: matcher.start(),
      end: matcher.end(),
      text: matcher.group() ?? "",
      captures: Array.from({ length: matcher.groupCount() }, (_, at) => group(at + 1)),
      groups: Object.fromEntries(names.map(([name, at]) => [name, group(at)])),
    });
  }
  return found;
}

/** A field for one, refused where it cannot be run. */
export const patternField = z
  .string()
  .min(1)
  .superRefine((rule, context) => {
    try {
      patternOf(rule);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      context.addIssue({
        code: "custom",
        message: `is not a regular expression that takes time in proportion to the text (RE2): ${reason}; write it without look-around and backreferences`,
      });
    }
  });
