import { defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { credentialsOf } from "../../credentials.ts";

const answer = z.looseObject({
  category_scores: z.array(z.looseObject({ category: z.string(), score: z.number() })).min(1),
});
const threshold = z.number().min(0).max(1).default(0.5);

const credentials = { apiKey: "k" };
const scored = (category: string, score: number) => ({ id: "1", score, category_scores: [{ category, score }] });

export default defineCheck({
  id: "sydelabs.sydeguard",
  summary: "Passes text that SydeGuard scores no higher than the thresholds.",
  parameters: z.object({
    prompt_injection_threshold: threshold.describe("The highest score of prompt injection that passes."),
    toxicity_threshold: threshold.describe("The highest score of toxicity that passes."),
    evasion_threshold: threshold.describe("The highest score of evasion that passes."),
  }),
  needsText: true,
  async run({ text }, given, tools) {
    const { apiKey } = credentialsOf(tools, { apiKey: z.string().min(1) });
    const { json } = await tools.ask({
      url: "https://guard.sydelabs.ai/api/v1/guard/generate-score",
      headers: { ...tools.forwarded, "x-api-key": apiKey },
      body: { prompt: text },
    });
    const data = answerAs(answer, json);
    const most = new Map([
      ["PROMPT_INJECT", given.prompt_injection_threshold],
      ["TOXIC", given.toxicity_threshold],
      ["EVASION", given.evasion_threshold],
    ]);
    const over = data.category_scores.some(({ category, score }) => score > (most.get(category) ?? Infinity));
    return { verdict: !over, data };
  },
  table: {
    passes: [
      {
        text: "hello",
        credentials,
        asks: [
          {
            url: "https://guard.sydelabs.ai/api/v1/guard/generate-score",
            headers: { "x-api-key": "k" },
            body: { prompt: "hello" },
            answer: scored("PROMPT_INJECT", 0.5),
          },
        ],
        data: scored("PROMPT_INJECT", 0.5),
      },
      { parameters: { toxicity_threshold: 0.9 }, text: "hm", credentials, asks: [{ answer: scored("TOXIC", 0.8) }] },
      { text: "hello", credentials, asks: [{ answer: scored("OTHER", 1) }] },
    ],
    fails: [
      { text: "bad", target: "response", credentials, asks: [{ answer: scored("TOXIC", 0.6) }] },
      { parameters: { evasion_threshold: 0.1 }, text: "bad", credentials, asks: [{ answer: scored("EVASION", 0.2) }] },
      { text: "hello", error: "apiKey" },
      { text: "hello", credentials, asks: [{ answer: { id: "1", score: 0 } }], error: "category_scores" },
      { text: "hello", credentials, asks: [{ answer: { category_scores: [] } }], error: "category_scores" },
      { text: "hello", credentials, asks: [{ status: 500 }], error: "500" },
    ],
  },
});
