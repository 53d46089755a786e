import { z } from "zod";
import {
  bearer,
  defineProvider,
  fetchToken,
  modelsAt,
  noThreads,
  secret,
  TokenCache,
} from "../core/provider-kit/index.ts";

type Wire = Record<string, unknown>;

/** Reasoning models answer with a list of parts: `{type: "reasoning", summary: [{text}]}`, then `{type: "text", text}`. */
function flattened(message: unknown): unknown {
  const { content, ...rest } = (message ?? {}) as Wire;
  if (!Array.isArray(content)) return message;
  const texts = content.map((part: Wire) => (typeof part?.text === "string" ? part.text : ""));
  const thoughts = content.flatMap((part: Wire) => (Array.isArray(part?.summary) ? part.summary : []));
  const reasoning = thoughts.map((thought: Wire) => (typeof thought?.text === "string" ? thought.text : "")).join("");
  return { ...rest, content: texts.join(""), ...(reasoning !== "" && { reasoning_content: reasoning }) };
}

const inChoices =
  (field: "message" | "delta") =>
  (wire: Wire): Wire =>
    Array.isArray(wire.choices)
      ? { ...wire, choices: wire.choices.map((choice: Wire) => ({ ...choice, [field]: flattened(choice[field]) })) }
      : wire;

const gateway = "/ai-gateway";

/** Claude is served in its own format, too. */
const claude = {
  format: "anthropic-messages",
  path: `${gateway}/anthropic/v1/messages`,
  serves: (model: string) => /claude/i.test(model),
  rewrite: noThreads,
};

const hostOf = (workspace: string): string =>
  `https://${workspace.includes(".") ? workspace : `${workspace}.cloud.databricks.com`}`;

/** Tokens of service principals, for all generations of the config. */
const tokens = new TokenCache();

export default defineProvider({
  name: "databricks",
  summary: "Databricks: models served by a workspace.",
  baseUrl: ({ workspace }) => hostOf(workspace),
  options: z.strictObject({
    // A caller may name the workspace in a header: whatever it is, the token goes to a host of the vendor.
    workspace: z
      .string()
      .regex(/^[a-z0-9-]+(?:(?:\.\d+)?\.(?:cloud\.databricks\.com|gcp\.databricks\.com|azuredatabricks\.net))?$/, {
        error: "the name of a workspace, or its host below databricks.com or azuredatabricks.net",
      })
      .describe("The workspace, as in its address: dbc-a1b2c3d4, or a whole host on Azure and GCP."),
    clientId: z
      .string()
      .min(1)
      .exactOptional()
      .describe("A service principal, whose token is shown where no apiKey is given."),
    clientSecret: secret().exactOptional().describe("An OAuth secret of that principal."),
    tokenUrl: z
      .url({ protocol: /^https?$/ })
      .exactOptional()
      .describe("Where its tokens are had, if not at the workspace, in /oidc/v1/token."),
    servingEndpointName: z
      .string()
      .min(1)
      .exactOptional()
      .describe("A serving endpoint of the workspace that all calls go to. Absent: its gateway, by the model."),
    anthropicVersion: z
      .string()
      .exactOptional()
      .describe("Sent to Claude as anthropic-version; a client's own header wins."),
    anthropicBeta: z.string().exactOptional().describe("Sent to Claude as anthropic-beta; a client's own header wins."),
  }),
  headerOptions: {
    anthropicVersion: "anthropic-version",
    anthropicBeta: "anthropic-beta",
    workspace: "databricks-workspace",
    clientId: "databricks-client-id",
    clientSecret: "databricks-client-secret",
    servingEndpointName: "databricks-serving-endpoint-name",
  },
  tenantOptions: ["workspace", "clientId"],
  lacks: ({ apiKey, clientId, clientSecret }) =>
    apiKey || (clientId === undefined) === (clientSecret === undefined)
      ? undefined
      : "both clientId (databricks-client-id) and clientSecret (databricks-client-secret), or an apiKey",
  // docs.databricks.com, "Authorize service principal access to Databricks with OAuth": for the time of an hour.
  authenticate: ({ apiKey, workspace, clientId, clientSecret, tokenUrl, anthropicVersion, anthropicBeta }) => {
    const more = {
      ...(anthropicVersion !== undefined && { "anthropic-version": anthropicVersion }),
      ...(anthropicBeta !== undefined && { "anthropic-beta": anthropicBeta }),
    };
    if (apiKey) return { ...bearer(apiKey), ...more };
    if (clientId === undefined || !clientSecret) return undefined;
    const url = tokenUrl ?? `${hostOf(workspace)}/oidc/v1/token`;
    const source = tokens.source([url, clientId, clientSecret], () => ({
      fetch: () =>
        fetchToken({
          provider: "databricks",
          check: "clientId and clientSecret, and that the workspace has that service principal",
          url,
          headers: {
            authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret.reveal()}`).toString("base64")}`,
          },
          form: { grant_type: "client_credentials", scope: "all-apis" },
        }),
    }));
    return async () => ({ authorization: `Bearer ${(await source()).text}`, ...more });
  },
  forwards: ["anthropic-version", "anthropic-beta"],
  // What a workspace serves is listed beside its gateway.
  proxyPath: (path) => modelsAt(path, "/api/2.0/serving-endpoints"),
  operations: ({ servingEndpointName: name }) => {
    const at = (path: string) =>
      name === undefined ? `${gateway}/mlflow/v1${path}` : `/serving-endpoints/${encodeURIComponent(name)}/invocations`;
    const chat = {
      format: "openai-chat",
      path: at("/chat/completions"),
      normalise: inChoices("message"),
      normaliseFrame: inChoices("delta"),
    };
    return {
      chat: name === undefined ? [chat, { format: "openai-responses", path: at("/responses") }, claude] : chat,
      complete: { format: "openai-completions", path: at("/completions") },
      embed: { format: "openai-embeddings", path: at("/embeddings") },
    };
  },
});
