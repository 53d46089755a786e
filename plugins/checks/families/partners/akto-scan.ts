import { type CheckInput, defineCheck, isRecord, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { credentialsOf } from "../../credentials.ts";
import { httpsAt } from "../../partners/address.ts";

const answer = z.object({
  data: z.object({ guardrailsResult: z.object({ Allowed: z.boolean(), Reason: z.string().nullish() }) }),
});

/** Where requests of a type come in, for a service that tells traffic by it. */
const paths: Readonly<Record<string, string>> = {
  chatComplete: "/v1/chat/completions",
  complete: "/v1/completions",
  messages: "/v1/messages",
  createModelResponse: "/v1/responses",
  embed: "/v1/embeddings",
};

const payload = (json: unknown, text: string): string => JSON.stringify(isRecord(json) ? json : { text });

/** The exchange as recorded traffic. */
function trafficOf({ subject, target, text }: CheckInput, now: number) {
  const response = target === "response" ? subject?.response : undefined;
  return {
    path: paths[subject?.requestType ?? "chatComplete"] ?? `/v1/${subject?.requestType}`,
    method: "POST",
    requestPayload: target === "request" || subject ? payload(subject?.request.json, text) : "",
    responsePayload: target === "response" ? payload(response?.json, text) : "",
    requestHeaders: '{"content-type":"application/json"}',
    responseHeaders: target === "response" ? '{"content-type":"application/json"}' : "{}",
    statusCode: String(response?.status ?? 200),
    time: String(Math.floor(now / 1000)),
    type: "HTTP/1.1",
    source: "MIRRORING",
    tag: '{"gen-ai":"Gen AI"}',
  };
}

const credentials = { apiKey: "k", apiDomain: "acme.akto.example" };
const allowed = { data: { guardrailsResult: { Allowed: true } } };

export default defineCheck({
  id: "akto.scan",
  summary: "Passes what the guardrails of an Akto account allow.",
  parameters: z.object({}),
  verdictOnError: true,
  needsText: true,
  async run(input, _, tools) {
    const { apiKey, apiDomain } = credentialsOf(tools, { apiKey: z.string().min(1), apiDomain: z.string().min(1) });
    const { json } = await tools.ask({
      url: `${httpsAt(apiDomain)}/api/http-proxy?guardrails=true`,
      headers: { ...tools.forwarded, authorization: apiKey },
      body: trafficOf(input, tools.now()),
    });
    const { Allowed: allowed, Reason: reason } = answerAs(answer, json).data.guardrailsResult;
    return { verdict: allowed, data: { allowed, reason: reason ?? null } };
  },
  table: {
    passes: [
      {
        text: "hi",
        credentials,
        subject: { request: { model: "m" }, requestType: "messages" },
        asks: [
          {
            url: "https://acme.akto.example/api/http-proxy?guardrails=true",
            headers: { authorization: "k" },
            body: {
              path: "/v1/messages",
              method: "POST",
              requestPayload: '{"model":"m"}',
              responsePayload: "",
              time: "1767607200",
            },
            answer: allowed,
          },
        ],
        data: { allowed: true, reason: null },
      },
      {
        text: "hi",
        target: "response",
        credentials,
        subject: { request: { model: "m" }, response: { id: "1" }, status: 200 },
        asks: [{ body: { requestPayload: '{"model":"m"}', responsePayload: '{"id":"1"}' }, answer: allowed }],
      },
      { text: "hi", credentials: { apiKey: "k" }, error: "apiDomain" },
      { text: "hi", credentials, asks: [{ status: 401 }], error: "401" },
      { text: "hi", credentials, asks: [{ answer: { data: {} } }], error: "guardrailsResult" },
    ],
    fails: [
      {
        text: "bad",
        credentials,
        asks: [
          {
            body: { requestPayload: '{"text":"bad"}' },
            answer: { data: { guardrailsResult: { Allowed: false, Reason: "PII" } } },
          },
        ],
        data: { allowed: false, reason: "PII" },
      },
    ],
  },
});
