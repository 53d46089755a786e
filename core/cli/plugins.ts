import { builtInFormats } from "../built-in-formats.ts";
import { knownModules, type ModuleDescription, type ModuleLoader, moduleLoader, ownModule } from "../config/index.ts";
import type { Format } from "../model/format.ts";
import { nearest } from "../nearest.ts";
import type { ProviderDefinition } from "../provider-kit/index.ts";
import { columns, optionLines } from "./columns.ts";
import { type CommandResult, failed, succeeded } from "./command-result.ts";

export interface PluginsOptions {
  readonly json?: boolean;
}

/** What a provider offers, as plain data. */
export interface ProviderFacts {
  readonly baseUrl: string;
  readonly operations: readonly { readonly operation: string; readonly format: string; readonly path: string }[];
}

/** `sluice plugins [NAME]`: what the product comes with; of one plugin, provider or check, or of a file of one's own, all there is to know. */
export async function plugins(
  name?: string,
  { json = false }: PluginsOptions = {},
  loader: ModuleLoader = moduleLoader(),
): Promise<CommandResult> {
  const isPath = name !== undefined && /^(?:\.{0,2}\/|[A-Za-z]:[\\/])/.test(name);
  const known = await (isPath ? ownModule(name, loader, process.cwd()) : knownModules(loader, process.cwd()));
  if (name === undefined)
    return succeeded(
      json
        ? asJson(known)
        : [
            listOf("Plugins", known.plugins),
            listOf("Providers", known.providers),
            ...(known.checks.length > 0 ? [listOf("Checks", known.checks)] : []),
          ].join("\n"),
    );
  const plugin = known.plugins.find((each) => each.name === name);
  const provider = known.providers.find((each) => each.name === name);
  const check = known.checks.find((each) => each.name === name);
  if (!plugin && !provider && !check) {
    const best = nearest(
      name,
      [...known.plugins, ...known.providers, ...known.checks].map((each) => each.name),
    );
    const remedy =
      best === undefined
        ? `sluice plugins lists them; a file of one's own is told of by its path (./${name}.ts)`
        : `did you mean "${best}"?`;
    return failed(`There is no plugin, no provider and no check "${name}"; ${remedy}`);
  }
  if (isPath && provider?.problem !== undefined) return failed(`${name} cannot be loaded: ${provider.problem}`);
  const facts = provider && !provider.problem ? await factsOf(await loader.provider(name, process.cwd()), loader) : {};
  const found = {
    ...(plugin && { plugin }),
    ...(provider && { provider: { ...provider, ...facts } }),
    ...(check && { check }),
  };
  if (json) return succeeded(asJson(found));
  const parts = [
    plugin && pluginPage(plugin),
    provider && providerPage({ ...provider, ...facts }),
    check && page(check, "check", []),
  ];
  return succeeded(parts.filter((part) => part !== undefined).join("\n"));
}

const asJson = (value: unknown): string => JSON.stringify(value, null, 2);

function listOf(title: string, modules: readonly ModuleDescription[]): string {
  const rows = modules.map(({ name, summary, problem }) => [
    `  ${name}`,
    problem ? `cannot be loaded: ${problem}` : summary,
  ]);
  return `${title}\n${columns(rows)}\n`;
}

function pluginPage(plugin: ModuleDescription): string {
  const services = [
    ...(plugin.needs.length > 0 ? [`Needs the services: ${plugin.needs.join(", ")}`] : []),
    ...(plugin.provides.length > 0 ? [`Provides the services: ${plugin.provides.join(", ")}`] : []),
  ];
  return page(plugin, "plugin", services);
}

function providerPage(provider: ModuleDescription & Partial<ProviderFacts>): string {
  const operations = (provider.operations ?? []).map(({ operation, format, path }) => [`  ${operation}`, format, path]);
  return page(provider, "provider", [
    ...(provider.baseUrl === undefined ? [] : [`Base URL: ${provider.baseUrl}`]),
    ...(operations.length > 0 ? [`Operations:\n${columns(operations)}`] : []),
  ]);
}

function page(module: ModuleDescription, kind: string, facts: readonly string[]): string {
  const { name, summary, options, problem } = module;
  const described = problem ? `It cannot be loaded: ${problem}` : `Options:\n${optionLines(options)}`;
  return `${[`${name} (${kind})\n${summary}`, ...facts, described].join("\n\n")}\n`;
}

/** What a provider says of itself, completed with what its formats say of vendors in general. */
async function factsOf({ baseUrl, operations }: ProviderDefinition, loader: ModuleLoader): Promise<ProviderFacts> {
  const { formats } = await builtInFormats(loader);
  const offered = Object.entries(operations).flatMap(([operation, input]) =>
    [input].flat().map((one) => {
      const { format, path } = typeof one === "string" ? { format: one, path: undefined } : one;
      return { operation, format, path: pathText(path ?? formats.get(format)?.upstream?.path) };
    }),
  );
  const made = typeof baseUrl === "function" ? "made from its options" : "none: the option baseUrl says where it is";
  return { baseUrl: typeof baseUrl === "string" ? baseUrl : made, operations: offered };
}

type OperationPath = NonNullable<Format["upstream"]>["path"];

function pathText(path: OperationPath | undefined): string {
  if (path === undefined) return "";
  if (typeof path === "string") return path;
  try {
    return path({ model: "MODEL", stream: false });
  } catch {
    return "depends on the request";
  }
}
