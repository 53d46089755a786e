import { defineCheck, excerptOf, z } from "../../../../core/index.ts";
import { within } from "../../counting.ts";

export default defineCheck({
  id: "default.sentenceCount",
  summary:
    "Passes text with so many sentences, each of which ends with a full stop, a question or an exclamation mark.",
  parameters: z.object({
    minSentences: z.number().default(0).describe("The fewest."),
    maxSentences: z.number().default(99_999).describe("The most."),
    not: z.boolean().default(false).describe("Whether it has to be outside instead."),
  }),
  measures: true,
  run({ text }, { minSentences: minCount, maxSentences: maxCount, not }) {
    const sentenceCount = text.split(/[.!?]/).length - 1;
    const { verdict, explanation } = within(sentenceCount, { least: minCount, most: maxCount, not }, "sentences");
    return {
      verdict,
      data: { sentenceCount, minCount, maxCount, not, verdict, explanation, textExcerpt: excerptOf(text) },
    };
  },
  table: {
    passes: [
      { parameters: { minSentences: 2, maxSentences: 2 }, text: "One. Two?", data: { sentenceCount: 2, minCount: 2 } },
      { text: "", data: { sentenceCount: 0, maxCount: 99_999 } },
      { parameters: { minSentences: 1, not: true }, text: "no end" },
      { parameters: { minSentences: 3 }, text: "Well..." },
    ],
    fails: [
      { parameters: { minSentences: 1 }, text: "no end", data: { verdict: false } },
      { parameters: { maxSentences: 1 }, text: "One! Two!" },
      { parameters: { not: true }, text: "One." },
    ],
  },
});
