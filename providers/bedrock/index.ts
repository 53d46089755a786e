import { defineProvider, type ErrorDetail } from "../../core/provider-kit/index.ts";
import { authTypeOf, bearerOf } from "./auth-type.ts";
import { batchProcedures } from "./batches.ts";
import { counting, invocation, invokePath, isClaude } from "./claude.ts";
import { credentialsOf } from "./credentials.ts";
import { fileProcedures } from "./files.ts";
import { imagesOf } from "./images.ts";
import { lineFormats } from "./lines.ts";
import { options } from "./options.ts";
import { withArn } from "./rerank.ts";
import { signatureOf } from "./sign.ts";
import { storageHeaders } from "./storage.ts";
import { tuningProcedures } from "./tuning.ts";

const domainOf = (region: string) => (region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com");

export default defineProvider({
  name: "bedrock",
  summary: "AWS Bedrock: the models of many makers, by Converse; Claude in its own format, too.",
  baseUrl: ({ region, domain = domainOf(region) }) => `https://bedrock-runtime.${region}.${domain}`,
  options,
  headerOptions: {
    accessKeyId: "aws-access-key-id",
    secretAccessKey: "aws-secret-access-key",
    sessionToken: "aws-session-token",
    region: "aws-region",
    roleArn: "aws-role-arn",
    externalId: "aws-external-id",
    ...storageHeaders,
  },
  // Keys and roles say whose account is called: those of the file are not mixed with a caller's.
  tenantOptions: ["accessKeyId", "roleArn", "externalId"],
  machineOptions: ["authType"],
  authenticate: (given) => {
    if (authTypeOf(given) === undefined) return undefined;
    const token = bearerOf(given);
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  },
  sign: async (call, given) => {
    if (authTypeOf(given) === undefined || bearerOf(given) !== undefined) return {};
    const scope = { region: given.region, service: "bedrock" };
    return signatureOf(call, await credentialsOf(given)(), scope);
  },
  operations: ({ region, domain = domainOf(region), baseUrl }) => ({
    chat: [
      "bedrock-converse",
      {
        format: "anthropic-messages",
        serves: isClaude,
        path: invokePath,
        framing: "aws-event-stream",
        defaults: { anthropic_version: "bedrock-2023-05-31" },
        headerFields: { "anthropic-beta": "anthropic_beta" },
        drops: ["context_management"],
        rewrite: { when: ["{"], apply: invocation },
      },
    ],
    count: [
      {
        format: "anthropic-count-tokens",
        serves: isClaude,
        path: ({ model }) => `/model/${encodeURIComponent(model)}/count-tokens`,
        defaults: { anthropic_version: "bedrock-2023-05-31" },
        headerFields: { "anthropic-beta": "anthropic_beta" },
        drops: ["context_management"],
        rewrite: { when: ["{"], apply: counting },
        normalise: ({ inputTokens }) => ({ input_tokens: inputTokens }),
      },
      "bedrock-count-tokens",
    ],
    embed: [
      { format: "bedrock-titan-embeddings", serves: (model) => model.includes("titan-embed") },
      { format: "bedrock-nova-embeddings", serves: (model) => model.includes("amazon.nova") },
      {
        format: "cohere-embeddings",
        serves: (model) => model.includes("cohere.embed"),
        path: ({ model }) => invokePath({ model, stream: false }),
        rewrite: { when: ["{"], apply: ({ model: _, ...wire }) => wire },
      },
    ],
    image: imagesOf,
    rerank: {
      format: "bedrock-rerank",
      path: "/rerank",
      // One host serves the models, another one knowledge bases and ranking.
      ...(baseUrl === undefined && { origin: `https://bedrock-agent-runtime.${region}.${domain}` }),
      rewrite: { when: ["{"], apply: (wire) => withArn(wire, region) },
    },
  }),
  batchOperations: { chat: lineFormats },
  procedures: (given) => ({ ...fileProcedures(given), ...batchProcedures(given), ...tuningProcedures(given) }),
  readError: (_status, wire, headers) => readError(wire, headers?.["x-amzn-errortype"]),
});

/** The message stands in the body, its type in a header, with an address behind it. */
function readError(wire: unknown, header: string | string[] | undefined): ErrorDetail | undefined {
  if (typeof wire !== "object" || wire === null) return undefined;
  const { message, Message } = wire as { message?: unknown; Message?: unknown };
  const text = typeof message === "string" ? message : Message;
  if (typeof text !== "string") return undefined;
  const type = typeof header === "string" ? header.replace(/:.*$/s, "").replace(/^.*#/, "") : undefined;
  return { message: text, ...(type !== undefined && { type }) };
}
