import { defineCheck, excerptOf, z } from "../../../../core/index.ts";
import { within } from "../../counting.ts";

export default defineCheck({
  id: "default.characterCount",
  summary: "Passes text with so many characters (UTF-16 units).",
  parameters: z.object({
    minCharacters: z.int().default(0).describe("The fewest."),
    maxCharacters: z.int().default(9_999_999).describe("The most."),
    not: z.boolean().default(false).describe("Whether it has to be outside instead."),
  }),
  measures: true,
  needsText: true,
  run({ text }, { minCharacters, maxCharacters, not }) {
    const characterCount = text.length;
    const bounds = { least: minCharacters, most: maxCharacters, not };
    const { verdict, explanation } = within(characterCount, bounds, "characters");
    const counted = { characterCount, minCharacters, maxCharacters, not };
    return { verdict, data: { ...counted, verdict, explanation, textExcerpt: excerptOf(text) } };
  },
  table: {
    passes: [
      { parameters: { minCharacters: 4, maxCharacters: 4 }, text: "tea!", data: { characterCount: 4 } },
      { parameters: { maxCharacters: 2 }, text: "😀", data: { characterCount: 2, minCharacters: 0 } },
      { parameters: { minCharacters: 5, not: true }, text: "tea" },
    ],
    fails: [
      { parameters: { maxCharacters: 3 }, text: "tea!" },
      { parameters: { minCharacters: 5 }, text: "tea!" },
      { parameters: { not: true }, text: "tea" },
      { text: "", error: "empty" },
    ],
  },
});
