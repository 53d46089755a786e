import { defineCheck, excerptOf, redactedTexts, z } from "../../../../core/index.ts";
import { asRead } from "../../in-json.ts";
import { patternRedactor } from "../../pattern-redactor.ts";
import { type Pattern, type PatternMatch, patternField, patternOf } from "../../patterns.ts";

export default defineCheck({
  id: "default.regexMatch",
  summary: "Passes text that a regular expression matches; with redact, replaces what it matches and passes.",
  parameters: z.object({
    rule: patternField.describe("A pattern, or /pattern/flags."),
    not: z.boolean().default(false).describe("Whether text has to be free of it instead."),
    redact: z.boolean().default(false).describe("Whether matches are replaced, as default.regexReplace does."),
    redactText: z.string().default("[REDACTED]").describe("What stands there instead, with redact."),
  }),
  needsText: true,
  // Only what must not be there can be told from a part, and only where nothing beside it matters.
  windowOf({ rule, not }) {
    const { window, context } = patternOf(rule);
    return not && context === 0 ? window : undefined;
  },
  measures: ({ not, redact }) => !not && !redact,
  redactor: ({ rule, redact, redactText }) => (redact ? patternRedactor(rule, redactText) : undefined),
  run({ text, texts }, { rule, not, redact, redactText }) {
    const match = matchIn(patternOf(rule), text, texts);
    const { texts: replaced = [] } = redact ? redactedTexts(texts, () => patternRedactor(rule, redactText)) : {};
    const verdict = redact || (match !== undefined) !== not;
    const data = {
      regexPattern: rule,
      not,
      verdict,
      explanation: `The pattern ${match ? "matches" : "does not match"}${redact && match ? ", and was replaced" : ""}.`,
      matchDetails: match
        ? { matchedText: match.text, index: match.start, groups: match.groups, captures: match.captures }
        : null,
      textExcerpt: excerptOf(text),
    };
    // What was to be taken out has no place in the record either.
    if (redact) return { verdict, data: { ...data, matchDetails: null, textExcerpt: "" }, ...changed(replaced) };
    return { verdict, data };
  },
  table: {
    passes: [
      {
        parameters: { rule: "(?<year>\\d{4})-(\\d\\d)" },
        text: "on 2024-05",
        data: {
          regexPattern: "(?<year>\\d{4})-(\\d\\d)",
          not: false,
          verdict: true,
          matchDetails: { matchedText: "2024-05", index: 3, groups: { year: "2024" }, captures: ["2024", "05"] },
        },
      },
      { parameters: { rule: "x", not: true }, text: "nothing", data: { matchDetails: null, not: true } },
      { parameters: { rule: "/HELLO/i" }, text: "hello" },
      { parameters: { rule: "/\\d/g", redact: true, redactText: "#" }, texts: ["a1", "b"], becomes: ["a#", null] },
      { parameters: { rule: "\\d", redact: true }, text: "1 2", becomes: "[REDACTED] 2" },
      { parameters: { rule: "\\d", redact: true }, text: "none" },
      { parameters: { rule: 'say "hi"' }, text: '{"run":"say \\"hi\\""}' },
      { parameters: { rule: "\\bice\\b", not: true }, text: "C:\\nice" },
    ],
    fails: [
      { parameters: { rule: "HELLO" }, text: "hello" },
      { parameters: { rule: "\\bDROP\\b", not: true }, text: '{"sql":"SELECT 1;\\nDROP TABLE t"}' },
      { parameters: { rule: "\\bDROP\\b", not: true }, texts: ["now", '{"sql":";\\u000aDROP TABLE t"}'] },
      { parameters: { rule: "(a+)+$", not: true }, text: "baaa" },
      { parameters: { rule: "a" }, texts: ["", ""], error: "empty" },
    ],
  },
});

/** In JSON what stands there counts, and what it means: behind `\n` a word begins. */
function matchIn(pattern: Pattern, text: string, texts: readonly string[]): PatternMatch | undefined {
  const written = pattern.first(text);
  const read = written ? undefined : asRead(texts);
  return read === undefined ? written : pattern.first(read);
}

const changed = (texts: readonly (string | null)[]) => (texts.some((text) => text !== null) ? { texts } : {});
