import { isRecord } from "../../../core/index.ts";
import type { CheckEntry, HookEntry } from "./results.ts";

/**
 * What checks said of a text, without its words: another check has taken something out of them, and clients get what all of them
 * said. `textExcerpt` is the beginning of the text in whatever check (guardrails.md section 7.2), `matchDetails` what a pattern matched.
 */
export const unquoted = (entry: HookEntry): HookEntry => ({ ...entry, checks: entry.checks.map(withoutWords) });

function withoutWords(entry: CheckEntry): CheckEntry {
  const { data } = entry;
  if (!isRecord(data) || !quotes.some((name) => name in data)) return entry;
  const { textExcerpt, matchDetails, ...others } = data;
  return {
    ...entry,
    data: {
      ...others,
      ...(textExcerpt !== undefined && { textExcerpt: "" }),
      ...(matchDetails !== undefined && { matchDetails: null }),
    },
  };
}

const quotes = ["textExcerpt", "matchDetails"] as const;
