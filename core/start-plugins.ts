import type { z } from "zod";
import { errorMessage } from "./errors/error-message.ts";
import { GatewayError } from "./errors/gateway-error.ts";
import { thrownAt } from "./errors/thrown-at.ts";
import type { Logger } from "./model/logger.ts";
import { OptionsError } from "./options-error.ts";
import type { Plugin, PluginContext } from "./plugin.ts";
import { StartFailures } from "./start-failures.ts";
import { timerFor } from "./time/longest-timer.ts";
import { turn } from "./time/turn.ts";

/** A plugin with its parsed options, under the name it has in the config file. */
export interface ResolvedPlugin {
  readonly name: string;
  readonly plugin: Plugin;
  readonly options: unknown;
}

export interface StartInput {
  /** In the order they are set up: providers of a service before those that need it. */
  readonly plugins: readonly ResolvedPlugin[];
  readonly log: Logger;
  readonly hookDeadline: number;
}

/** What a plugin does once every other is set up. */
export interface Waiting {
  readonly name: string;
  readonly ready: () => void | Promise<void>;
}

/**
 * Sets the plugins up in order. Options that cannot be used keep nobody from being asked who does not lean on their plugin;
 * what fails for any other reason ends the start there.
 */
export async function setUpAll(
  input: StartInput,
  contextFor: (plugin: ResolvedPlugin) => PluginContext,
): Promise<void> {
  const failures = new StartFailures(input.plugins);
  for (const resolved of input.plugins) {
    const { name } = resolved;
    if (failures.has(name)) continue;
    // A reload sets plugins up while others answer.
    await turn();
    try {
      await patiently(input, name, "setup", setUp(resolved, contextFor(resolved)));
    } catch (error) {
      failures.add(name, error, { leaning: true });
      if (!(error instanceof OptionsError)) break;
    }
  }
  // Nobody is told that all are set up when some are not: formats, fields and providers would seem to be missing.
  failures.settle();
}

/** Tells plugins that all are set up. All are asked, so that what they find is told at once, but for who leans on what failed. */
export async function makeReady(input: StartInput, waiting: readonly Waiting[]): Promise<void> {
  const failures = new StartFailures(input.plugins);
  for (const { name, ready } of waiting) {
    if (failures.has(name)) continue;
    try {
      await patiently(input, name, "onReady", blaming(name, "start", ready));
    } catch (error) {
      failures.add(name, error, { leaning: !(error instanceof OptionsError) });
    }
  }
  failures.settle();
}

const setUp = ({ name, plugin, options }: ResolvedPlugin, context: PluginContext): Promise<void> =>
  blaming(name, "setup", async () => {
    await plugin.setup(context, options as z.output<typeof plugin.options>);
    for (const { name: service } of plugin.provides ?? []) context.service({ name: service });
  });

/**
 * Waits for a part of the start, which may take its time: a start that seems to hang says what it waits for. Where the process
 * has nothing else left to do, what is waited for never comes: node would end it then, without a word.
 */
async function patiently(
  { log, hookDeadline }: StartInput,
  plugin: string,
  part: string,
  running: Promise<void>,
): Promise<void> {
  const clock = setTimeout(
    () => log.warn("the start still waits for a plugin", { plugin, part }),
    timerFor(hookDeadline),
  );
  let giveUp = () => {};
  const idle = new Promise<never>((_, reject) => {
    giveUp = () => {
      const message = `[plugin ${plugin}] ${part}: it waits for what never comes`;
      reject(new GatewayError("plugin_failed", message, { plugin, hook: part }));
    };
  });
  process.once("beforeExit", giveUp);
  await Promise.race([running, idle]).finally(() => {
    clearTimeout(clock);
    process.off("beforeExit", giveUp);
  });
}

/** Runs a part of the start; its failure names the plugin. Mistakes in options are told by whoever knows the file. */
async function blaming(name: string, hook: string, run: () => void | Promise<void>): Promise<void> {
  try {
    await run();
  } catch (cause) {
    if (cause instanceof OptionsError) throw cause;
    if (cause instanceof GatewayError && cause.details.plugin !== undefined) throw cause;
    const place = `[plugin ${name}] ${hook}`;
    if (cause instanceof GatewayError)
      throw new GatewayError(
        cause.code,
        `${place}: ${cause.message}`,
        { ...cause.details, plugin: name, hook },
        { cause },
      );
    const reason = errorMessage(cause) + thrownAt(cause);
    throw new GatewayError("plugin_failed", `${place}: ${reason}`, { plugin: name, hook }, { cause });
  }
}
