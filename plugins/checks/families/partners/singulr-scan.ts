import { CheckError, defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { credentialsOf } from "../../credentials.ts";

const credentials = { apiKey: "k", apiBase: "https://singulr.example/scan" };

export default defineCheck({
  id: "singulr.scan",
  summary: "Passes what a service of one's own clears: one that is told a text, and answers a verdict or an action.",
  parameters: z.object({
    verdictField: z.string().min(1).default("verdict").describe("The field of the answer that is true for a pass."),
    actionField: z.string().min(1).default("action").describe("The field that is looked at where that one is absent."),
    failingActions: z
      .array(z.string())
      .min(1)
      .default(["block", "deny", "reject"])
      .describe("Actions that are a failure, in any case."),
  }),
  verdictOnError: true,
  needsText: true,
  async run({ text, target, subject }, { verdictField, actionField, failingActions }, tools) {
    const { apiKey, apiBase } = credentialsOf(tools, { apiKey: z.string().min(1), apiBase: z.url() });
    const { json } = await tools.ask({
      url: apiBase,
      headers: { ...tools.forwarded, authorization: `Bearer ${apiKey}` },
      body: { [target === "request" ? "input" : "output"]: text, metadata: subject?.metadata ?? {} },
    });
    const data = answerAs(z.record(z.string(), z.unknown()), json);
    const verdict = data[verdictField];
    if (typeof verdict === "boolean") return { verdict, data };
    const action = data[actionField];
    if (typeof action !== "string")
      throw new CheckError(`The service answered neither ${verdictField} nor ${actionField}.`, { data });
    const failing = failingActions.some((one) => one.toLowerCase() === action.toLowerCase());
    return { verdict: !failing, data };
  },
  table: {
    passes: [
      {
        text: "hello",
        credentials,
        subject: { metadata: { team: "a" } },
        asks: [
          {
            url: "https://singulr.example/scan",
            headers: { authorization: "Bearer k" },
            body: { input: "hello", metadata: { team: "a" } },
            answer: { verdict: true },
          },
        ],
        data: { verdict: true },
      },
      {
        text: "hello",
        target: "response",
        credentials,
        asks: [{ body: { output: "hello", metadata: {} }, answer: { action: "ALLOW" } }],
      },
      { text: "hello", credentials: { apiKey: "k" }, error: "apiBase" },
      { text: "hello", credentials, asks: [{ status: 500 }], error: "500" },
      { text: "hello", credentials, asks: [{ answer: { verdict: "yes" } }], error: "neither verdict nor action" },
      { text: "hello", credentials, asks: [{ answer: "<html>" }], error: "something else" },
    ],
    fails: [
      { text: "bad", credentials, asks: [{ answer: { verdict: false, reason: "PII" } }] },
      {
        parameters: { actionField: "decision", failingActions: ["Stop"] },
        text: "bad",
        credentials,
        asks: [{ answer: { decision: "stop" } }],
      },
    ],
  },
});
