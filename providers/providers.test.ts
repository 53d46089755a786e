import { readdirSync } from "node:fs";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { builtInFormats } from "../core/built-in-formats.ts";
import { knownModules } from "../core/config/known-modules.ts";
import { moduleLoader } from "../core/config/modules.ts";
import type { BoundProvider } from "../core/model/provider.ts";
import { rawPath } from "../core/pipeline/attempt/raw-attempt.ts";
import { addressOf } from "../core/pipeline/attempt/upstream-call.ts";
import { bindProvider } from "../core/provider-kit/bind.ts";
import type { CommonOptions, ProviderDefinition } from "../core/provider-kit/provider-definition.ts";

const key = "sk-test-0123456789";

const { formats } = await builtInFormats();

const slugs = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter(({ name }) => name !== "fixtures")
  .filter((entry) => entry.isDirectory() || (entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts")))
  .map(({ name }) => name.replace(/\.ts$/, ""));

const load = (slug: string) => moduleLoader().provider(slug, ".") as Promise<ProviderDefinition>;

/** What a provider needs besides a key before it has an address. */
const address: Readonly<Record<string, Record<string, string>>> = {
  "azure-ai": { baseUrl: "https://r1.services.ai.azure.com/models" },
  "azure-openai": { resourceName: "r1", deploymentId: "d1", apiVersion: "2024-10-21" },
  cortex: { account: "myorg-account" },
  databricks: { workspace: "dbc-a1b2" },
  predibase: { tenant: "t1" },
  ollama: { baseUrl: "http://localhost:11434" },
  modal: { baseUrl: "https://me--llm.modal.run/v1" },
  passthrough: { baseUrl: "https://api.example.com" },
  "workers-ai": { account: "0a1b2c" },
  oracle: {
    region: "us-chicago-1",
    tenancy: "t",
    user: "u",
    fingerprint: "12:34",
    privateKey: key,
    compartmentId: "c",
  },
  triton: { baseUrl: "https://triton.example/v2/models/m" },
  milvus: { baseUrl: "https://milvus.example" },
  qdrant: { baseUrl: "https://qdrant.example" },
  "scenario-ai": { secret: "s" },
  "vertex-ai": { region: "us-central1", projectId: "p" },
};

async function bound(slug: string, more: Record<string, unknown> = {}) {
  const definition = await load(slug);
  const parsed = definition.options.parse({ apiKey: key, ...address[slug], ...more });
  const options = parsed as CommonOptions & Record<string, unknown>;
  return { definition, options, provider: bindProvider({ slug, definition, options, formats }) };
}

const headersOf = async (slug: string, more?: Record<string, unknown>) => {
  const { headers } = (await bound(slug, more)).provider;
  return typeof headers === "function" ? headers() : headers;
};

/** Vendors that are reached by raw calls only. */
const proxied = ["meshy", "milvus", "qdrant", "replicate", "scenario-ai", "tripo3d"];

describe.each(slugs)("the provider %s", (slug) => {
  it("is named after its file and says what it is in one sentence", async () => {
    const { name, summary } = await load(slug);
    expect(name).toBe(slug);
    expect(summary).toMatch(/^\S.*\.$/);
  });

  it("offers at least one operation, unless it passes everything", async () => {
    const { provider } = await bound(slug);
    expect(provider.usable).toBe(true);
    const rawOnly = provider.raw === true || proxied.includes(slug);
    expect(Object.keys(provider.operations).length > 0).toBe(!rawOnly);
  });

  it("is called by https, unless it is a machine of one's own", async () => {
    const { provider } = await bound(slug);
    expect(provider.baseUrl).toMatch(slug === "ollama" ? /^http:/ : /^https:\/\/[a-z0-9]/);
  });

  it("takes another base URL in place of its own", async () => {
    const { provider } = await bound(slug, { baseUrl: "https://mirror.example/v9" });
    expect(provider.baseUrl).toBe("https://mirror.example/v9");
  });

  it("shows its key nowhere but in a header", async () => {
    const { definition, options } = await bound(slug);
    for (const shown of [JSON.stringify(options), inspect(options, { depth: 9 }), inspect(definition, { depth: 9 })])
      expect(shown).not.toContain(key);
  });
});

it("describes every option of every provider", async () => {
  const { providers } = await knownModules(moduleLoader(), ".");
  const undescribed = providers.flatMap(({ name, options }) =>
    options.filter(({ meaning }) => meaning === "").map((option) => `${name}: ${option.name}`),
  );
  expect(undescribed).toEqual([]);
  expect(providers.filter(({ problem }) => problem !== undefined)).toEqual([]);
});

const chat = "/chat/completions";
/** The table of providers.md section 3: slug, base URL, path of chat, the other operations. */
const rows: readonly (readonly [slug: string, baseUrl: string, chat: string | undefined, others?: string])[] = [
  [
    "openai",
    "https://api.openai.com/v1",
    chat,
    "count complete embed image imageEdit imageVariation speech transcribe translate moderate",
  ],
  ["github", "https://models.inference.ai.azure.com", chat, "complete embed"],
  ["mistral-ai", "https://api.mistral.ai/v1", chat, "complete embed ocr speech transcribe"],
  ["deepseek", "https://api.deepseek.com", `/v1${chat}`],
  ["perplexity-ai", "https://api.perplexity.ai", "/v1/responses"],
  ["groq", "https://api.groq.com/openai/v1", chat, "speech transcribe translate"],
  ["openrouter", "https://openrouter.ai/api", `/v1${chat}`, "embed"],
  ["together-ai", "https://api.together.xyz", `/v1${chat}`, "complete embed image speech transcribe translate"],
  ["fireworks-ai", "https://api.fireworks.ai/inference/v1", chat, "complete embed image"],
  ["x-ai", "https://api.x.ai/v1", chat, "complete embed image imageEdit"],
  ["huggingface", "https://router.huggingface.co", `/v1${chat}`, "complete"],
  ["ollama", "http://localhost:11434", `/v1${chat}`, "embed"],
  ["jina", "https://api.jina.ai/v1", undefined, "embed rerank"],
  ["voyage", "https://api.voyageai.com/v1", undefined, "embed rerank"],
  ["nomic", "https://api-atlas.nomic.ai/v1", undefined, "embed"],
  ["cortex", "https://myorg-account.snowflakecomputing.com/api/v2", `/cortex/v1${chat}`],
  ["databricks", "https://dbc-a1b2.cloud.databricks.com", `/ai-gateway/mlflow/v1${chat}`, "complete embed"],
  ["byteplus", "https://ark.ap-southeast.bytepluses.com/api/v3", chat, "embed image"],
  ["predibase", "https://serving.app.predibase.com/t1", `/deployments/v2/llms/llama-3/v1${chat}`],
  ["dashscope", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", chat, "embed"],
  ["moonshot", "https://api.moonshot.cn", `/v1${chat}`, "count"],
  ["lingyi", "https://api.lingyiwanwu.com", `/v1${chat}`],
  ["zhipu", "https://open.bigmodel.cn/api/paas/v4", chat, "count embed image"],
  ["z-ai", "https://api.z.ai/api/paas/v4", chat, "count image"],
  ["siliconflow", "https://api.siliconflow.cn/v1", chat, "embed image"],
  ["novita-ai", "https://api.novita.ai/v3/openai", `/v1${chat}`, "complete"],
  ["monsterapi", "https://llm.monsterapi.ai/v1", chat],
  ["deepinfra", "https://api.deepinfra.com/v1/openai", chat, "complete embed"],
  ["anyscale", "https://api.endpoints.anyscale.com/v1", chat, "complete embed"],
  ["ncompass", "https://api.ncompass.tech/v1", chat],
  ["deepbricks", "https://api.deepbricks.ai/v1", chat, "image"],
  ["cerebras", "https://api.cerebras.ai/v1", chat],
  ["inference-net", "https://api.inference.net/v1", chat],
  ["sambanova", "https://api.sambanova.ai", `/v1${chat}`],
  ["lemonfox-ai", "https://api.lemonfox.ai/v1", chat, "image transcribe"],
  ["upstage", "https://api.upstage.ai/v1/solar", chat, "embed"],
  ["lambda", "https://api.lambdalabs.com/v1", chat, "complete"],
  ["nebius", "https://api.studio.nebius.ai/v1", chat, "complete embed"],
  ["lepton", "https://api.lepton.ai", `/api/v1${chat}`, "complete transcribe"],
  ["kluster-ai", "https://api.kluster.ai/v1", chat, "embed"],
  ["nscale", "https://inference.api.nscale.com/v1", chat, "image"],
  ["hyperbolic", "https://api.hyperbolic.xyz", `/v1${chat}`, "image"],
  ["recraft-ai", "https://external.api.recraft.ai/v1", undefined, "image"],
  ["stability-ai", "https://api.stability.ai", undefined, "image"],
  ["featherless-ai", "https://api.featherless.ai/v1", chat, "complete"],
  ["krutrim", "https://cloud.olakrutrim.com/v1", chat],
  ["302ai", "https://api.302.ai", `/v1${chat}`],
  ["cometapi", "https://api.cometapi.com/v1", chat, "embed"],
  ["matterai", "https://api.matterai.so/v1", chat],
  ["nextbit", "https://api.nextbit256.com/v1", chat, "complete"],
  ["modal", "https://me--llm.modal.run/v1", chat, "complete embed"],
  ["iointelligence", "https://api.intelligence.io.solutions/api/v1", chat, "embed"],
  ["aibadgr", "https://aibadgr.com/api/v1", chat],
  ["ovhcloud", "https://oai.endpoints.kepler.ai.cloud.ovh.net/v1", chat],
  ["lightning-ai", "https://lightning.ai/api/v1", chat],
];

const named = rows.map(([slug, baseUrl, path, others = ""]) => ({ slug, baseUrl, path, others }));

describe.each(named)("$slug, which speaks the formats of OpenAI", ({ slug, baseUrl, path, others }) => {
  it(`is at ${baseUrl} and takes chat at ${path ?? "no path"}`, async () => {
    const { provider } = await bound(slug);
    expect(provider.baseUrl).toBe(baseUrl);
    const [spec] = provider.operations.chat ?? [];
    const found = typeof spec?.path === "function" ? spec.path({ model: "llama-3:mine/2", stream: false }) : spec?.path;
    expect(found).toBe(path);
    const format = path?.endsWith("/responses") ? "openai-responses" : "openai-chat";
    expect(spec?.format).toBe(path === undefined ? undefined : format);
    const rest = Object.keys(provider.operations).filter((name) => name !== "chat");
    expect(rest.join(" ")).toBe(others);
  });

  it("is given the key as a bearer token", async () => {
    expect((await headersOf(slug)).authorization).toBe(`Bearer ${key}`);
  });
});

it("has a row for every provider but those with a format of their own", () => {
  const tabled = rows.map(([slug]) => slug);
  const own = slugs.filter((slug) => !tabled.includes(slug) && !proxied.includes(slug));
  expect(own.sort()).toEqual([
    "ai21",
    "anthropic",
    "azure-ai",
    "azure-openai",
    "bedrock",
    "bedrock-mantle",
    "bytez",
    "claude-platform-aws",
    "cohere",
    "deepgram",
    "fal-ai",
    "google",
    "minimax",
    "oracle",
    "palm",
    "passthrough",
    "pinecone",
    "reka-ai",
    "sagemaker",
    "segmind",
    "simulator",
    "triton",
    "vertex-ai",
    "workers-ai",
  ]);
});

it.each([
  ["together-ai", "/v1/proxy/v1/models", "/v1/models"],
  ["together-ai", "/v1/proxy/v2/videos", "/v2/videos"],
  ["replicate", "/v1/proxy/predictions/p/cancel", "/predictions/p/cancel"],
  ["meshy", "/v1/proxy/text-to-3d", "/v2/text-to-3d"],
  ["meshy", "/v1/proxy/image-to-3d/1", "/v1/image-to-3d/1"],
  ["oracle", "/v1/proxy/actions/embedText", "/20231130/actions/embedText"],
  ["oracle", "/v1/proxy/openai/v1/responses/r", "/openai/v1/responses/r"],
  ["ollama", "/v1/proxy/api/tags", "/api/tags"],
  ["ollama", "/v1/proxy/models", "/v1/models"],
  ["anthropic", "/v1/v1/messages/count_tokens", "/messages/count_tokens"],
  ["lepton", "/v1/proxy/models", "/api/v1/models"],
  ["cohere", "/v1/proxy/models", "/v1/models"],
  ["cohere", "/v1/proxy/v2/embed", "/v2/embed"],
  ["google", "/v1/proxy/models", "/v1beta/models"],
  ["google", "/v1/proxy/v1beta/files", "/v1beta/files"],
  ["google", "/v1/proxy/upload/v1beta/files", "/upload/v1beta/files"],
])("sends raw calls of %s at %s to %s", async (slug, url, path) => {
  const { provider } = await bound(slug);
  expect(rawPath(url, provider.proxyPath)).toBe(path);
});

describe("google, which has a format of its own", () => {
  const path = async (
    operation: "chat" | "embed",
    model: string,
    more: { stream?: boolean; fields?: string[] } = {},
  ) => {
    const { provider } = await bound("google");
    const found = provider.operations[operation]?.[0]?.path;
    const { stream = false, fields = [] } = more;
    return typeof found === "function" ? found({ model, stream, fields: new Set(fields) }) : found;
  };

  it("is called at a path with the model in it", async () => {
    expect(await path("chat", "gemini-2.5-pro")).toBe("/v1beta/models/gemini-2.5-pro:generateContent");
    expect(await path("chat", "gemini-2.5-pro", { stream: true })).toBe(
      "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
    );
    expect(await path("chat", "models/gemini-2.5-pro")).toBe("/v1beta/models/gemini-2.5-pro:generateContent");
    expect(await path("chat", "tunedModels/mine")).toBe("/v1beta/tunedModels/mine:generateContent");
    expect(await path("chat", "gemini-2.0-flash-thinking-exp-1219")).toMatch(/^\/v1alpha\//);
    expect(await path("chat", "a?b#c/../d")).toBe("/v1beta/models/a%3Fb%23c%2F..%2Fd:generateContent");
    expect(await path("embed", "e")).toBe("/v1beta/models/e:embedContent");
    expect(await path("embed", "e", { fields: ["requests"] })).toBe("/v1beta/models/e:batchEmbedContents");
  });

  it("is given the key in a header of its own", async () => {
    expect(await headersOf("google")).toEqual({ "x-goog-api-key": key });
  });
});

describe("vendors with shapes of their own", () => {
  it.each([
    ["ai21", "https://api.ai21.com/studio/v1", "chat complete embed"],
    ["anthropic", "https://api.anthropic.com/v1", "chat complete count"],
    ["bytez", "https://api.bytez.com", "chat"],
    ["fal-ai", "https://fal.run", "chat"],
    ["meshy", "https://api.meshy.ai/openapi", ""],
    ["oracle", "https://inference.generativeai.us-chicago-1.oci.oraclecloud.com", "chat"],
    ["palm", "https://generativelanguage.googleapis.com/v1beta3", "chat complete embed"],
    ["reka-ai", "https://api.reka.ai", "chat"],
    ["replicate", "https://api.replicate.com/v1", ""],
    ["scenario-ai", "https://api.cloud.scenario.com/v1", ""],
    ["tripo3d", "https://api.tripo3d.ai/v2/openapi", ""],
    ["triton", "https://triton.example/v2/models/m", "complete"],
    ["workers-ai", "https://api.cloudflare.com/client/v4/accounts/0a1b2c/ai/run", "chat complete embed image"],
  ])("%s is at %s and offers: %s", async (slug, baseUrl, operations) => {
    const { provider } = await bound(slug);
    expect(provider.baseUrl).toBe(baseUrl);
    for (const name of operations.split(" ").filter((one) => one !== ""))
      expect(Object.keys(provider.operations)).toContain(name);
  });
});

describe("a base URL that ends with the version that paths begin with", () => {
  /** What paths of a provider have in front of them, up to their first version. */
  const versions = (provider: BoundProvider) =>
    Object.values(provider.operations)
      .flat()
      .flatMap(({ path }) => (typeof path === "string" ? (/^(?:\/[\w-]+)*?\/v\d\w*(?=\/)/.exec(path)?.[0] ?? []) : []));

  it.each(slugs.filter((slug) => slug !== "huggingface"))("is called at the same place (%s)", async (slug) => {
    const { provider } = await bound(slug);
    const { origin, basePath } = provider;
    for (const version of new Set(versions(provider))) {
      const versioned = (await bound(slug, { baseUrl: `${origin}${basePath}${version}/` })).provider;
      for (const { path } of Object.values(provider.operations).flat())
        if (typeof path === "string" && path.startsWith(`${version}/`))
          expect(addressOf(versioned, path).path).toBe(addressOf(provider, path).path);
    }
  });

  it.each([
    ["deepseek", "https://api.deepseek.com/v1", "/v1/chat/completions"],
    ["deepseek", "https://h.example/deep/v1/", "/deep/v1/chat/completions"],
    ["deepseek", "https://api.deepseek.com", "/v1/chat/completions"],
    ["openrouter", "https://openrouter.ai/api/v1", "/api/v1/chat/completions"],
    ["ollama", "http://localhost:11434/v1", "/v1/chat/completions"],
    ["lepton", "https://h.example/api/v1", "/api/v1/chat/completions"],
    ["huggingface", "https://router.huggingface.co/v1", "/v1/chat/completions"],
    ["openai", "https://h.example/v1", "/v1/chat/completions"],
  ])("%s at %s is called at %s", async (slug, baseUrl, expected) => {
    const { provider } = await bound(slug, { baseUrl });
    const path = provider.operations.chat?.[0]?.path;
    expect(typeof path === "string" && addressOf(provider, path).path).toBe(expected);
  });
});
