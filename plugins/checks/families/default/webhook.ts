import { CheckError, defineCheck, recordedAddress, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { headersField, headersOf } from "../../headers.ts";
import { subjectOf } from "../../subject.ts";
import { eventOf, refusalOf, told } from "../../told.ts";

const side = z.object({ json: z.record(z.string(), z.unknown()).nullish() }).nullish();
const answer = z.object({
  verdict: z.boolean(),
  data: z.unknown().optional(),
  transformedData: z.object({ request: side, response: side }).nullish(),
});

export default defineCheck({
  id: "default.webhook",
  summary: "Passes what a service of one's own lets pass, as it is or as that service changes it.",
  parameters: z.object({
    webhookURL: z.url({ protocol: /^https?$/ }).describe("Who is asked, with a POST."),
    headers: headersField.describe("Sent to it: a map, or the JSON of one."),
    timeout: z.number().positive().default(3_000).describe("Milliseconds it may take."),
  }),
  urls: ["webhookURL"],
  async run(input, { webhookURL, headers, timeout }, tools) {
    const body = { ...told(subjectOf(input)), eventType: eventOf(input.target) };
    const about = { webhookUrl: recordedAddress(webhookURL), requestContext: { timeout } };
    try {
      const own = headersOf(headers);
      const { json } = await tools.ask({ url: webhookURL, headers: { ...tools.forwarded, ...own }, body, timeout });
      const { verdict, data, transformedData } = answerAs(answer, json);
      const changed = transformedData?.[input.target]?.json;
      const explanation = `The webhook ${verdict ? "let it pass" : "did not let it pass"}.`;
      return {
        verdict,
        data: { verdict, explanation, ...about, responseData: data ?? null },
        ...(changed && { json: changed }),
      };
    } catch (error) {
      if (!(error instanceof CheckError)) throw error;
      const data = { explanation: "The webhook gave no verdict.", ...about, ...refusalOf(error) };
      throw new CheckError(error.message, { label: error.label, data });
    }
  },
  table: {
    passes: [
      {
        parameters: { webhookURL: "https://hooks.example/x?key=1", headers: '{"X-Key":"k"}' },
        text: "hi",
        subject: { request: { messages: [] }, metadata: { _user: "u1" }, headers: { authorization: "Bearer secret" } },
        asks: [
          {
            url: "https://hooks.example/x?key=1",
            headers: { "x-key": "k" },
            body: {
              request: { json: { messages: [] }, text: "hi", isStreamingRequest: false, isTransformed: false },
              response: { json: {}, text: "", statusCode: null, isTransformed: false },
              provider: "openai",
              requestType: "chatComplete",
              metadata: { _user: "u1" },
              eventType: "beforeRequestHook",
            },
            answer: { verdict: true, data: { by: "rule" } },
          },
        ],
        data: {
          verdict: true,
          explanation: "The webhook let it pass.",
          webhookUrl: "https://hooks.example/x",
          responseData: { by: "rule" },
          requestContext: { timeout: 3000 },
        },
      },
      {
        parameters: ours(),
        subject: { request: { n: 1 } },
        asks: [{ answer: { verdict: true, transformedData: { request: { json: { n: 2 } }, response: { json: {} } } } }],
        json: { n: 2 },
      },
      {
        parameters: ours(),
        target: "response",
        subject: { request: {}, response: { a: 1 } },
        asks: [
          {
            body: { eventType: "afterRequestHook", response: { json: { a: 1 }, statusCode: 200 } },
            answer: { verdict: true, transformedData: { response: { json: { a: 2 } } } },
          },
        ],
        json: { a: 2 },
      },
    ],
    fails: [
      { parameters: ours(), subject: {}, asks: [{ answer: { verdict: false } }], data: { responseData: null } },
      {
        parameters: ours(),
        subject: {},
        asks: [{ status: 500, answer: { why: "down" } }],
        error: "500",
        data: { responseData: { why: "down" }, webhookUrl: "https://hooks.example/" },
      },
      { parameters: ours(), subject: {}, asks: [{ silent: true }], error: "timed out" },
      { parameters: ours(), subject: {}, asks: [{ answer: "ok" }], error: "something else" },
      { parameters: ours(), text: "hi", error: "on its own" },
    ],
  },
});

function ours() {
  return { webhookURL: "https://hooks.example" };
}
