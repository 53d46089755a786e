import { type CheckResult, defineCheck, excerptOf, z } from "../../../../core/index.ts";
import { gibberishIn } from "../../gibberish/score.ts";
import { askService, classified, hasService } from "../../hosted.ts";

export default defineCheck({
  id: "gateway.gibberish",
  summary:
    "Passes text that is language. Without a service in the credentials it is judged by its letters, and Latin ones only: words without a sense pass then.",
  parameters: z.object({ not: z.boolean().default(false).describe("Whether it has to be gibberish instead.") }),
  measures: true,
  verdictOnError: true,
  needsText: true,
  run({ text }, { not }, tools) {
    if (hasService(tools))
      return askService(tools, "/gibberish", { input: text }, classified).then((analysis) =>
        resultOf(text, not, analysis),
      );
    return resultOf(text, not, [[gibberishIn(text)]]);
  },
  table: {
    passes: [
      { text: "How do I bake bread?", data: { analysis: [[{ label: "clean", score: 0 }]], verdict: true, not: false } },
      { parameters: { not: true }, text: "sdkfjh skdjfh ksjdhf" },
      { text: "", error: "empty" },
      { text: "x", ...answering("clean"), data: { explanation: "The text is clean." } },
    ],
    fails: [
      { text: "asdfghjkl qwertzxcv", data: { verdict: false } },
      { parameters: { not: true }, text: "How do I bake bread?" },
      { text: "x", ...answering("word salad") },
      { text: "x", ...answering("clean"), asks: [{ status: 500 }], error: "500" },
    ],
  },
});

function resultOf(text: string, not: boolean, analysis: z.output<typeof classified>): CheckResult {
  const label = analysis[0]?.[0]?.label ?? "";
  const verdict = (label === "clean") !== not;
  return {
    verdict,
    data: { verdict, not, explanation: `The text is ${label}.`, analysis, textExcerpt: excerptOf(text) },
  };
}

function answering(label: string) {
  return {
    credentials: { baseURL: "https://guard.example/v1", apiKey: "k" },
    asks: [{ url: "https://guard.example/v1/gibberish", body: { input: "x" }, answer: [[{ label, score: 0.9 }]] }],
  };
}
