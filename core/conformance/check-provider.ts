import { type ModuleLoader, moduleLoader } from "../config/index.ts";
import { errorMessage } from "../errors/error-message.ts";
import type { OperationName } from "../model/operations.ts";
import type { Plugin } from "../plugin.ts";
import type { OperationInput, ProviderDefinition } from "../provider-kit/provider-definition.ts";
import { type Case, cases } from "./cases.ts";
import { type Heard, streamed, streams, subjectProblems, usageProblems, whole } from "./cells.ts";
import { type Deployment, deploy } from "./deployment.ts";
import { type Fixture, modelOf, readFixtures, replay } from "./fixtures.ts";
import { type Cell, type ConformanceReport, type ConformanceRow, cellOf, failuresOf, none } from "./report.ts";
import { type Plan, plansFor } from "./rows.ts";
import { standInOptions } from "./stand-in.ts";
import type { Trial } from "./trial.ts";
import { abortProblems, errorProblems } from "./trouble.ts";
import { type MockVendor, startVendor } from "./vendor.ts";

export interface CheckInput {
  /** Options as in a config file, besides those that stand-ins will do for: texts, keys and the address. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Plugins with formats the product does not come with. */
  readonly formats?: readonly Plugin[];
  /** Models to ask for, where a vendor speaks a format for some of them only. The first is asked for elsewhere, too. */
  readonly models?: readonly string[];
  /** The folder of the fixtures, a folder each. */
  readonly fixtures?: string;
  /** How long any exchange may take, in milliseconds. */
  readonly deadline?: number;
  readonly loader?: ModuleLoader;
}

/**
 * Runs a provider inside a gateway of this process, against a stand-in of its vendor on the loopback address, which
 * speaks the formats the provider says it does. Rejects only when the provider cannot be set up at all.
 */
export async function checkProvider(
  definition: ProviderDefinition,
  input: CheckInput = {},
): Promise<ConformanceReport> {
  const { loader = moduleLoader(), deadline = 5_000, models = [] } = input;
  const fixtures = readFixtures(input.fixtures);
  const vendor = await startVendor();
  try {
    const run = {
      definition,
      vendor,
      fixtures,
      deadline,
      models: [...models, "stand-in-model", ...fixtures.flatMap(modelsIn)],
    };
    const given = {
      options: input.options ?? {},
      plugins: [...(await builtIn(loader)), ...(input.formats ?? [])],
      loader,
    };
    const { deployment, notes } = await setUp(run, given);
    try {
      return await reportOf(run, deployment, notes);
    } finally {
      await deployment.close();
    }
  } finally {
    vendor.close();
  }
}

interface Run {
  readonly definition: ProviderDefinition;
  readonly vendor: MockVendor;
  readonly fixtures: readonly Fixture[];
  readonly deadline: number;
  /** In the order they are preferred. */
  readonly models: readonly string[];
}

interface Given {
  readonly options: Readonly<Record<string, unknown>>;
  readonly plugins: readonly Plugin[];
  readonly loader: ModuleLoader;
}

const modelsIn = ({ request }: Fixture): string[] => [modelOf(request)].filter((model) => model !== undefined);

async function builtIn(loader: ModuleLoader): Promise<Plugin[]> {
  const names = loader.knownPlugins().filter((name) => name.startsWith("format-"));
  return Promise.all(names.map((name) => loader.plugin(name, process.cwd())));
}

/** A provider whose own transport does not call its address answers by itself: its calls go by HTTP here. */
async function setUp(run: Run, { options, plugins, loader }: Given) {
  const { definition, vendor } = run;
  const deployed = (which: ProviderDefinition) =>
    deploy({ definition: which, options: standInOptions(which, options, vendor.url), plugins, loader });
  const deployment = await deployed(definition);
  const missing = deployment.provider.lacks;
  if (missing !== undefined) {
    await deployment.close();
    throw new Error(`${definition.name} needs ${missing}: say so in its options (--options FILE).`);
  }
  if (!definition.transport || (await reaches(run, deployment))) return { deployment, notes: [] };
  await deployment.close();
  const { transport: _, ...byHttp } = definition;
  const notes = ["its transport calls nobody at its base URL: here its calls left by HTTP instead"];
  return { deployment: await deployed(byHttp), notes };
}

async function reaches(run: Run, deployment: Deployment): Promise<boolean> {
  for (const plan of plansFor(deployment, run.models)) {
    const trial = trialOf(run, deployment, plan);
    if (trial && (await attempted(() => whole(trial, "plain")))?.seen.inspected) return true;
  }
  return false;
}

