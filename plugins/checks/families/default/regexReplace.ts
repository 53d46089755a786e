import { defineCheck, excerptOf, type Redactor, redactedTexts, z } from "../../../../core/index.ts";
import { patternField, patternOf } from "../../patterns.ts";

function replacing({ rule, redactText }: { readonly rule: string; readonly redactText: string }): Redactor {
  const pattern = patternOf(rule);
  return {
    window: pattern.window,
    context: 1,
    find: (text) => pattern.findAll(text).map(({ start, end }) => ({ start, end, kind: "match" })),
    replacement: () => redactText,
  };
}

export default defineCheck({
  id: "default.regexReplace",
  summary: "Replaces what a regular expression matches; passes unless it is told to fail then.",
  parameters: z.object({
    rule: patternField.describe("A pattern, or /pattern/flags; without the flag g only the first match is replaced."),
    redactText: z.string().default("[REDACTED]").describe("What stands there instead."),
    failOnDetection: z.boolean().default(false).describe("Whether a match is a failure."),
  }),
  verdictOnError: true,
  needsText: true,
  redactor: replacing,
  run({ texts, text }, { rule, redactText, failOnDetection }) {
    const { texts: replaced, found } = redactedTexts(texts, () => replacing({ rule, redactText }));
    const verdict = !(failOnDetection && found.length > 0);
    const explanation = `${found.length} matches were replaced.`;
    return {
      verdict,
      data: { regexPattern: rule, verdict, explanation, textExcerpt: excerptOf(text) },
      ...(found.length > 0 && { texts: replaced }),
    };
  },
  table: {
    passes: [
      { parameters: { rule: "/\\d+/g" }, text: "a1b22", becomes: "a[REDACTED]b[REDACTED]" },
      { parameters: { rule: "\\d+", redactText: "#" }, text: "a1b22", becomes: "a#b22" },
      { parameters: { rule: "/B/i", redactText: "" }, texts: ["none", "abc"], becomes: [null, "ac"] },
      { parameters: { rule: "x" }, text: "nothing" },
    ],
    fails: [{ parameters: { rule: "x", failOnDetection: true }, text: "x", becomes: "[REDACTED]" }],
  },
});
