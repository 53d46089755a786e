import { RE2JS } from "re2js";
import { AgedMap, CheckError, errorMessage, z } from "../../core/index.ts";
import { afterCharacter, contextOf, costOf, type PatternShape, shapeOf, widthOf } from "./pattern-shape.ts";

/**
 * A regular expression of an operator or a caller, with JavaScript's meaning: the work of a search grows no faster than the
 * text, whatever it is. What is bounded and simple runs on the engine of the platform, anything else on RE2, which knows
 * neither look-around nor back references. There, a repeated group that may match nothing, and what a
 * repeated group captured, can come out otherwise than in JavaScript.
 */
export interface Pattern {
  readonly engine: "native" | "re2";
  /** The most characters a match has; undefined where there is no bound, or where it may have none. */
  readonly window: number | undefined;
  /** Characters before and behind a match that decide whether it is one. */
  readonly context: number;
  /** Steps that a search takes for each character of a text, at most. */
  readonly stepsPerCharacter: number;
  /** Whether every match counts, or the first one only (flag g). */
  readonly global: boolean;
  /** The first match, or with the flag g all of them, from a place on. */
  findAll(text: string, from?: number): PatternMatch[];
  first(text: string): PatternMatch | undefined;
}

export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly captures: readonly (string | null)[];
  readonly groups: Readonly<Record<string, string | null>>;
}

/** Finds the next match from a place on. */
type Search = (at: number) => PatternMatch | undefined;

/** Steps from one place in a text up to which a pattern may backtrack. */
export const mostBacktracking = 500;
/** Instructions a pattern may come to on RE2. */
const largest = 5_000;
/** Instructions times characters that one search may take there: seconds at the very worst. */
export const mostWork = 20_000_000;
const longestPattern = 5_000;

const bodyAndFlags = /^\/(.+)\/([dgimsuy]*)$/s;
const known = new AgedMap<string, Pattern>();
const mostKnown = 1_000;

/** Reads a pattern, bare or as `/pattern/flags`. Throws where it is none. */
export function patternOf(rule: string): Pattern {
  const kept = known.get(rule);
  if (kept) return kept;
  const pattern = compiled(rule);
  known.set(rule, pattern);
  if (known.size > mostKnown) known.shift();
  return pattern;
}

function compiled(rule: string): Pattern {
  if (rule.length > longestPattern) throw new Error(`it is longer than ${longestPattern} characters`);
  const [, body = rule, flags = ""] = bodyAndFlags.exec(rule) ?? [];
  const shape = shapeOf(body, flags.includes("u"));
  const cost = shape ? costOf(shape.node, 0, mostBacktracking) : Number.POSITIVE_INFINITY;
  const native = cost <= mostBacktracking;
  const { search, steps } = native ? nativeSearch(body, flags, cost) : re2Search(body, flags, shape);
  const global = flags.includes("g");
  const sticky = flags.includes("y");
  const unicode = flags.includes("u");
  const found = (text: string, from: number, most: number) =>
    matches(search(text), text, { from, most, sticky, unicode });
  return {
    engine: native ? "native" : "re2",
    ...reachOf(sticky ? undefined : shape),
    stepsPerCharacter: steps,
    global,
    findAll: (text, from = 0) => found(text, from, global ? Number.POSITIVE_INFINITY : 1),
    first: (text) => found(text, 0, 1)[0],
  };
}

function reachOf(shape: PatternShape | undefined): { window: number | undefined; context: number } {
  if (!shape) return { window: undefined, context: 0 };
  const { least, most } = widthOf(shape.node);
  const context = contextOf(shape.node);
  // Of matches without characters a stream could not tell which it had already.
  const bounded = least > 0 && Number.isFinite(most) && Number.isFinite(context);
  return bounded ? { window: most, context } : { window: undefined, context: 0 };
}

interface Limits {
  readonly from: number;
  readonly most: number;
  readonly sticky: boolean;
  /** Whether a pattern looks at whole characters. */
  readonly unicode: boolean;
}

function matches(search: Search, text: string, { from, most, sticky, unicode }: Limits): PatternMatch[] {
  const found: PatternMatch[] = [];
  for (let at = from; found.length < most && at <= text.length; ) {
    const match = search(at);
    if (!match || (sticky && match.start !== at)) break;
    found.push(match);
    const after = unicode ? afterCharacter(text, match.end) : match.end + 1;
    at = match.end > match.start ? match.end : after;
  }
  return found;
}

