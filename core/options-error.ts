import { dotted, type Path } from "./dotted.ts";

/** One thing wrong with the options of a plugin that no schema can know: a name of something this deployment lacks, say. */
export interface OptionMistake {
  /** Where, from the plugin's own options on: `["semantic", "provider"]`; empty for the plugin as a whole. */
  readonly path: Path;
  /** Value and remedy: `names the provider "acm"; did you mean "acme"?`. The place is put in front. */
  readonly message: string;
  /** Whether the last step of the path is what is wrong, and not what stands behind it. */
  readonly isKey?: boolean;
}

/**
 * The options of a plugin cannot be used here. Thrown by `setup`, or by what is given to `onReady`, with every mistake it can
 * tell of: each is shown with its line of the config file, beside those of other plugins.
 */
export class OptionsError extends Error {
  override readonly name = "OptionsError";
  readonly mistakes: readonly OptionMistake[];

  constructor(mistakes: OptionMistake | readonly OptionMistake[], options: { readonly cause?: unknown } = {}) {
    const all = "message" in mistakes ? [mistakes] : mistakes;
    super(all.map(optionLine).join("\n"), options);
    this.mistakes = all;
  }
}

/** `semantic.provider: names the provider "acm"; did you mean "acme"?` */
export const optionLine = ({ path, message }: OptionMistake): string =>
  path.length === 0 ? message : `${dotted(path)}: ${message}`;

/** Throws for mistakes, where there are any. */
export function refuseOptions(mistakes: readonly OptionMistake[]): void {
  if (mistakes.length > 0) throw new OptionsError(mistakes);
}
