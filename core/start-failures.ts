import { type OptionMistake, OptionsError, optionLine } from "./options-error.ts";
import type { Plugin } from "./plugin.ts";

/** A plugin that is started, under the name it has in the config file. */
interface Started {
  readonly name: string;
  readonly plugin: Pick<Plugin, "needs" | "uses" | "provides">;
}

/** A mistake in the options of a plugin, by the name that has in the config file. */
export interface PluginMistake extends OptionMistake {
  readonly plugin: string;
}

/** A plugin that failed for another reason than its options. */
export interface PluginFailure {
  readonly plugin: string;
  readonly error: unknown;
}

/** Why a start ended: everything plugins found wrong with their options, and what failed besides. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly mistakes: readonly PluginMistake[];
  readonly failures: readonly PluginFailure[];

  constructor(mistakes: readonly PluginMistake[], failures: readonly PluginFailure[]) {
    const told = mistakes.map((mistake) => `[plugin ${mistake.plugin}] ${optionLine(mistake)}`);
    super(
      [...told, ...failures.map(({ error }) => (error instanceof Error ? error.message : String(error)))].join("\n"),
    );
    this.mistakes = mistakes;
    this.failures = failures;
  }
}

/** Collects what goes wrong while plugins start, and says who is not to be asked any more because of it. */
export class StartFailures {
  readonly #plugins: readonly Started[];
  readonly #mistakes: PluginMistake[] = [];
  readonly #failures: PluginFailure[] = [];
  readonly #over = new Set<string>();

  /** Of the plugins in the order they are set up: whoever leans on another comes after it. */
  constructor(plugins: readonly Started[]) {
    this.#plugins = plugins;
  }

  /** Whether a plugin is not to be asked any more. */
  has(name: string): boolean {
    return this.#over.has(name);
  }

  /** `leaning`: with it goes who leans on its services, and would fail for its sake with words that mislead. */
  add(name: string, error: unknown, { leaning }: { readonly leaning: boolean }): void {
    if (error instanceof OptionsError) this.#mistakes.push(...error.mistakes.map((one) => ({ ...one, plugin: name })));
    else this.#failures.push({ plugin: name, error });
    for (const each of leaning ? this.#withLeaning(name) : [name]) this.#over.add(each);
  }

  #withLeaning(fallen: string): ReadonlySet<string> {
    const names = new Set([fallen]);
    const gone = new Set<string>();
    for (const { name, plugin } of this.#plugins) {
      if ([...(plugin.needs ?? []), ...(plugin.uses ?? [])].some((service) => gone.has(service.name))) names.add(name);
      if (names.has(name)) for (const service of plugin.provides ?? []) gone.add(service.name);
    }
    return names;
  }

  /** Throws what was found. One plain failure, with nothing beside it, is thrown as it is. */
  settle(): void {
    const [first, ...others] = this.#failures;
    if (first && others.length === 0 && this.#mistakes.length === 0) throw first.error;
    if (first || this.#mistakes.length > 0) throw new StartError(this.#mistakes, this.#failures);
  }
}
