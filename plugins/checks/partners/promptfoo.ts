import { CheckError, type CheckTools, z } from "../../../core/index.ts";
import { answerAs } from "../answer-as.ts";

const answer = z.object({
  results: z
    .array(
      z.looseObject({
        flagged: z.boolean(),
        categories: z.record(z.string(), z.boolean()).nullish(),
        payload: z
          .looseObject({
            pii: z
              .array(
                z.looseObject({
                  entity_type: z.string(),
                  start: z.int().min(0),
                  end: z.int().min(0),
                  pii: z.string().nullish().catch(undefined),
                }),
              )
              .nullish(),
          })
          .nullish(),
      }),
    )
    .min(1),
});

/** Asks one of Promptfoo's models, which need no key (guardrails.md section 13.20). */
export async function askPromptfoo(tools: CheckTools, model: "guard" | "pii" | "harm", input: string) {
  const url = `https://api.promptfoo.dev/v1/${model}`;
  const { json } = await tools.ask({ url, headers: tools.forwarded, body: { input } });
  const [first] = answerAs(answer, json).results;
  if (!first) throw new CheckError("The service judged nothing.");
  return first;
}

/** What each of its checks makes of an answer that is none. */
export const errors = [
  { text: "hello", asks: [{ status: 500 }], error: "500" },
  { text: "hello", asks: [{ silent: true }], error: "timed out" },
  { text: "hello", asks: [{ answer: { results: [] } }], error: "results" },
];
