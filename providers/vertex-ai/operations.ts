import {
  type OperationInput,
  type OperationInputs,
  type PathContext,
  strictChats,
} from "../../core/provider-kit/index.ts";
import { namelessCalls, takesNoIds } from "./calls.ts";
import { bodyFor, refusesOutputConfig } from "./claude.ts";
import { embeddingsOf, instancesOf, isEmbedContent, oneContent } from "./embeddings.ts";
import { labelsOf } from "./labels.ts";
import { by, claudeIn, inPath, modelOf } from "./models.ts";
import { isExpress, projectOf, type VertexOptions } from "./options.ts";
import { lonelyAlternatives } from "./schemas.ts";
import { tierFields } from "./tiers.ts";

type Wire = Readonly<Record<string, unknown>>;

/** Everything is below a project and a region: `/v1/projects/P/locations/R`. */
export const prefixOf = (options: VertexOptions, version = "v1"): string =>
  isExpress(options) ? `/${version}` : `/${version}/projects/${projectOf(options) ?? ""}/locations/${options.region}`;

const withoutModel = ({ model: _, ...rest }: Wire): Record<string, unknown> => rest;

/** Always runs: bodies of this vendor never say the model as others do. */
const everyBody = ['"model"'];

type Metadata = { readonly metadata?: typeof labelsOf };
type ModelPath = (action: (call: PathContext) => string) => (call: PathContext) => string;

/** What is served in whose format, by the publisher of the model (providers.md section 8.2). */
export function operationsOf(options: VertexOptions): OperationInputs {
  const prefix = prefixOf(options);
  const modelPath: ModelPath = (action) => (call) => {
    const { publisher, name } = modelOf(call.model);
    return `${prefix}/publishers/${publisher}/models/${inPath(name)}:${action(call)}`;
  };
  const metadata = options.skipCostLabels ? {} : { metadata: labelsOf };
  return {
    chat: chatsOf(options, modelPath, metadata),
    count: countsOf(options, modelPath),
    embed: [
      {
        format: "openai-embeddings",
        serves: (model) => !isEmbedContent(model),
        path: modelPath(() => "predict"),
        drops: ["user"],
        purposes: {
          field: "task_type",
          words: {
            query: "RETRIEVAL_QUERY",
            document: "RETRIEVAL_DOCUMENT",
            classification: "CLASSIFICATION",
            clustering: "CLUSTERING",
            similarity: "SEMANTIC_SIMILARITY",
          },
        },
        ...metadata,
        rewrite: { when: everyBody, apply: instancesOf },
        normalise: embeddingsOf,
      },
      {
        format: "gemini-embeddings",
        serves: isEmbedContent,
        path: modelPath(() => "embedContent"),
        rewrite: oneContent,
      },
    ],
    rerank: { format: "vertex-rerank", path: rankPath(options) },
    image: [
      { format: "gemini-images", serves: isGemini, path: modelPath(() => "generateContent"), ...metadata },
      { format: "imagen-images", path: modelPath(() => "predict") },
    ],
    speech: { format: "google-speech", path: speechPath(options) },
  };
}

function chatsOf(options: VertexOptions, modelPath: ModelPath, metadata: Metadata): OperationInput[] {
  const raw = modelPath(({ stream }) => (stream ? "streamRawPredict" : "rawPredict"));
  const gemini = {
    format: "gemini",
    path: modelPath(({ stream }) => (stream ? "streamGenerateContent?alt=sse" : "generateContent")),
    bodyHeaders: tierFields,
    ...metadata,
  };
  const claude = {
    format: "anthropic-messages",
    serves: by("anthropic"),
    path: raw,
    instructsWithin: true,
    leavesOutThinking: true,
    bodyHeaders: { anthropic_beta: "anthropic-beta" },
    rewrite: { when: everyBody, apply: bodyFor(options.anthropicVersion) },
  };
  return [
    {
      ...gemini,
      serves: takesNoIds,
      rewrite: {
        when: [...lonelyAlternatives.when, ...namelessCalls.when],
        apply: (wire) => namelessCalls.apply(lonelyAlternatives.apply(wire)),
      },
    },
    { ...gemini, serves: by("google"), rewrite: lonelyAlternatives },
    // Schemas and efforts of clients of other formats have no other place (providers.md appendix C).
    { ...claude, serves: refusesOutputConfig, dropsOfOwn: ["output_config"] },
    claude,
    { ...mistral, path: raw },
    ...openModels(options),
    // Its own clients say what they say.
    {
      format: "anthropic-messages-vertex",
      serves: isClaude,
      path: ({ model, stream }) =>
        claudePath(options, claudeIn(model) ?? model, stream ? "streamRawPredict" : "rawPredict"),
    },
  ];
}

