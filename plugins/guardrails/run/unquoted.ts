import { type GatewayRequest, isRecord } from "../../../core/index.ts";
import { textsOfRequest } from "../texts/request-texts.ts";
import type { CallsEntry } from "./call-log.ts";
import type { CheckEntry, HookEntry } from "./results.ts";

/**
 * What checks said of an answer, without its words where something was taken out of them: clients and records get what all
 * of them said. `by`: those that may have taken something out.
 */
export const withoutTaken = (entries: readonly HookEntry[], by = entries): readonly HookEntry[] =>
  by.some(({ transformed }) => transformed) ? entries.map((entry) => unquoted(entry)) : entries;

/** What checks said, as they said it. */
export const asSaid = (entries: readonly HookEntry[]): readonly HookEntry[] => entries;

/**
 * What checks said of a request, without the words that were taken out of it: records have the request as it went on, and are
 * not to have more. What stands in it still, or never did (what a search found), is told.
 */
export function withoutRemoved(asked: GatewayRequest, left: GatewayRequest): typeof asSaid {
  const texts = textsIn(asked);
  const before = texts.join("\n");
  const after = textsIn(left).join("\n");
  // Something was only added.
  if (texts.every((text) => after.includes(text))) return asSaid;
  const had = wordsOf(before);
  const has = wordsOf(after);
  const removed = [...had].filter((word) => word.length >= fewest && !has.has(word));
  const tells = (text: string): boolean => {
    const shown = text.endsWith("...") ? text.slice(0, -3) : text;
    if (shown.length < fewest) return had.has(shown) && !has.has(shown);
    return (before.includes(shown) && !after.includes(shown)) || removed.some((word) => text.includes(word));
  };
  // Who changed that much changed all of it.
  const change = removed.length > mostRemoved ? hollow : emptied(tells);
  return (entries) => entries.map((entry) => unquoted(entry, change));
}

const textsIn = (request: GatewayRequest): readonly string[] => textsOfRequest(request)?.texts ?? [];

/** What stands between words, as JSON is written and as it is read. */
const between = /[\s"'`\\,;:()[\]{}<>]+/;
const ends: ReadonlySet<string | undefined> = new Set([".", "!", "?"]);

/** Words without what ends a sentence behind them. Time grows with the length of the text, whatever stands in it. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text.split(between).map((word) => {
      let end = word.length;
      while (ends.has(word[end - 1])) end--;
      return word.slice(0, end);
    }),
  );

/** Shorter ones stand in everything. */
const fewest = 3;
const mostRemoved = 1_000;

type Unquote = (value: unknown) => unknown;

const unquoted = (entry: HookEntry, change: Unquote = hollow): HookEntry => ({
  ...entry,
  checks: entry.checks.map((check) => withoutWords(check, change)),
});

const withoutWords = (entry: CheckEntry, change: Unquote): CheckEntry => {
  const { data, log } = entry;
  return {
    ...entry,
    data: isRecord(data) ? bare(data, change) : change(data),
    log: log && withoutAddresses(log, change),
  };
};

/** Some checks ask at the addresses that stand in the text. */
const withoutAddresses = (log: CallsEntry, change: Unquote): CallsEntry => ({
  ...log,
  calls: log.calls.map((call) => ({ ...call, url: `${change(call.url)}` })),
});

/** Every field stays, since clients read them; what may quote is empty. */
const bare = (data: Readonly<Record<string, unknown>>, change: Unquote): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, ownWords.has(name) ? value : change(value)]));

function hollow(value: unknown): unknown {
  if (typeof value === "string") return "";
  if (Array.isArray(value)) return [];
  return typeof value === "number" || typeof value === "boolean" ? value : null;
}

/** The same JSON with the texts empty that tell what they are not to. */
function emptied(tells: (text: string) => boolean): Unquote {
  return function change(value: unknown): unknown {
    if (typeof value === "string") return tells(value) ? "" : value;
    if (typeof value === "number") return Math.abs(value) >= 1_000 && tells(String(value)) ? null : value;
    if (Array.isArray(value)) return value.map(change);
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, one]) => (tells(name) ? [] : [[name, change(one)]])),
    );
  };
}

/** Fields whose words are those of checks or of configs in whatever check (guardrails.md sections 7 and 11). */
const ownWords: ReadonlySet<string> = new Set([
  ...["operator", "regexPattern", "restrictedCategories", "validationMethod"],
  // Kinds of things that were found, and how many of each were taken out.
  ...["detectedCategories", "detectedKinds", "redacted"],
]);
