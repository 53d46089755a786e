import { defineCheck, excerptOf, z } from "../../../../core/index.ts";

export default defineCheck({
  id: "default.alllowercase",
  aliases: ["default.isAllLowerCase"],
  summary: "Passes text whose letters, of those from A to Z, are all lower case.",
  parameters: z.object({ not: z.boolean().default(false).describe("Whether some have to be another case instead.") }),
  measures: true,
  needsText: true,
  run({ text }, { not }) {
    const all = !/[A-Z]/.test(text);
    const verdict = all !== not;
    const explanation = all ? "All letters are lower case." : "Not all letters are lower case.";
    return { verdict, data: { verdict, not, explanation, textExcerpt: excerptOf(text) } };
  },
  table: {
    passes: [
      { text: "tea for 2, é é!", data: { verdict: true, not: false } },
      { text: "123" },
      { parameters: { not: true }, text: "Tea" },
    ],
    fails: [
      { text: "Tea", data: { verdict: false } },
      { parameters: { not: true }, text: "tea" },
      { text: "", error: "empty" },
    ],
  },
});