const isClaude = (model: string): boolean => claudeIn(model) !== undefined;

const claudePath = (options: VertexOptions, name: string, action: string): string =>
  `${prefixOf(options)}/publishers/anthropic/models/${inPath(name)}:${action}`;

function countsOf(options: VertexOptions, modelPath: ModelPath): OperationInput[] {
  const gemini = { format: "gemini-count-tokens", path: modelPath(() => "countTokens") };
  return [
    {
      ...gemini,
      serves: takesNoIds,
      rewrite: { when: [...wrapped, ...namelessCalls.when], apply: (wire) => namelessCalls.apply(unwrapped(wire)) },
    },
    { ...gemini, serves: by("google"), rewrite: { when: wrapped, apply: unwrapped } },
    {
      format: "anthropic-count-tokens",
      serves: by("anthropic"),
      // One model counts for all of this maker: the body says which it is.
      model: nameOf,
      path: claudePath(options, "count-tokens", "rawPredict"),
      instructsWithin: true,
      leavesOutThinking: true,
      drops: ["output_config"],
      bodyHeaders: { anthropic_beta: "anthropic-beta" },
      rewrite: {
        when: everyBody,
        apply: (wire) => ({ ...bodyFor(options.anthropicVersion)(wire), model: wire.model }),
      },
    },
    {
      format: "anthropic-count-tokens-vertex",
      serves: isClaude,
      model: (model) => claudeIn(model) ?? model,
      path: claudePath(options, "count-tokens", "rawPredict"),
    },
  ];
}

/** Reranking is another service of the same vendor, in a host of its own; a base URL of one's own is for it, too. */
const rankPath = (options: VertexOptions & { readonly baseUrl?: string }): string =>
  `${options.baseUrl === undefined ? "https://discoveryengine.googleapis.com" : ""}/v1/projects/${projectOf(options) ?? ""}` +
  "/locations/global/rankingConfigs/default_ranking_config:rank";

const wrapped = ['"generateContentRequest"', '"generate_content_request"'];

/** This host counts a request by its fields, where Gemini's own API has them in one. */
function unwrapped({ generateContentRequest: inner, ...rest }: Wire): Record<string, unknown> {
  if (typeof inner !== "object" || inner === null) return { ...rest };
  const { model: _, ...fields } = inner as Wire;
  return { ...rest, ...fields };
}

/** So is speech. */
const speechPath = ({ baseUrl }: VertexOptions & { readonly baseUrl?: string }): string =>
  `${baseUrl === undefined ? "https://texttospeech.googleapis.com" : ""}/v1/text:synthesize`;

/** Google's models that draw are of two families. */
const isGemini = (model: string): boolean => {
  const { publisher, name } = modelOf(model);
  return publisher === "google" && name.startsWith("gemini-");
};

const nameOf = (model: string): string => modelOf(model).name;

/** As at Mistral itself (providers.md section 13.1), which has fields of later on that this host does not. */
const mistral = {
  format: "openai-chat",
  serves: by("mistralai"),
  model: nameOf,
  ...strictChats,
  drops: [...strictChats.drops, "prompt_cache_key", "service_tier"],
} as const;

/** Models served in OpenAI's format: those of some publishers at one path, those one deploys oneself at their own. */
function openModels(options: VertexOptions): OperationInput[] {
  const shared = { format: "openai-chat", model: publishedName, path: openPath(options) };
  return [
    {
      ...shared,
      serves: by("meta"),
      clamps: { max_tokens: [1, 2048], temperature: [0, 1], top_k: [0, 2048] },
    },
    { ...shared, serves: by("zai-org", "moonshotai", "qwen", "xai", "deepseek-ai", "minimaxai", "openai") },
    {
      format: "openai-chat",
      serves: by("endpoints"),
      path: ({ model }) => `${prefixOf(options)}/endpoints/${inPath(nameOf(model))}/chat/completions`,
      rewrite: { when: everyBody, apply: withoutModel },
    },
  ];
}

const openPath = (options: VertexOptions): string =>
  `${prefixOf(options, "v1beta1")}/endpoints/openapi/chat/completions`;

function publishedName(model: string): string {
  const { publisher, name } = modelOf(model);
  return `${publisher}/${name}`;
}
