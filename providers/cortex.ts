import { z } from "zod";
import { bearer, defineProvider, noThreads } from "../core/provider-kit/index.ts";

type Wire = Record<string, unknown>;

const eachChoice = (wire: Wire, change: (choice: Wire) => Wire): Wire =>
  Array.isArray(wire.choices) ? { ...wire, choices: wire.choices.map(change) } : wire;

/** Some models answer with `messages` instead of a `message` around its content. */
const withMessage = ({ messages, ...choice }: Wire): Wire =>
  choice.message === undefined && messages !== undefined
    ? { ...choice, message: { role: "assistant", content: messages } }
    : choice;

/** Some stream `content_list`, a list of text parts, instead of `content`. */
function withContent(choice: Wire): Wire {
  const { content_list: list, ...delta } = (choice.delta ?? {}) as Wire;
  if (typeof delta.content === "string" || !Array.isArray(list)) return choice;
  return { ...choice, delta: { ...delta, content: list.map((part) => part?.text ?? "").join("") } };
}

export default defineProvider({
  name: "cortex",
  summary: "Snowflake Cortex: models inside a Snowflake account.",
  baseUrl: ({ account }) => `https://${account}.snowflakecomputing.com/api/v2`,
  options: z.strictObject({
    // Text that could end the host name and begin another has no place here.
    account: z
      .string()
      .regex(/^[A-Za-z0-9][\w.-]*$/, { error: "a Snowflake account identifier: letters, digits, _ . -" })
      .describe("The Snowflake account, as in its address: myorg-account."),
    // docs.snowflake.com, "Authenticating Snowflake REST APIs".
    tokenType: z
      .enum(["KEYPAIR_JWT", "OAUTH", "PROGRAMMATIC_ACCESS_TOKEN"])
      .default("KEYPAIR_JWT")
      .describe("What apiKey is: a JWT signed with a key pair, an OAuth token, or a programmatic access token."),
  }),
  headerOptions: { account: "snowflake-account", tokenType: "snowflake-token-type" },
  tenantOptions: ["account"],
  authenticate: ({ apiKey, tokenType }) =>
    apiKey && { ...bearer(apiKey), "x-snowflake-authorization-token-type": tokenType },
  forwards: ["anthropic-version", "anthropic-beta"],
  // docs.snowflake.com, "Cortex REST API" (decision 0057).
  operations: {
    chat: [
      {
        format: "openai-chat",
        path: "/cortex/v1/chat/completions",
        // The other name is refused.
        renames: { max_completion_tokens: "max_completion_tokens", max_tokens: "max_completion_tokens" },
        normalise: (wire) => eachChoice(wire, withMessage),
        normaliseFrame: (wire) => eachChoice(wire, withContent),
      },
      {
        format: "anthropic-messages",
        path: "/cortex/v1/messages",
        serves: (model) => /claude/i.test(model),
        rewrite: noThreads,
      },
    ],
  },
});
