import { defineCheck, z } from "../../../../core/index.ts";
import { classified } from "../../partners/lasso.ts";

const credentials = { apiKey: "k" };
const finding = (action: string) => ({ findings: { jailbreak: [{ name: "Jailbreak", action }] } });

export default defineCheck({
  id: "lasso.classify",
  summary: "Passes conversations in which Lasso finds nothing to block.",
  parameters: z.object({
    conversationId: z.string().optional().describe("The conversation it belongs to (a ULID)."),
    userId: z.string().optional().describe("Whose it is."),
  }),
  needsText: true,
  run: classified,
  table: {
    passes: [
      {
        parameters: { conversationId: "01J", userId: "u-1" },
        text: "hello",
        credentials,
        asks: [
          {
            url: "https://server.lasso.security/gateway/v3/classify",
            headers: { "lasso-api-key": "k" },
            body: {
              messages: [{ role: "user", content: "hello" }],
              messageType: "PROMPT",
              sessionId: "01J",
              userId: "u-1",
            },
            answer: { violations_detected: false, findings: {} },
          },
        ],
        data: { violations_detected: false, findings: {} },
      },
      { text: "hello", credentials, asks: [{ answer: finding("WARN") }] },
      {
        text: "hello",
        target: "response",
        credentials: { apiKey: "k", apiEndpoint: "https://lasso.example" },
        asks: [{ url: "https://lasso.example/", body: { messageType: "COMPLETION" }, answer: finding("AUTO_MASKING") }],
      },
    ],
    fails: [
      { text: "bad", credentials, asks: [{ answer: finding("BLOCK") }], data: finding("BLOCK") },
      { text: "hello", error: "apiKey" },
      { text: "hello", credentials, asks: [{ status: 500 }], error: "500" },
      { text: "hello", credentials, asks: [{ answer: { findings: [1] } }], error: "findings" },
    ],
  },
});
