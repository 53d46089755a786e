import { CheckError, defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { credentialsOf } from "../../credentials.ts";
import { chatOf, conversationOf } from "../../partners/conversation.ts";

const answer = z.object({ results: z.array(z.object({ categories: z.record(z.string(), z.boolean()) })).min(1) });

const categories = [
  ...["sexual", "hate_and_discrimination", "violence_and_threats", "dangerous_and_criminal_content"],
  ...["selfharm", "health", "financial", "law", "pii"],
] as const;

const tried = { parameters: { categories: ["pii" as const, "law" as const] }, credentials: { apiKey: "k" } };
const finds = (...names: string[]) => ({
  results: [{ categories: { pii: false, health: false, ...Object.fromEntries(names.map((name) => [name, true])) } }],
});

export default defineCheck({
  id: "mistral.moderateContent",
  summary: "Passes text in which Mistral's moderation finds none of the categories.",
  parameters: z.object({
    categories: z.array(z.enum(categories)).min(1).describe("What fails."),
    model: z.string().min(1).default("mistral-moderation-latest").describe("The model that judges."),
  }),
  verdictOnError: true,
  async run(input, { categories, model }, tools) {
    const { apiKey } = credentialsOf(tools, { apiKey: z.string().min(1) }, false);
    if (input.text === "") throw new CheckError("There is nothing to check.", { verdict: false });
    const isChat = input.target === "request" && chatOf(input.subject) !== undefined;
    const { json } = await tools.ask({
      url: `https://api.mistral.ai/v1/${isChat ? "chat/" : ""}moderations`,
      headers: { ...tools.forwarded, authorization: `Bearer ${apiKey}` },
      body: { model, input: [isChat ? conversationOf(input) : input.text] },
    });
    const { results } = answerAs(answer, json);
    const flagged = categories.filter((name) => results.some((one) => one.categories[name]));
    return { verdict: flagged.length === 0, data: flagged.length === 0 ? null : { flagged_categories: flagged } };
  },
  table: {
    passes: [
      {
        ...tried,
        text: "hello",
        asks: [
          {
            url: "https://api.mistral.ai/v1/moderations",
            headers: { authorization: "Bearer k" },
            body: { model: "mistral-moderation-latest", input: ["hello"] },
            answer: finds("health"),
          },
        ],
      },
      {
        ...tried,
        text: "hello",
        subject: {
          body: { model: "m", stream: false, messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }] },
        },
        asks: [
          {
            url: "https://api.mistral.ai/v1/chat/moderations",
            body: { input: [[{ role: "user", content: "hello" }]] },
            answer: finds(),
          },
        ],
      },
      { ...tried, text: "hello", asks: [{ status: 503 }], error: "503" },
      { ...tried, text: "hello", asks: [{ answer: { results: [] } }], error: "results" },
    ],
    fails: [
      {
        ...tried,
        text: "call 555",
        target: "response",
        asks: [{ url: "/v1/moderations", answer: finds("pii", "health") }],
        data: { flagged_categories: ["pii"] },
      },
      { ...tried, text: "hello", credentials: {}, error: "apiKey" },
      { ...tried, text: "", error: "nothing to check" },
    ],
  },
});
