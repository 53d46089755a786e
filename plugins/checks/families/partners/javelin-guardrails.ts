import { CheckError, defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { credentialsOf } from "../../credentials.ts";
import { httpsAt } from "../../partners/address.ts";

const assessment = z.looseObject({
  request_reject: z.boolean().nullish(),
  results: z
    .looseObject({
      categories: z.unknown().optional(),
      category_scores: z.unknown().optional(),
      reject_prompt: z.string().nullish(),
    })
    .nullish(),
  config: z.looseObject({ threshold_used: z.unknown().optional() }).nullish(),
});
const answer = z.looseObject({ assessments: z.array(z.record(z.string(), assessment)).min(1) });

const credentials = { apiKey: "k", domain: "https://api.javelin.example", application: "app" };
const tried = { text: "hello", credentials };
const clear = { assessments: [{ trustsafety: { request_reject: false } }] };

export default defineCheck({
  id: "javelin.guardrails",
  summary: "Passes text that no guardrail of a Javelin application rejects.",
  parameters: z.object({}),
  verdictOnError: true,
  needsText: true,
  async run({ text }, _, tools) {
    const { apiKey, domain, application } = credentialsOf(tools, {
      apiKey: z.string().min(1),
      domain: z.string().min(1).default("api-dev.javelin.live"),
      application: z.string().min(1),
    });
    const { json } = await tools.ask({
      url: `${httpsAt(domain)}/v1/guardrails/apply`,
      headers: { ...tools.forwarded, "x-javelin-apikey": apiKey, "x-javelin-application": application },
      body: { input: { text }, config: {}, metadata: {} },
    });
    const { assessments } = answerAs(answer, json);
    const all = assessments.flatMap((one) => Object.entries(one));
    if (all.length === 0) throw new CheckError("The service assessed nothing.");
    const rejecting = all.filter(([, one]) => one.request_reject);
    if (rejecting.length === 0) {
      if (all.some(([, one]) => typeof one.request_reject !== "boolean"))
        throw new CheckError("The service did not say of each of its guardrails whether it rejects.");
      return { verdict: true, data: { assessments, all_passed: true } };
    }
    const flagged = rejecting.map(([type, { results, config }]) => ({
      type,
      request_reject: true,
      categories: results?.categories ?? null,
      category_scores: results?.category_scores ?? null,
      threshold_used: config?.threshold_used ?? null,
    }));
    const [reject_prompt = null] = rejecting.flatMap(([, { results }]) => results?.reject_prompt ?? []);
    return { verdict: false, data: { flagged_assessments: flagged, reject_prompt, javelin_response: { assessments } } };
  },
  table: {
    passes: [
      {
        ...tried,
        asks: [
          {
            url: "https://api.javelin.example/v1/guardrails/apply",
            headers: { "x-javelin-apikey": "k", "x-javelin-application": "app" },
            body: { input: { text: "hello" }, config: {}, metadata: {} },
            answer: clear,
          },
        ],
        data: { ...clear, all_passed: true },
      },
      {
        text: "hello",
        credentials: { apiKey: "k", application: "app" },
        asks: [{ url: "https://api-dev.javelin.live/v1", answer: clear }],
      },
      { text: "hello", credentials: { apiKey: "k" }, error: "application" },
      { ...tried, asks: [{ status: 500 }], error: "500" },
      { ...tried, asks: [{ answer: { assessments: [] } }], error: "assessments" },
      { ...tried, asks: [{ answer: { assessments: [{}] } }], error: "nothing" },
      { ...tried, asks: [{ answer: { assessments: [{ trustsafety: {} }] } }], error: "did not say" },
    ],
    fails: [
      {
        ...tried,
        asks: [{ answer: { assessments: [{ a: {}, b: { request_reject: true, results: {} } }] } }],
        data: {
          flagged_assessments: [
            { type: "b", request_reject: true, categories: null, category_scores: null, threshold_used: null },
          ],
          reject_prompt: null,
        },
      },
      {
        ...tried,
        asks: [
          {
            answer: {
              assessments: [
                {
                  promptinjectiondetection: {
                    request_reject: true,
                    results: {
                      categories: { jailbreak: true },
                      category_scores: { jailbreak: 0.9 },
                      reject_prompt: "Unable to help.",
                    },
                    config: { threshold_used: 0.5 },
                  },
                },
              ],
            },
          },
        ],
        data: {
          reject_prompt: "Unable to help.",
          flagged_assessments: [
            {
              type: "promptinjectiondetection",
              request_reject: true,
              categories: { jailbreak: true },
              category_scores: { jailbreak: 0.9 },
              threshold_used: 0.5,
            },
          ],
        },
      },
    ],
  },
});
