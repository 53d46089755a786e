/** A provider of the config file that cannot be made ready, by its slug. */
export interface ProviderFailure {
  readonly provider: string;
  readonly error: unknown;
}

/** Why a start ended: what is wrong with providers, all of it at once. */
export class UnreadyProviders extends Error {
  override readonly name = "UnreadyProviders";
  readonly failures: readonly ProviderFailure[];

  constructor(failures: readonly ProviderFailure[]) {
    super(failures.map(({ error }) => (error instanceof Error ? error.message : String(error))).join("\n"));
    this.failures = failures;
  }
}
