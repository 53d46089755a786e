import { type ChatRequest, CheckError, defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { credentialsOf } from "../../credentials.ts";
import { baseOf } from "../../partners/address.ts";
import { chatOf, conversationAs, conversationOf } from "../../partners/conversation.ts";

const answer = z.looseObject({
  required_action: z.looseObject({ action_type: z.string() }).nullish(),
  redacted_chat: z
    .looseObject({ all_redacted_messages: z.array(z.looseObject({ content: z.string().nullish() })) })
    .nullish(),
});

/** What the service may ask to be done. */
const known: ReadonlySet<string> = new Set(["monitor_action", "anonymize_action", "block_action"]);

const functionsOf = (chat: ChatRequest | undefined) =>
  (chat?.tools ?? []).flatMap((tool) =>
    tool.type === "function"
      ? [
          {
            type: "function",
            function: { name: tool.name, description: tool.description, parameters: tool.parameters },
          },
        ]
      : [],
  );

const credentials = { apiKey: "k", apiBase: "https://api.cato.example/" };
const chat = (...texts: string[]) => ({
  model: "m",
  stream: false,
  messages: texts.map((text) => ({ role: "user" as const, content: [{ type: "text" as const, text }] })),
});
const redacted = (...texts: string[]) => ({
  required_action: { action_type: "anonymize_action" },
  redacted_chat: { all_redacted_messages: texts.map((content) => ({ role: "user", content })) },
});

export default defineCheck({
  id: "cato.analyze",
  summary: "Passes conversations that a Cato Networks guard does not block; what it anonymises is replaced.",
  parameters: z.object({
    userEmail: z.string().optional().describe("The user the guard is told of."),
    keyAlias: z.string().optional().describe("The name of the caller's key, where policies differ by it."),
  }),
  verdictOnError: true,
  needsText: true,
  async run(input, { userEmail, keyAlias }, tools) {
    const { apiKey, apiBase } = credentialsOf(tools, {
      apiKey: z.string().min(1),
      apiBase: z.url().default("https://api.aisec.catonetworks.com"),
    });
    const messages = conversationOf(input);
    const functions = functionsOf(chatOf(input.subject));
    const { json } = await tools.ask({
      url: `${baseOf(apiBase)}/fw/v1/analyze`,
      headers: {
        ...tools.forwarded,
        authorization: `Bearer ${apiKey}`,
        ...(userEmail !== undefined && { "x-cato-user-email": userEmail }),
        ...(keyAlias !== undefined && { "x-cato-gateway-key-alias": keyAlias }),
      },
      body: {
        ...(input.subject?.model !== undefined && { model: input.subject.model }),
        messages,
        ...(functions.length > 0 && { tools: functions }),
      },
    });
    const data = answerAs(answer, json);
    const action = data.required_action?.action_type;
    if (action !== undefined && !known.has(action))
      throw new CheckError(`The service asks for something that is not known: ${action}.`);
    // What it rewrote is in the redacted messages; of the answer only its action is kept.
    const told = { action: action ?? null };
    if (action !== "anonymize_action") return { verdict: action !== "block_action", data: told };
    const made = data.redacted_chat?.all_redacted_messages ?? [];
    if (made.length !== messages.length)
      throw new CheckError("The service answered with another number of messages than it was sent.", {
        verdict: false,
      });
    const contents = made.map(({ content }) => content);
    return { verdict: true, data: told, ...conversationAs(input, contents) };
  },
  table: {
    passes: [
      {
        parameters: { userEmail: "a@b.example", keyAlias: "team-a" },
        text: "hello",
        credentials,
        asks: [
          {
            url: "https://api.cato.example/fw/v1/analyze",
            headers: {
              authorization: "Bearer k",
              "x-cato-user-email": "a@b.example",
              "x-cato-gateway-key-alias": "team-a",
            },
            body: { messages: [{ role: "user", content: "hello" }] },
            answer: { required_action: null },
          },
        ],
        data: { action: null },
      },
      {
        text: "555",
        target: "response",
        credentials: { apiKey: "k" },
        subject: { model: "m", body: { ...chat("number?"), tools: [{ type: "function", name: "f" }] } },
        asks: [
          {
            url: "https://api.aisec.catonetworks.com/fw/v1/analyze",
            body: {
              model: "m",
              messages: [
                { role: "user", content: "number?" },
                { role: "assistant", content: "555" },
              ],
              tools: [{ type: "function", function: { name: "f" } }],
            },
            answer: redacted("number?", "[PHONE]"),
          },
        ],
        becomes: "[PHONE]",
      },
      {
        text: "555",
        credentials,
        subject: { body: chat("I am Al", "555") },
        asks: [{ answer: redacted("I am [NAME]", "[PHONE]") }],
        body: chat("I am [NAME]", "[PHONE]"),
      },
      { text: "hello", credentials, asks: [{ answer: { required_action: { action_type: "monitor_action" } } }] },
      {
        text: "hello",
        credentials,
        asks: [{ answer: { required_action: { action_type: "quarantine_action" } } }],
        error: "quarantine_action",
      },
      { text: "hello", error: "apiKey" },
      { text: "hello", credentials, asks: [{ status: 500 }], error: "500" },
      { text: "hello", credentials, asks: [{ answer: "" }], error: "something else" },
    ],
    fails: [
      {
        text: "bad",
        credentials,
        asks: [{ answer: { required_action: { action_type: "block_action" } } }],
        data: { action: "block_action" },
      },
      { text: "555", credentials, asks: [{ answer: redacted() }], error: "another number" },
    ],
  },
});
