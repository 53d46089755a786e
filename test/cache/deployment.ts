import { expect } from "vitest";
import { eventually } from "../support/calm.ts";
import { folderOfFile } from "../support/folder-of-file.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { supportPlugin } from "../support/management.ts";
import { type Told, told } from "./observer.ts";
import { behaviours, type CacheVendor, makers, startVendor } from "./vendor.ts";

/** What must be in no key and no entry. */
export const vendorKey = "vendor-key-0123456789";

export interface CacheDeployment {
  readonly gateway: TestGateway;
  readonly vendor: CacheVendor;
  /** The config `kept` of the file. */
  save(tree: object): Promise<void>;
  /** All that was asked is over, recorded, and kept where it is to be. */
  rest(): Promise<void>;
  /** What every exchange came to, by its id. */
  readonly told: Told;
}

const own = (folder: string, name: string) => ({ ...supportPlugin(folder, `../cache/${name}`) });

/** A gateway with a cache before vendors of every make and behaviour. */
export async function startCacheDeployment(
  stores: Readonly<Record<string, unknown>>,
  variables: Record<string, string> = {},
): Promise<CacheDeployment> {
  const vendor = await startVendor();
  const folder = folderOfFile();
  const at = (slug: string) => ({ apiKey: vendorKey, baseUrl: `${vendor.upstream.url}/${slug}` });
  const providers = Object.fromEntries(
    Object.entries(makers).flatMap(([maker, use]) =>
      behaviours.map((behaviour) => [`${maker}-${behaviour}`, { use, ...at(`${maker}-${behaviour}`) }]),
    ),
  );
  const textWith = (kept: object) =>
    JSON.stringify({
      plugins: {
        principal: supportPlugin(folder, "principal"),
        routing: { configs: { kept } },
        ...Object.fromEntries(plugins.map((name) => [name, {}])),
        pricing: { models: { m: { input: 1, output: 1 }, n: { input: 1, output: 1 }, o: { input: 1, output: 1 } } },
        ...stores,
        cache: { semantic: { provider: "embedder", model: "e" } },
        observer: own(folder, "observer"),
      },
      providers: { ...providers, embedder: { use: "openai", ...at("embed") } },
    });
  let saved: object = { provider: "@oai-ok" };
  const gateway = await startTestGateway(textWith(saved), variables, folder);
  return {
    gateway,
    vendor,
    told,
    async save(tree) {
      if (JSON.stringify(tree) === JSON.stringify(saved)) return;
      saved = tree;
      const wasAvailable = told.store?.available;
      gateway.write(textWith(tree));
      await gateway.reload();
      // A new connection to where the last one was.
      await eventually(() => expect(told.store?.available).toBe(wasAvailable));
    },
    async rest() {
      await eventually(() => expect(gateway.generation.active).toBe(0));
      await told.written();
    },
  };
}

const plugins = [
  "strategy-fallback",
  "strategy-hedge",
  "strategy-shadow",
  "retry",
  "guardrails",
  "checks",
  "format-openai-chat",
  "format-openai-responses",
  "format-openai-embeddings",
  "format-anthropic-messages",
  "format-gemini",
];
