import { defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { credentialsOf } from "../../credentials.ts";
import { baseOf } from "../../partners/address.ts";
import { conversationOf } from "../../partners/conversation.ts";

const answer = z.looseObject({ action: z.string() });

const parameters = { projectID: "p-1" };
const credentials = { apiKey: "k" };

export default defineCheck({
  id: "aporia.validateProject",
  summary: "Passes what the policies of an Aporia project let through.",
  parameters: z.object({ projectID: z.string().min(1).describe("The project whose policies hold.") }),
  needsText: true,
  async run(input, { projectID }, tools) {
    const { apiKey, apiEndpoint } = credentialsOf(tools, {
      apiKey: z.string().min(1),
      apiEndpoint: z.url().default("https://gr-prd.aporia.com"),
    });
    const { text, target } = input;
    const messages = conversationOf(target === "request" ? input : { ...input, texts: [] });
    const { json } = await tools.ask({
      url: `${baseOf(apiEndpoint)}/${encodeURIComponent(projectID)}/validate`,
      headers: { ...tools.forwarded, "x-aporia-api-key": apiKey },
      body: {
        messages,
        explain: true,
        ...(target === "request" ? { validation_target: "prompt" } : { validation_target: "response", response: text }),
      },
    });
    const data = answerAs(answer, json);
    return { verdict: data.action === "passthrough", data };
  },
  table: {
    passes: [
      {
        parameters,
        text: "hello",
        credentials,
        asks: [
          {
            url: "https://gr-prd.aporia.com/p-1/validate",
            headers: { "x-aporia-api-key": "k" },
            body: { messages: [{ role: "user", content: "hello" }], explain: true, validation_target: "prompt" },
            answer: { action: "passthrough", explain_result: null },
          },
        ],
        data: { action: "passthrough", explain_result: null },
      },
      {
        parameters,
        text: "Paris.",
        target: "response",
        credentials: { ...credentials, apiEndpoint: "https://eu.aporia.example/" },
        subject: {
          body: {
            model: "m",
            stream: false,
            messages: [
              { role: "system", content: [{ type: "text", text: "Be brief." }] },
              { role: "user", content: [{ type: "text", text: "Capital of France?" }] },
            ],
          },
          response: {},
        },
        asks: [
          {
            url: "https://eu.aporia.example/p-1/validate",
            body: {
              messages: [
                { role: "system", content: "Be brief." },
                { role: "user", content: "Capital of France?" },
              ],
              validation_target: "response",
              response: "Paris.",
            },
            answer: { action: "passthrough" },
          },
        ],
      },
    ],
    fails: [
      { parameters, text: "bad", credentials, asks: [{ answer: { action: "block" } }] },
      { parameters, text: "bad", credentials, asks: [{ answer: { action: "rephrase" } }] },
      { parameters, text: "hello", error: "apiKey" },
      { parameters, text: "hello", credentials, asks: [{ status: 502 }], error: "502" },
      { parameters, text: "hello", credentials, asks: [{ answer: {} }], error: "action" },
    ],
  },
});