async function reportOf(run: Run, deployment: Deployment, before: readonly string[]): Promise<ConformanceReport> {
  const { definition, fixtures, vendor, deadline } = run;
  const plans = plansFor(deployment, run.models);
  const rows: ConformanceRow[] = [];
  const unknown: string[] = [];
  for (const plan of plans) {
    if (cases[plan.operation] === undefined)
      unknown.push(`${plan.operation} (${plan.spec.format}): nothing is known of this operation here`);
    else rows.push(await rowOf(plan, trialOf(run, deployment, plan)));
  }
  rows.push(...unspoken(definition, deployment));
  const replayed = [];
  for (const fixture of fixtures)
    replayed.push({ name: fixture.name, cell: await replay(fixture, deployment, vendor, deadline) });
  return {
    provider: definition.name,
    rows,
    fixtures: replayed,
    notes: [
      ...before,
      ...unknown,
      ...(definition.raw ? ["everything passes untouched: there is no format to check"] : []),
    ],
    failures: failuresOf(rows, replayed),
  };
}

/** Undefined where no model is known that the vendor serves in this format. */
function trialOf(
  { definition, vendor, fixtures, deadline }: Run,
  deployment: Deployment,
  plan: Plan,
): Trial | undefined {
  const { model } = plan;
  const kase = cases[plan.operation] as Case | undefined;
  if (model === undefined || !kase) return undefined;
  return { ...plan, deployment, vendor, kase, model, anonymous: definition.anonymous === true, fixtures, deadline };
}

async function rowOf({ operation, spec, client }: Plan, trial: Trial | undefined): Promise<ConformanceRow> {
  const named = { operation, format: spec.format, client: client.name };
  if (trial) return { ...named, cells: await cellsOf(trial) };
  return {
    ...named,
    cells: filled(
      `no model is known that the vendor serves in ${spec.format}: name one (--model NAME), or have a fixture ask for one`,
    ),
  };
}

const filled = (reason: string): ConformanceRow["cells"] => {
  const cell = cellOf([reason]);
  return { whole: cell, streamed: cell, tools: cell, images: cell, errors: cell, abort: cell, usage: cell };
};

async function cellsOf(trial: Trial): Promise<ConformanceRow["cells"]> {
  const plain = await caught(() => whole(trial, "plain"));
  const stream = streams(trial) ? await caught(() => streamed(trial, "plain")) : undefined;
  const asStream = streams(trial) && trial.spec.whole !== true;
  const heard: (Heard & { stream: boolean })[] = [];
  if (plain.heard) heard.push({ ...plain.heard, stream: false });
  if (stream?.heard) heard.push({ ...stream.heard, stream: true });
  const about = async (subject: "tools" | "images"): Promise<Cell> => {
    const { heard: first } = plain;
    return first ? cellFrom(() => subjectProblems(trial, subject, first)) : cellOf(plain.problems);
  };
  return {
    whole: cellOf(plain.problems),
    streamed: stream ? cellOf(stream.problems) : none,
    tools: await about("tools"),
    images: await about("images"),
    errors: await cellFrom(() => errorProblems(trial, asStream)),
    abort: await cellFrom(() => abortProblems(trial, asStream)),
    usage: heard.length > 0 ? await cellFrom(async () => usageProblems(trial, heard)) : cellOf(plain.problems),
  };
}

async function caught(
  work: () => Promise<Heard>,
): Promise<{ readonly heard?: Heard; readonly problems: readonly string[] }> {
  try {
    const heard = await work();
    return { heard, problems: heard.problems };
  } catch (error) {
    return { problems: [errorMessage(error)] };
  }
}

/** `none` where there is nothing to look at. */
async function cellFrom(work: () => Promise<readonly string[] | undefined>): Promise<Cell> {
  try {
    const problems = await work();
    return problems ? cellOf(problems) : none;
  } catch (error) {
    return cellOf([errorMessage(error)]);
  }
}

async function attempted<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

/** Formats the provider says it speaks, and no plugin brings: without a row, nobody would notice. */
function unspoken({ operations }: ProviderDefinition, { formats }: Deployment): ConformanceRow[] {
  // What a function of the options offers is known to the gateway alone, which leaves out what it cannot speak.
  if (typeof operations === "function") return [];
  return Object.entries(operations).flatMap(([operation, input]) =>
    ([input].flat() as OperationInput[])
      .map((one) => (typeof one === "string" ? one : one.format))
      .filter((format) => !formats.has(format))
      .map((format) => ({
        operation: operation as OperationName,
        format,
        client: format,
        cells: filled(`no plugin brings the format ${format}: name the one that does (--plugin ./format-${format}.ts)`),
      })),
  );
}
