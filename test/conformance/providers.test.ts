import { generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import { moduleLoader } from "../../core/config/index.ts";
import { locateProvider } from "../../core/config/modules.ts";
import { type ConformanceReport, checkProvider, fixturesFolder } from "../../core/conformance/index.ts";
import { root } from "../support/root.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** What stand-ins do not do for: options that depend on others, and models that decide about the format. */
const needs: Readonly<Record<string, { options?: Record<string, unknown>; models?: readonly string[] }>> = {
  bedrock: {
    models: [
      "anthropic.claude-sonnet-4-20250514-v1:0",
      "amazon.titan-embed-text-v2:0",
      "amazon.nova-2-multimodal-embeddings-v1:0",
      "cohere.embed-english-v3",
      "cohere.command-text-v14",
      "meta.llama3-8b-instruct-v1:0",
      "mistral.mistral-7b-instruct-v0:2",
      "amazon.titan-text-express-v1",
      "ai21.j2-mid-v1",
    ],
  },
  "azure-ai": { models: ["gpt-5-codex", "MAI-Image-2"] },
  "bedrock-mantle": { models: ["anthropic.claude-opus-4-8"] },
  ai21: { models: ["jamba-large", "j2-ultra"] },
  predibase: { options: { tenant: "stand-in" } },
  jina: { models: ["jina-embeddings-v2-base-en", "jina-embeddings-v3", "jina-embeddings-v4"] },
  databricks: { models: ["databricks-claude-sonnet-4"] },
  cortex: { models: ["claude-sonnet-4-6"] },
  "workers-ai": { models: ["@cf/openai/gpt-oss-120b", "@cf/meta/llama-3.1-8b-instruct"] },
  minimax: { models: ["MiniMax-M3"] },
  oracle: {
    options: {
      tenancy: "ocid1.tenancy.oc1..stand-in",
      user: "ocid1.user.oc1..stand-in",
      fingerprint: "00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff",
      privateKey: privateKey.export({ type: "pkcs8", format: "pem" }),
      compartmentId: "ocid1.compartment.oc1..stand-in",
    },
  },
  "scenario-ai": { options: { secret: "stand-in" } },
  "vertex-ai": {
    options: { projectId: "stand-in" },
    models: [
      "gemini-2.5-pro",
      "gemini-3.5-flash",
      "anthropic.claude-sonnet-4@20250514",
      "anthropic.claude-opus-5-5",
      "mistralai.mistral-large-2411",
      "meta.llama-3.3-70b-instruct-maas",
      "zai-org.glm-4.7-maas",
      "endpoints.1234567890",
      "gemini-embedding-2",
    ],
  },
};

const loader = moduleLoader();
const names = loader.knownProviders();

/** Two at a time: each is a gateway of its own. */
const reports = new Map<string, Promise<ConformanceReport>>();
const lanes = [Promise.resolve<unknown>(undefined), Promise.resolve<unknown>(undefined)];
for (const [index, name] of names.entries()) {
  const report = (lanes[index % 2] ?? Promise.resolve()).then(() => checked(name));
  report.catch(() => undefined);
  reports.set(name, report);
  lanes[index % 2] = report.catch(() => undefined);
}

async function checked(name: string): Promise<ConformanceReport> {
  const { options = {}, models = [] } = needs[name] ?? {};
  const fixtures = fixturesFolder(locateProvider(name, root));
  return checkProvider(await loader.provider(name, root), { options, models, fixtures, loader });
}

it.each(names)(
  "%s conforms",
  async (name) => {
    const report = await reports.get(name);
    expect(report?.failures).toEqual([]);
    const others = report?.notes.filter((note) => !note.includes("nothing is known of this operation"));
    expect(others).toEqual(notes[name] ?? []);
  },
  60_000,
);

/** What cannot be looked at, and why. */
const notes: Readonly<Record<string, readonly string[]>> = {
  passthrough: ["everything passes untouched: there is no format to check"],
  simulator: ["its transport calls nobody at its base URL: here its calls left by HTTP instead"],
};

it("replays the fixtures of the providers that have some", async () => {
  const all = await Promise.all([reports.get("bedrock"), reports.get("ollama")]);
  const reported = all.filter((report) => report !== undefined);
  expect(reported.flatMap(({ provider, fixtures }) => fixtures.map(({ name }) => `${provider}: ${name}`))).toEqual([
    "bedrock: chat-told-as-one-text",
    "bedrock: claude-in-its-own-format",
    "bedrock: completion-of-titan",
    "bedrock: count-of-claude",
    "ollama: embed-one-text",
    "ollama: embed-several-texts",
    "ollama: history-of-messages",
    "ollama: thinking-switched-off",
  ]);
});
