import { isRecord } from "../../../core/index.ts";
import type { CallsEntry } from "./call-log.ts";
import type { CheckEntry, HookEntry } from "./results.ts";

/**
 * What checks said of an answer, without its words where something was taken out of them: clients and records get what all
 * of them said. `by`: those that may have taken something out.
 */
export const withoutTaken = (entries: readonly HookEntry[], by = entries): readonly HookEntry[] =>
  by.some(({ transformed }) => transformed) ? entries.map(unquoted) : entries;

const unquoted = (entry: HookEntry): HookEntry => ({ ...entry, checks: entry.checks.map(withoutWords) });

const withoutWords = (entry: CheckEntry): CheckEntry => {
  const { data, log } = entry;
  return { ...entry, data: isRecord(data) ? bare(data) : hollow(data), log: log && withoutAddresses(log) };
};

/** Some checks ask at the addresses that stand in the text. */
const withoutAddresses = (log: CallsEntry): CallsEntry => ({
  ...log,
  calls: log.calls.map((call) => ({ ...call, url: "" })),
});

/** Every field stays, since clients read them; what may quote is empty. */
const bare = (data: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, ownWords.has(name) ? value : hollow(value)]));

function hollow(value: unknown): unknown {
  if (typeof value === "string") return "";
  if (Array.isArray(value)) return [];
  return typeof value === "number" || typeof value === "boolean" ? value : null;
}

/** Fields whose words are those of checks or of configs in whatever check (guardrails.md sections 7 and 11). */
const ownWords: ReadonlySet<string> = new Set([
  ...["operator", "regexPattern", "restrictedCategories", "validationMethod"],
  // Kinds of things that were found, and how many of each were taken out.
  ...["detectedCategories", "detectedKinds", "redacted"],
]);
