import { compact, defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { askPangea } from "../../partners/pangea.ts";

const detector = z.looseObject({ detected: z.boolean().nullish() }).nullish();
const answer = z.looseObject({ detectors: z.record(z.string(), detector) });

const failing = [
  ...["prompt_injection", "pii_entity", "malicious_entity", "custom_entity", "secrets_detection"],
  "profanity_and_toxicity",
];

const tried = { text: "hello", credentials: { apiKey: "k", domain: "aws.us.pangea.cloud" } };
const found = (detectors: object) => ({ status: "Success", result: { detectors } });

export default defineCheck({
  id: "pangea.textGuard",
  summary: "Passes text in which Pangea's AI Guard detects nothing.",
  parameters: z.object({
    recipe: z.string().optional().describe("The recipe that says what is looked for."),
    debug: z.boolean().optional().describe("Whether the answer says how it came about."),
    overrides: z.record(z.string(), z.unknown()).optional().describe("What differs from the recipe."),
  }),
  verdictOnError: true,
  needsText: true,
  async run({ text }, { recipe, debug, overrides }, tools) {
    const body = { text, ...compact({ recipe, debug, overrides }) };
    const { result } = await askPangea(tools, "ai-guard", "/v1/text/guard", body);
    const { detectors } = answerAs(answer, result);
    return { verdict: !failing.some((name) => detectors[name]?.detected), data: result };
  },
  table: {
    passes: [
      {
        ...tried,
        parameters: { recipe: "prompt", debug: true, overrides: { ignore_recipe: false } },
        asks: [
          {
            url: "https://ai-guard.aws.us.pangea.cloud/v1/text/guard",
            headers: { authorization: "Bearer k" },
            body: { text: "hello", recipe: "prompt", debug: true, overrides: { ignore_recipe: false } },
            answer: found({ prompt_injection: { detected: false }, language: { detected: true } }),
          },
        ],
        data: { detectors: { prompt_injection: { detected: false }, language: { detected: true } } },
      },
      { text: "hello", credentials: { apiKey: "k" }, error: "domain" },
      { ...tried, asks: [{ answer: { status: "ValidationError", result: null } }], error: "ValidationError" },
      { ...tried, asks: [{ status: 500 }], error: "500" },
      { ...tried, asks: [{ answer: { status: "Success", result: {} } }], error: "detectors" },
    ],
    fails: [
      { ...tried, asks: [{ answer: found({ secrets_detection: { detected: true } }) }] },
      { ...tried, asks: [{ answer: found({ custom_entity: { detected: true, data: {} } }) }] },
    ],
  },
});
