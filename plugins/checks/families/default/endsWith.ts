import { defineCheck, excerptOf, z } from "../../../../core/index.ts";

export default defineCheck({
  id: "default.endsWith",
  summary: "Passes text that ends with the suffix, with or without a full stop.",
  parameters: z.object({
    suffix: z.string().min(1).describe("What the text has to end with, in this case."),
    not: z.boolean().default(false).describe("Whether it must not end so."),
  }),
  measures: true,
  needsText: true,
  run({ text }, { suffix, not }) {
    const ends = text.endsWith(suffix) || text.endsWith(`${suffix}.`);
    const verdict = ends !== not;
    const explanation = `The text ${ends ? "ends" : "does not end"} with the suffix.`;
    return { verdict, data: { suffix, not, verdict, explanation, textExcerpt: excerptOf(text) } };
  },
  table: {
    passes: [
      { parameters: { suffix: "bye" }, text: "good bye", data: { suffix: "bye", not: false, verdict: true } },
      { parameters: { suffix: "bye" }, text: "good bye." },
      { parameters: { suffix: "bye", not: true }, text: "hello" },
    ],
    fails: [
      { parameters: { suffix: "bye" }, text: "bye!" },
      { parameters: { suffix: "bye" }, text: "Bye BYE" },
      { parameters: { suffix: "bye", not: true }, text: "bye" },
      { parameters: { suffix: "bye" }, text: "", error: "empty" },
    ],
  },
});
