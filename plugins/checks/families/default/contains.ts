import { defineCheck, z } from "../../../../core/index.ts";

export default defineCheck({
  id: "default.contains",
  summary: "Passes text in which any, all or none of the words stand.",
  parameters: z.object({
    words: z.array(z.string()).min(1).describe("What is looked for, in this case."),
    operator: z.enum(["any", "all", "none"]).default("any").describe("Which of them have to be there."),
  }),
  // Only what must not be there can be told from a part.
  windowOf: ({ words, operator }) =>
    operator === "none" ? Math.max(...words.map(({ length }) => length), 1) : undefined,
  measures: ({ operator }) => operator !== "none",
  run({ text }, { words, operator }) {
    const foundWords = words.filter((word) => text.includes(word));
    const missingWords = words.filter((word) => !text.includes(word));
    const verdict = {
      any: foundWords.length > 0,
      all: missingWords.length === 0,
      none: foundWords.length === 0,
    }[operator];
    const explanation = `${foundWords.length} of ${words.length} words are there; ${operator} must be.`;
    return { verdict, data: { explanation, foundWords, missingWords, operator } };
  },
  table: {
    passes: [
      {
        parameters: { words: ["tea", "milk"] },
        text: "tea, please",
        data: { foundWords: ["tea"], missingWords: ["milk"] },
      },
      { parameters: { words: ["tea", "milk"], operator: "all" }, text: "tea with milk" },
      { parameters: { words: ["gin"], operator: "none" }, text: "tea with milk" },
      { parameters: { words: ["tea"], operator: "none" }, text: "TEA" },
    ],
    fails: [
      { parameters: { words: ["gin"] }, text: "tea with milk" },
      { parameters: { words: ["tea", "gin"], operator: "all" }, text: "tea with milk" },
      { parameters: { words: ["gin", "tea"], operator: "none" }, text: "gin", data: { foundWords: ["gin"] } },
      { parameters: { words: ["gin"] }, text: "" },
    ],
  },
});
