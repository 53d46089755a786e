import { defineCheck, z } from "../../../../core/index.ts";
import { classified } from "../../partners/lasso.ts";

const credentials = { apiKey: "k" };

export default defineCheck({
  id: "lasso.scan",
  summary: "Passes content in which Lasso finds nothing to block.",
  parameters: z.object({}),
  needsText: true,
  run: (input, _, tools) => classified(input, {}, tools),
  table: {
    passes: [
      {
        text: "hello",
        credentials,
        asks: [
          {
            url: "https://server.lasso.security/gateway/v3/classify",
            headers: { "lasso-api-key": "k" },
            body: { messages: [{ role: "user", content: "hello" }], messageType: "PROMPT" },
            answer: { violations_detected: false },
          },
        ],
      },
    ],
    fails: [
      { text: "bad", credentials, asks: [{ answer: { findings: { pii: [{ action: "BLOCK" }] } } }] },
      { text: "hello", error: "apiKey" },
      { text: "hello", credentials, asks: [{ answer: {} }], error: "what it found" },
      { text: "hello", credentials, asks: [{ silent: true }], error: "timed out" },
    ],
  },
});
