import { randomUUID } from "node:crypto";
import { type CheckInput, compact, defineCheck, environmentVariable, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { credentialsOf } from "../../credentials.ts";
import { baseOf } from "../../partners/address.ts";
import { conversationOf, type Said } from "../../partners/conversation.ts";
import { withoutScaffolding } from "../../partners/scaffolding.ts";

const answer = z.looseObject({ action: z.string() });

const scopes = ["last_message", "last_user_message", "user_messages", "all_messages"] as const;

/** What is scanned of a request; an answer is scanned whole. */
function scanned(input: CheckInput, scope: (typeof scopes)[number], strip: boolean): string {
  const { target, texts } = input;
  const all = conversationOf(input);
  const last = texts.filter((text) => text !== "").length;
  const role = all.at(-1)?.role ?? "user";
  const users = all.filter((one) => one.role === "user");
  const chosen: Record<typeof scope, () => Said[]> = {
    last_message: () => all.slice(all.length - last),
    last_user_message: () => (role === "user" ? all.slice(all.length - last) : users.slice(-1)),
    user_messages: () => users,
    all_messages: () => all,
  };
  const spoken = target === "response" ? all.slice(all.length - last) : chosen[scope]();
  return spoken
    .map(({ role, content }) => (strip && role !== "tool" ? withoutScaffolding(content) : content))
    .filter((text) => text !== "")
    .join("\n");
}

const tried = { text: "hello", credentials: { AIRS_API_KEY: "k" } };
const chat = {
  model: "m",
  stream: false,
  messages: [
    { role: "system" as const, content: [{ type: "text" as const, text: "Be brief." }] },
    { role: "user" as const, content: [{ type: "text" as const, text: "<system-reminder>x</system-reminder> one" }] },
    { role: "assistant" as const, content: [{ type: "text" as const, text: "two" }] },
    {
      role: "tool" as const,
      content: [
        {
          type: "tool-result" as const,
          toolCallId: "t",
          content: [{ type: "text" as const, text: "<system-reminder>y</system-reminder>" }],
        },
      ],
    },
  ],
};
const ofChat = (scan_scope: (typeof scopes)[number], prompt: string, strip_scaffolding = true) => ({
  ...tried,
  text: "<system-reminder>y</system-reminder>",
  parameters: { scan_scope, strip_scaffolding },
  subject: { body: chat },
  asks: [{ body: { contents: [{ prompt }] }, answer: { action: "allow" } }],
});

export default defineCheck({
  id: "panw-prisma-airs.intercept",
  aliases: ["panwPrismaAirs.intercept"],
  summary: "Passes what a security profile of Prisma AIRS does not block.",
  parameters: z.object({
    profile_name: z.string().optional().describe("The profile, by its name; that of the key unless said."),
    profile_id: z.string().optional().describe("The profile, by its id."),
    ai_model: z.string().default("unknown-model").describe("The model the service is told of."),
    app_user: z.string().default("gateway").describe("The user it is told of."),
    app_name: z.string().optional().describe("The application it is told of, with Gateway- before it."),
    scan_scope: z.enum(scopes).default("last_message").describe("Which messages of a request are scanned."),
    strip_scaffolding: z
      .boolean()
      .default(false)
      .describe("Whether blocks that harnesses of agents add (system-reminder, mcp-instructions) are left out."),
  }),
  needsText: true,
  async run(input, given, tools) {
    const { AIRS_API_KEY: key, apiBase } = credentialsOf(
      { credentials: { AIRS_API_KEY: environmentVariable("AIRS_API_KEY"), ...tools.credentials } },
      // Keys of other regions are good at the hosts of these only.
      {
        AIRS_API_KEY: z.string().min(1),
        apiBase: z.url().default("https://service.api.aisecurity.paloaltonetworks.com"),
      },
      true,
    );
    const text = scanned(input, given.scan_scope, given.strip_scaffolding);
    if (text === "") return { verdict: true, data: null };
    const profile = compact({ profile_name: given.profile_name, profile_id: given.profile_id });
    const { json } = await tools.ask({
      url: `${baseOf(apiBase)}/v1/scan/sync/request`,
      headers: { ...tools.forwarded, "x-pan-token": key },
      body: {
        tr_id: input.subject?.exchange.traceId ?? randomUUID(),
        metadata: {
          ai_model: given.ai_model,
          app_user: given.app_user,
          app_name: given.app_name === undefined ? "Gateway" : `Gateway-${given.app_name}`,
        },
        contents: [input.target === "request" ? { prompt: text } : { response: text }],
        ...(Object.keys(profile).length > 0 && { ai_profile: profile }),
      },
    });
    const data = answerAs(answer, json);
    return { verdict: data.action !== "block", data };
  },
  table: {
    passes: [
      {
        ...tried,
        parameters: { profile_name: "strict", app_name: "shop" },
        subject: {},
        asks: [
          {
            url: "https://service.api.aisecurity.paloaltonetworks.com/v1/scan/sync/request",
            headers: { "x-pan-token": "k" },
            body: {
              tr_id: "trace-1",
              metadata: { ai_model: "unknown-model", app_user: "gateway", app_name: "Gateway-shop" },
              contents: [{ prompt: "hello" }],
              ai_profile: { profile_name: "strict" },
            },
            answer: { action: "allow", category: "benign" },
          },
        ],
        data: { action: "allow", category: "benign" },
      },
      {
        ...tried,
        target: "response",
        credentials: { AIRS_API_KEY: "k", apiBase: "https://service-de.api.aisecurity.paloaltonetworks.com/" },
        asks: [
          {
            url: "https://service-de.api.aisecurity.paloaltonetworks.com/v1/scan/sync/request",
            body: { contents: [{ response: "hello" }] },
            answer: { action: "allow" },
          },
        ],
      },
      ofChat("last_message", "<system-reminder>y</system-reminder>"),
      ofChat("last_user_message", "one"),
      ofChat("user_messages", "<system-reminder>x</system-reminder> one", false),
      ofChat("all_messages", "Be brief.\none\ntwo\n<system-reminder>y</system-reminder>"),
      { ...tried, parameters: { strip_scaffolding: true }, text: "<system-reminder>x</system-reminder>" },
      { text: "hello", error: "AIRS_API_KEY" },
    ],
    fails: [
      { ...tried, asks: [{ answer: { action: "block" } }], data: { action: "block" } },
      { ...tried, asks: [{ answer: {} }], error: "action" },
      { ...tried, asks: [{ status: 403 }], error: "403" },
    ],
  },
});
