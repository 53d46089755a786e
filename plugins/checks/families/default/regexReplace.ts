import { defineCheck, excerptOf, redactedTexts, z } from "../../../../core/index.ts";
import { patternRedactor } from "../../pattern-redactor.ts";
import { patternField } from "../../patterns.ts";

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
  redactor: ({ rule, redactText }) => patternRedactor(rule, redactText),
  run({ texts, text }, { rule, redactText, failOnDetection }) {
    const { texts: replaced, found } = redactedTexts(texts, () => patternRedactor(rule, redactText));
    const verdict = !(failOnDetection && found.length > 0);
    const explanation = `${found.length} matches were replaced.`;
    return {
      verdict,
      // What was to be taken out has no place in the record either, nor in the results that clients get.
      data: { regexPattern: rule, verdict, explanation, textExcerpt: found.length > 0 ? "" : excerptOf(text) },
      ...(found.length > 0 && { texts: replaced }),
    };
  },
  table: {
    passes: [
      { parameters: { rule: "/\\d+/g" }, text: "a1b22", becomes: "a[REDACTED]b[REDACTED]" },
      { parameters: { rule: "\\d+", redactText: "#" }, text: "a1b22", becomes: "a#b22" },
      { parameters: { rule: "\\d" }, texts: ["1 2", "3"], becomes: ["[REDACTED] 2", "[REDACTED]"] },
      { parameters: { rule: "/B/i", redactText: "" }, texts: ["none", "abc"], becomes: [null, "ac"] },
      { parameters: { rule: "/(?<!\\d)\\d{4}(?!\\d)/g", redactText: "$&" }, text: "1234 12345", becomes: "$& 12345" },
      { parameters: { rule: "x" }, text: "nothing", data: { regexPattern: "x", verdict: true } },
      { parameters: { rule: "x" }, text: "", error: "empty" },
    ],
    fails: [{ parameters: { rule: "x", failOnDetection: true }, text: "x", becomes: "[REDACTED]" }],
  },
});
