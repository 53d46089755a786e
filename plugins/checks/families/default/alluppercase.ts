import { defineCheck, excerptOf, z } from "../../../../core/index.ts";

export default defineCheck({
  id: "default.alluppercase",
  summary: "Passes text whose letters, of those from A to Z, are all upper case.",
  parameters: z.object({ not: z.boolean().default(false).describe("Whether some have to be another case instead.") }),
  measures: true,
  needsText: true,
  run({ text }, { not }) {
    const all = !/[a-z]/.test(text);
    const verdict = all !== not;
    const explanation = all ? "All letters are upper case." : "Not all letters are upper case.";
    return { verdict, data: { verdict, not, explanation, textExcerpt: excerptOf(text) } };
  },
  table: {
    passes: [
      { text: "TEA FOR 2, É É!", data: { verdict: true, not: false } },
      { text: "123" },
      { parameters: { not: true }, text: "Tea" },
    ],
    fails: [
      { text: "Tea", data: { verdict: false } },
      { parameters: { not: true }, text: "TEA" },
      { text: "", error: "empty" },
    ],
  },
});
