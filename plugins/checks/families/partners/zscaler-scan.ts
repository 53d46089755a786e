import { defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { credentialsOf } from "../../credentials.ts";
import { baseOf } from "../../partners/address.ts";

const answer = z.object({
  action: z.enum(["ALLOW", "DETECT", "BLOCK"]),
  severity: z.unknown().optional(),
  detectorResponses: z.unknown().optional(),
  blockReason: z.unknown().optional(),
});

const tried = { parameters: { policyId: 7 }, text: "hello", credentials: { apiKey: "k" } };

export default defineCheck({
  id: "zscaler.scan",
  summary: "Passes text that a detection policy of Zscaler AI Guard does not block.",
  parameters: z.object({ policyId: z.union([z.string().min(1), z.int()]).describe("The policy that is executed.") }),
  verdictOnError: true,
  needsText: true,
  async run({ text, target }, { policyId }, tools) {
    const { apiKey, apiBase } = credentialsOf(tools, {
      apiKey: z.string().min(1),
      // Accounts live in one of several clouds: the first one but for those who say otherwise.
      apiBase: z.url().default("https://api.us1.zseclipse.net"),
    });
    const { json } = await tools.ask({
      url: `${baseOf(apiBase)}/v1/detection/execute-policy`,
      headers: { ...tools.forwarded, authorization: `Bearer ${apiKey}` },
      body: { policyId, direction: target === "request" ? "IN" : "OUT", content: text },
      timeout: 10_000,
    });
    const { action, severity = null, detectorResponses = null, blockReason = null } = answerAs(answer, json);
    return { verdict: action !== "BLOCK", data: { action, severity, detectorResponses, blockReason } };
  },
  table: {
    passes: [
      {
        ...tried,
        asks: [
          {
            url: "https://api.us1.zseclipse.net/v1/detection/execute-policy",
            headers: { authorization: "Bearer k" },
            body: { policyId: 7, direction: "IN", content: "hello" },
            answer: { transactionId: "t", action: "ALLOW", severity: "NONE" },
          },
        ],
        data: { action: "ALLOW", severity: "NONE", detectorResponses: null, blockReason: null },
      },
      {
        ...tried,
        credentials: { apiKey: "k", apiBase: "https://api.eu1.zseclipse.net/" },
        target: "response",
        asks: [
          {
            url: "https://api.eu1.zseclipse.net/v1/detection/execute-policy",
            body: { direction: "OUT" },
            answer: { action: "DETECT" },
          },
        ],
      },
      { ...tried, credentials: {}, error: "apiKey" },
      { ...tried, asks: [{ status: 403 }], error: "403" },
      { ...tried, asks: [{ answer: { action: null } }], error: "action" },
    ],
    fails: [
      {
        ...tried,
        asks: [{ answer: { action: "BLOCK", severity: "HIGH", blockReason: "toxicity" } }],
        data: { action: "BLOCK", severity: "HIGH", detectorResponses: null, blockReason: "toxicity" },
      },
    ],
  },
});
