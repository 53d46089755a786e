import { defineCheck, z } from "../../../../core/index.ts";
import { holds } from "../../any-all-none.ts";
import { subjectOf } from "../../subject.ts";
import { matchType, refusePatterns, textOf, valueMatches } from "../../values.ts";
import { listInMetadata } from "../../words.ts";

export default defineCheck({
  id: "default.requiredMetadataKeyPairs",
  summary: "Passes requests whose metadata match all, any or none of the pairs.",
  parameters: z.object({
    metadataPairs: z
      .record(z.string(), z.unknown())
      .refine((pairs) => Object.keys(pairs).length > 0, "needs a pair at least")
      .describe("By key: the value expected, or several."),
    operator: z.enum(["all", "any", "none"]).default("all").describe("Which of them have to match."),
    matchType: matchType
      .default("exact")
      .describe("`contains`: one of the values is in it; `containsAll`: all are; `regex`: one as a pattern matches."),
  }),
  refuse: ({ metadataPairs, matchType }) => refusePatterns(Object.values(metadataPairs).flatMap(expected), matchType),
  targets: ["request"],
  verdictOnError: true,
  run(input, { metadataPairs, operator, matchType }) {
    const { metadata } = subjectOf(input);
    const matched: Record<string, unknown> = {};
    const unmatched: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(metadataPairs)) {
      const given = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
      const fits = candidates(given, matchType).some((one) => valueMatches(one, expected(value), matchType));
      (fits ? matched : unmatched)[key] = value;
    }
    const [yes, no] = [Object.keys(matched).length, Object.keys(unmatched).length];
    const explanation = `${yes} of ${yes + no} pairs match; ${operator} must.`;
    const data = { explanation, matched_pairs: matched, unmatched_pairs: unmatched, operator, matchType };
    return { verdict: holds(operator, yes, no), data };
  },
  table: {
    passes: [
      {
        parameters: { metadataPairs: { team: "ml", tier: 1 } },
        subject: { metadata: { team: "ml", tier: "1" } },
        data: { matched_pairs: { team: "ml", tier: 1 }, unmatched_pairs: {}, operator: "all", matchType: "exact" },
      },
      { parameters: pairs({ team: "m" }, "contains"), subject: { metadata: { team: "ml" } } },
      { parameters: pairs({ team: ["a", "b"] }, "containsAll"), subject: { metadata: { team: '["b","a","c"]' } } },
      { parameters: pairs({ team: "^m.$" }, "regex"), subject: { metadata: { team: "ml" } } },
      { parameters: { metadataPairs: { a: "1", b: "2" }, operator: "any" }, subject: { metadata: { b: "2" } } },
      { parameters: { metadataPairs: { a: "1" }, operator: "none" }, subject: {} },
      { parameters: pairs({ team: "(" }, "regex"), subject: { metadata: {} }, error: "regular expression" },
    ],
    fails: [
      {
        parameters: { metadataPairs: { team: "ml", tier: "1" } },
        subject: { metadata: { team: "ml" } },
        data: { matched_pairs: { team: "ml" }, unmatched_pairs: { tier: "1" } },
      },
      { parameters: pairs({ team: ["a", "d"] }, "containsAll"), subject: { metadata: { team: "a,b" } } },
      { parameters: pairs({ team: "^m$" }, "regex"), subject: { metadata: { team: "ml" } } },
      { parameters: { metadataPairs: { a: "1" }, operator: "none" }, subject: { metadata: { a: "1" } } },
    ],
  },
});

const expected = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map((one) => textOf(one) ?? "");

/** Metadata are texts: where several are looked for, one is a list as well. */
const candidates = (given: string | undefined, how: z.output<typeof matchType>): unknown[] =>
  given === undefined ? [] : how.startsWith("contains") ? [given, listInMetadata(given)] : [given];

function pairs(metadataPairs: Record<string, unknown>, how: z.output<typeof matchType>) {
  return { metadataPairs, matchType: how };
}
