import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { readDocument } from "../config/document.ts";
import { type Environment, type ModuleLoader, moduleLoader, processEnvironment } from "../config/index.ts";
import { locateProvider } from "../config/modules.ts";
import {
  type Cell,
  type ConformanceReport,
  columns as checked,
  checkProvider,
  fixturesFolder,
} from "../conformance/index.ts";
import { errorMessage } from "../errors/error-message.ts";
import type { Plugin } from "../plugin.ts";
import { columns } from "./columns.ts";
import { type CommandResult, failed, succeeded } from "./command-result.ts";

export interface ConformanceOptions {
  /** A YAML or JSON file with the provider's options, as below its slug in a config file. */
  readonly options?: string;
  /** Plugins with formats the product does not come with. */
  readonly plugin?: readonly string[];
  /** Models to ask for. */
  readonly model?: readonly string[];
  readonly json?: boolean;
}

/** Where modules and variables come from; tests bring their own. */
interface Surroundings {
  readonly loader?: ModuleLoader;
  readonly environment?: Environment;
}

/** `sluice conformance PROVIDER`: holds a provider to what every provider has to do. Nobody but this machine is called. */
export async function conformance(
  specifier: string,
  { options, plugin = [], model = [], json = false }: ConformanceOptions = {},
  { loader = moduleLoader(), environment = processEnvironment() }: Surroundings = {},
): Promise<CommandResult> {
  const folder = process.cwd();
  let report: ConformanceReport;
  try {
    const definition = await loader.provider(specifier, folder);
    const formats: Plugin[] = await Promise.all(plugin.map((name) => loader.plugin(name, folder)));
    report = await checkProvider(definition, {
      options: options === undefined ? {} : optionsIn(options, environment),
      formats,
      models: model,
      ...fixturesOf(specifier, folder),
      loader,
    });
  } catch (error) {
    return failed(errorMessage(error));
  }
  const out = json ? JSON.stringify(report, null, 2) : page(report);
  return report.failures.length > 0 ? failed("", out) : succeeded(out);
}

/** The fixtures beside the provider's file; a provider that a test brings along has none. */
function fixturesOf(specifier: string, folder: string): { fixtures?: string } {
  try {
    return { fixtures: fixturesFolder(locateProvider(specifier, folder)) };
  } catch {
    return {};
  }
}

/** A file of options, its references to the environment resolved. */
function optionsIn(file: string, environment: Environment): Readonly<Record<string, unknown>> {
  const document = readDocument(file, readFileSync(resolve(file), "utf8"), environment);
  document.report.settle();
  const { root } = document;
  if (typeof root !== "object" || root === null || Array.isArray(root))
    throw new Error(`${file}: expected a map of options`);
  return root as Readonly<Record<string, unknown>>;
}

const shown = ({ result }: Cell): string => (result === "none" ? "-" : result);

function page({ provider, rows, fixtures, notes, failures }: ConformanceReport): string {
  const table = [
    ["operation", "format", "client", ...checked],
    ...rows.map(({ operation, format, client, cells }) => [
      operation,
      format,
      client,
      ...checked.map((name) => shown(cells[name])),
    ]),
  ];
  const replayed = [["fixture", "result"], ...fixtures.map(({ name, cell }) => [name, shown(cell)])];
  const parts = [
    ...(rows.length > 0 ? [columns(table)] : []),
    ...(fixtures.length > 0 ? [columns(replayed)] : []),
    ...(notes.length > 0 ? [notes.map((note) => `Note: ${note}`).join("\n")] : []),
    failures.length > 0
      ? `${provider} fails:\n${failures.map((failure) => `  ${failure}`).join("\n")}`
      : `${provider} conforms.`,
  ];
  return parts.join("\n\n");
}
