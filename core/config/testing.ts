import { z } from "zod";
import { definePlugin } from "../define-plugin.ts";
import { environmentOf } from "../environment.ts";
import type { Plugin } from "../plugin.ts";
import type { ProviderDefinition } from "../provider-kit/index.ts";
import { secret } from "../secrets/secret.ts";
import { type ServiceToken, serviceToken } from "../service-token.ts";
import { ConfigError } from "./mistakes.ts";
import { ModuleError, type ModuleLoader } from "./modules.ts";
import { parseConfig } from "./read.ts";

/** A plugin that does nothing, for tests of what surrounds plugins. */
export const fakePlugin = (
  name: string,
  options: z.ZodType = z.strictObject({}),
  services: { needs?: readonly string[]; provides?: readonly string[] } = {},
): Plugin =>
  definePlugin({
    name,
    summary: `Stands for ${name}.`,
    options,
    needs: tokens(services.needs),
    provides: tokens(services.provides),
    setup() {},
  });

const tokens = (names: readonly string[] = []): ServiceToken<unknown>[] => names.map((name) => serviceToken(name));

export const fakeProvider = (name: string, options: z.ZodObject): ProviderDefinition => ({
  kind: "provider",
  name,
  summary: `Stands for ${name}.`,
  options,
  operations: {},
});

export const rateLimits = fakePlugin(
  "rate-limits",
  z.strictObject({
    value: z.int().positive().describe("Requests allowed per window."),
    unit: z.enum(["rpm", "rph", "rpd"]).default("rpm").describe("How long a window is."),
    dryRun: z.boolean().default(false).describe("Only count."),
    names: z.array(z.string()).max(2).optional().describe("Whom it holds for."),
    burst: z
      .union([z.int().max(10), z.literal("off")])
      .optional()
      .describe("How much more is let through."),
    share: z.number().lt(1).multipleOf(0.25).optional(),
    store: z
      .union([
        z.strictObject({ kind: z.literal("memory"), size: z.int() }),
        z.strictObject({ kind: z.literal("disk") }),
      ])
      .optional(),
  }),
);

export const webhook = fakePlugin(
  "webhook",
  z.strictObject({
    url: z.url().describe("Where to call."),
    token: secret().optional().describe("Sent as a bearer token."),
    label: z
      .string()
      .min(2)
      .max(8)
      .regex(/^[a-z]+$/)
      .optional(),
    headers: z.record(z.string().regex(/^x-/, 'a header name begins with "x-"'), secret()).optional(),
    parsed: z
      .string()
      .transform((text): unknown => JSON.parse(text))
      .optional(),
    code: z
      .string()
      .refine((code) => code === "right", { error: ({ input }) => `the code ${String(input)} is wrong` })
      .optional(),
    auth: z
      .discriminatedUnion("type", [
        z.strictObject({ type: z.literal("none") }),
        z.strictObject({ type: z.literal("basic"), user: z.string().describe("The user's name.") }),
      ])
      .optional(),
  }),
);

const plugins: Readonly<Record<string, Plugin>> = {
  "rate-limits": rateLimits,
  webhook,
  "auth-open": fakePlugin("auth-open"),
  "counters-memory": fakePlugin("counters-memory", z.strictObject({}), { provides: ["counters"] }),
  "counters-redis": fakePlugin("counters-redis", z.strictObject({}), { provides: ["counters"] }),
  "usage-limits": fakePlugin("usage-limits", z.strictObject({}), { needs: ["counters"] }),
  chicken: fakePlugin("chicken", z.strictObject({}), { needs: ["eggs"], provides: ["chickens"] }),
  egg: fakePlugin("egg", z.strictObject({}), { needs: ["chickens"], provides: ["eggs"] }),
};

const providers: Readonly<Record<string, ProviderDefinition>> = {
  openai: fakeProvider(
    "openai",
    z.strictObject({ apiKey: secret().optional().describe("The API key."), baseUrl: z.url().optional() }),
  ),
  acme: fakeProvider("acme", z.strictObject({ apiKey: secret().describe("The API key.") })),
};

/** Knows the modules above, and one that breaks. */
export const fakeLoader: ModuleLoader = {
  plugin: async (specifier) => {
    if (specifier === "broken") throw new ModuleError('the plugin "broken" fails to import: Error: no');
    return plugins[specifier] ?? unknown(specifier);
  },
  provider: async (specifier) => providers[specifier] ?? unknown(specifier),
  knownPlugins: () => [...Object.keys(plugins), "broken"],
  knownProviders: () => Object.keys(providers),
};

const unknown = (specifier: string): never => {
  throw new ModuleError(`unknown module "${specifier}"`);
};

export const parseWith = (source: string, variables: Record<string, string> = {}, file = "gateway.yaml") =>
  parseConfig(source, file, fakeLoader, environmentOf(variables));

/** The lines of the error that reading this text ends with. */
export async function mistakesIn(source: string, variables: Record<string, string> = {}, file = "gateway.yaml") {
  const error: unknown = await parseWith(source, variables, file).catch((cause: unknown) => cause);
  return error instanceof ConfigError ? error.message.split("\n") : [];
}

/** A file that cannot be used, and the lines that say so. */
export interface Broken {
  readonly why: string;
  readonly source: string;
  readonly variables?: Record<string, string>;
  readonly file?: string;
  readonly says: readonly string[];
}
