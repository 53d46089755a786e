import { z } from "zod";
import { bearer, defineProvider } from "../core/provider-kit/index.ts";

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
  }),
  headerOptions: { account: "snowflake-account" },
  tenantOptions: ["account"],
  authenticate: ({ apiKey }) => apiKey && { ...bearer(apiKey), "x-snowflake-authorization-token-type": "KEYPAIR_JWT" },
  operations: {
    chat: {
      format: "openai-chat",
      path: "/cortex/inference:complete",
      normalise: (wire) => eachChoice(wire, withMessage),
      normaliseFrame: (wire) => eachChoice(wire, withContent),
    },
  },
});
