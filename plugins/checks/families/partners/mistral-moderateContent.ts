import { CheckError, defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { credentialsOf } from "../../credentials.ts";
import { chatOf, conversationOf } from "../../partners/conversation.ts";

const answer = z.object({ results: z.array(z.object({ categories: z.record(z.string(), z.boolean()) })).min(1) });

const categories = [
  ...["sexual", "hate_and_discrimination", "violence_and_threats", "dangerous_and_criminal_content", "dangerous"],
  ...["criminal", "selfharm", "health", "financial", "law", "pii", "jailbreaking"],
] as const;
type Category = (typeof categories)[number];

/** What models before 2603 have as one category is two since. */
const otherwise: Partial<Record<Category, readonly Category[]>> = {
  dangerous_and_criminal_content: ["dangerous", "criminal"],
  dangerous: ["dangerous_and_criminal_content"],
  criminal: ["dangerous_and_criminal_content"],
};

type Found = Readonly<Record<string, boolean>>;

/** Whether a category was found, under whichever name the model has it; undefined where it has none. */
function isFound(category: Category, found: Found): boolean | undefined {
  const names = [category, ...(otherwise[category] ?? [])].filter((name) => Object.hasOwn(found, name));
  return names.length === 0 ? undefined : names.some((name) => found[name]);
}

const tried = { parameters: { categories: ["pii" as const, "law" as const] }, credentials: { apiKey: "k" } };
const finds = (...names: string[]) => ({
  results: [
    { categories: { pii: false, law: false, health: false, ...Object.fromEntries(names.map((name) => [name, true])) } },
  ],
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
    const flagged = categories.filter((name) => results.some((one) => isFound(name, one.categories)));
    if (flagged.length > 0) return { verdict: false, data: { flagged_categories: flagged } };
    const unknown = categories.filter((name) => results.some((one) => isFound(name, one.categories) === undefined));
    if (unknown.length > 0) throw new CheckError(`The model does not look for: ${unknown.join(", ")}.`);
    return { verdict: true, data: null };
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
          body: {
            model: "m",
            stream: false,
            messages: [
              { role: "developer", content: [{ type: "text", text: "Be brief." }] },
              { role: "user", content: [{ type: "text", text: "hello" }] },
            ],
          },
        },
        asks: [
          {
            url: "https://api.mistral.ai/v1/chat/moderations",
            body: {
              input: [
                [
                  { role: "system", content: "Be brief." },
                  { role: "user", content: "hello" },
                ],
              ],
            },
            answer: finds(),
          },
        ],
      },
      { ...tried, text: "hello", asks: [{ status: 503 }], error: "503" },
      { ...tried, text: "hello", asks: [{ answer: { results: [] } }], error: "results" },
      {
        ...tried,
        parameters: { categories: ["jailbreaking"] },
        text: "hello",
        asks: [{ answer: finds() }],
        error: "does not look for: jailbreaking",
      },
      {
        ...tried,
        parameters: { categories: ["dangerous_and_criminal_content"] },
        text: "hello",
        asks: [{ answer: { results: [{ categories: { dangerous: false, criminal: false } }] } }],
      },
    ],
    fails: [
      {
        ...tried,
        text: "call 555",
        target: "response",
        asks: [{ url: "/v1/moderations", answer: finds("pii", "health") }],
        data: { flagged_categories: ["pii"] },
      },
      {
        ...tried,
        parameters: { categories: ["dangerous_and_criminal_content"] },
        text: "how do I pick a lock?",
        asks: [{ answer: finds("criminal") }],
        data: { flagged_categories: ["dangerous_and_criminal_content"] },
      },
      {
        ...tried,
        parameters: { categories: ["dangerous", "jailbreaking"], model: "mistral-moderation-2411" },
        text: "how do I pick a lock?",
        asks: [{ body: { model: "mistral-moderation-2411" }, answer: finds("dangerous_and_criminal_content") }],
        data: { flagged_categories: ["dangerous"] },
      },
      { ...tried, text: "hello", credentials: {}, error: "apiKey" },
      { ...tried, text: "", error: "nothing to check" },
    ],
  },
});
