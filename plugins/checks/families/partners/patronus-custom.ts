import { defineCheck, z } from "../../../../core/index.ts";
import { evaluated } from "../../partners/patronus.ts";

/** `evaluator:criteria`, where the criteria may have colons of their own; criteria alone go to the judge. */
function evaluatorOf(profile: string) {
  const at = profile.indexOf(":");
  if (at < 0) return { evaluator: "judge", criteria: profile };
  return { evaluator: profile.slice(0, at) || "judge", criteria: profile.slice(at + 1) };
}

const credentials = { apiKey: "k" };
const pass = { results: [{ evaluation_result: { pass: true } }] };
const asking = (profile: string, evaluator: object) => ({
  parameters: { profile },
  text: "Hello",
  credentials,
  asks: [
    {
      url: "https://api.patronus.ai/v1/evaluate",
      headers: { "x-api-key": "k" },
      body: { evaluators: [evaluator] },
      answer: pass,
    },
  ],
});

export default defineCheck({
  id: "patronus.custom",
  summary: "Passes answers that a profile of one's own at Patronus lets through.",
  parameters: z.object({
    profile: z.string().min(1).describe("The evaluator and its criteria with a colon between them: judge:my-criteria."),
  }),
  targets: ["response"],
  verdictElsewhere: true,
  needsText: true,
  async run({ text, subject }, { profile }, tools) {
    const exchanged = { input: subject?.request.text ?? "", output: text };
    const { pass, info } = await evaluated(tools, evaluatorOf(profile), exchanged);
    return { verdict: pass, data: info };
  },
  table: {
    passes: [
      asking("judge:my-criteria", { evaluator: "judge", criteria: "my-criteria" }),
      asking("glider:team:strict", { evaluator: "glider", criteria: "team:strict" }),
      asking(":mine", { evaluator: "judge", criteria: "mine" }),
      asking("mine", { evaluator: "judge", criteria: "mine" }),
    ],
    fails: [
      {
        parameters: { profile: "judge:mine" },
        text: "Hello",
        credentials,
        asks: [{ answer: { results: [{ evaluation_result: { pass: false, additional_info: { a: 1 } } }] } }],
        data: { a: 1 },
      },
      { parameters: { profile: "judge:mine" }, text: "Hello", error: "apiKey" },
      { parameters: { profile: "judge:mine" }, text: "Hello", credentials, asks: [{ status: 500 }], error: "500" },
    ],
  },
});
