import { defineCheck, excerptOf, z } from "../../../../core/index.ts";
import { within } from "../../counting.ts";

export default defineCheck({
  id: "default.wordCount",
  summary: "Passes text with so many words, which are what white space parts.",
  parameters: z.object({
    minWords: z.int().default(0).describe("The fewest."),
    maxWords: z.int().default(99_999).describe("The most."),
    not: z.boolean().default(false).describe("Whether it has to be outside instead."),
  }),
  measures: true,
  needsText: true,
  run({ text }, { minWords, maxWords, not }) {
    const wordCount = text.trim().split(/\s+/).length;
    const { verdict, explanation } = within(wordCount, { least: minWords, most: maxWords, not }, "words");
    return {
      verdict,
      data: { wordCount, minWords, maxWords, not, verdict, explanation, textExcerpt: excerptOf(text) },
    };
  },
  table: {
    passes: [
      {
        parameters: { minWords: 1, maxWords: 50 },
        text: " name three  rivers\nin Spain ",
        data: { wordCount: 5, minWords: 1, maxWords: 50, not: false, verdict: true },
      },
      { text: "a", data: { maxWords: 99_999 } },
      { parameters: { minWords: 2, not: true }, text: "one" },
    ],
    fails: [
      { parameters: { maxWords: 2 }, text: "one two three" },
      { parameters: { minWords: 4 }, texts: ["one", "two three"], data: { wordCount: 3 } },
      { parameters: { not: true }, text: "one" },
      { text: "", error: "empty" },
    ],
  },
});