interface Engine {
  readonly search: (text: string) => Search;
  readonly steps: number;
}

function nativeSearch(body: string, flags: string, steps: number): Engine {
  const regexp = new RegExp(body, `g${flags.replaceAll(/[gyd]/g, "")}`);
  const search = (text: string) => (at: number) => {
    regexp.lastIndex = at;
    const match = regexp.exec(text);
    if (!match) return undefined;
    const [whole, ...captures] = match;
    return {
      start: match.index,
      end: match.index + whole.length,
      text: whole,
      captures: captures.map((capture: string | undefined) => capture ?? null),
      groups: Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, value]) => [name, value ?? null])),
    };
  };
  return { search, steps };
}

function re2Search(body: string, flags: string, shape: PatternShape | undefined): Engine {
  let options = 0;
  if (flags.includes("i")) options |= RE2JS.CASE_INSENSITIVE;
  if (flags.includes("m")) options |= RE2JS.MULTILINE;
  if (flags.includes("s")) options |= RE2JS.DOTALL;
  const expression = RE2JS.compile(RE2JS.translateRegExp(asRe2(body, flags.includes("s"))), options);
  const steps = expression.programSize();
  if (steps > largest) throw new Error("it repeats too much");
  const names = Object.entries(expression.namedGroups() as Record<string, number>);
  const lookedAt = lookAheadOf(shape, flags);
  const search = (text: string) => {
    const spend = budget(steps, text.length);
    spend(text.length);
    const matcher = expression.matcher(text);
    const group = (at: number): string | null => matcher.group(at) ?? null;
    const captures = Array.from({ length: matcher.groupCount() }, (_, at) => at + 1);
    return (at: number) => {
      if (!matcher.find(at)) return undefined;
      const end = matcher.end();
      spend(lookedAt(text, end) - end);
      return {
        start: matcher.start(),
        end,
        text: matcher.group() ?? "",
        captures: captures.map(group),
        groups: Object.fromEntries(names.map(([name, at]) => [name, group(at)])),
      };
    };
  };
  return { search, steps };
}

/** Throws once more characters were looked at than the work allowed. */
function budget(steps: number, length: number): (characters: number) => void {
  let left = mostWork;
  return (characters) => {
    left -= steps * characters;
    if (left < 0)
      throw new CheckError(`This pattern is too much work in a text of ${length} characters.`, { label: "WorkLimit" });
  };
}

/**
 * How far a search may have looked to find that a match ends here: no further than its window, nor than the first character
 * that no part of the pattern takes.
 */
function lookAheadOf(shape: PatternShape | undefined, flags: string): (text: string, end: number) => number {
  if (!shape) return (text) => text.length;
  const { most } = widthOf(shape.node);
  const stop = new RegExp(`(?!${[...shape.characters].join("|")})[^]`, `g${flags.replaceAll(/[gyd]/g, "")}`);
  return (text, end) => {
    stop.lastIndex = end;
    return Math.min(end + most, stop.exec(text)?.index ?? text.length);
  };
}

/** White space of JavaScript, of which RE2 knows a part only, as ranges of a class; and all but it. */
const space = "\\t-\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}";
const noSpace =
  "\\x00-\\x08\\x0E-\\x1F!-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}" +
  "\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}";

/** What JavaScript means by `\s`, `\S` and `.`, for RE2. */
function asRe2(body: string, dotAll: boolean): string {
  let inClass = false;
  return body.replaceAll(/\\[\s\S]|[[\].]/g, (token) => {
    if (token === "[") inClass = true;
    else if (token === "]") inClass = false;
    else if (token === "\\s") return inClass ? space : `[${space}]`;
    else if (token === "\\S") return inClass ? noSpace : `[${noSpace}]`;
    else if (token === "." && !inClass && !dotAll) return "[^\\n\\r\\x{2028}\\x{2029}]";
    return token;
  });
}

/** A field for one, refused where it cannot be run. */
export const patternField = z
  .string()
  .min(1)
  .superRefine((rule, context) => {
    try {
      patternOf(rule);
    } catch (error) {
      const reason = errorMessage(error);
      context.addIssue({
        code: "custom",
        message: `is not a regular expression whose work is bounded (RE2): ${reason}; write it without back references, and with look-around only where all of it is short and bounded`,
      });
    }
  });
