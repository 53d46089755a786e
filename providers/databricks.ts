import { z } from "zod";
import { defineProvider, modelsAt } from "../core/provider-kit/index.ts";

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
};

export default defineProvider({
  name: "databricks",
  summary: "Databricks: models served by a workspace.",
  baseUrl: ({ workspace }) => `https://${workspace.includes(".") ? workspace : `${workspace}.cloud.databricks.com`}`,
  options: z.strictObject({
    // A caller may name the workspace in a header: whatever it is, the token goes to a host of the vendor.
    workspace: z
      .string()
      .regex(/^[a-z0-9-]+(?:(?:\.\d+)?\.(?:cloud\.databricks\.com|gcp\.databricks\.com|azuredatabricks\.net))?$/, {
        error: "the name of a workspace, or its host below databricks.com or azuredatabricks.net",
      })
      .describe("The workspace, as in its address: dbc-a1b2c3d4, or a whole host on Azure and GCP."),
    servingEndpointName: z
      .string()
      .min(1)
      .exactOptional()
      .describe("A serving endpoint of the workspace that all calls go to. Absent: its gateway, by the model."),
  }),
  headerOptions: { workspace: "databricks-workspace", servingEndpointName: "databricks-serving-endpoint-name" },
  tenantOptions: ["workspace"],
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
