import { z } from "zod";
import { defineProvider } from "../core/provider-kit/index.ts";

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

const gateway = "/ai-gateway/mlflow/v1";

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
  }),
  headerOptions: { workspace: "databricks-workspace" },
  tenantOptions: ["workspace"],
  operations: {
    chat: [
      {
        format: "openai-chat",
        path: `${gateway}/chat/completions`,
        normalise: inChoices("message"),
        normaliseFrame: inChoices("delta"),
      },
      { format: "openai-responses", path: `${gateway}/responses` },
    ],
    complete: { format: "openai-completions", path: `${gateway}/completions` },
    embed: { format: "openai-embeddings", path: `${gateway}/embeddings` },
  },
});
