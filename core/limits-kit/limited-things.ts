import type { Exchange } from "../model/exchange.ts";
import type { Limited } from "../model/limited.ts";
import type { PluginContext } from "../plugin.ts";
import { Organisations, type OrganisationsService } from "../services/organisations.ts";
import { type StoredProvider, StoredProviders, type StoredProvidersService } from "../services/stored-providers.ts";

type Found = readonly Limited[] | Promise<readonly Limited[]>;

/** Whose limits a request meets, in the order they are looked at (policies.md section 1). A promise only for what has to be read. */
export class LimitedThings {
  readonly #organisations: OrganisationsService | undefined;
  readonly #stored: StoredProvidersService | undefined;
  readonly #providers: PluginContext["providers"];

  /** Of a plugin that uses `Organisations` and `StoredProviders`. */
  constructor({ offered, providers }: Pick<PluginContext, "offered" | "providers">) {
    this.#organisations = offered(Organisations);
    this.#stored = offered(StoredProviders);
    this.#providers = providers;
  }

  /** Of the credential, then of its workspace. */
  atAdmission({ principal }: Exchange): Found {
    if (principal?.organisation === undefined || principal.workspace === undefined) return listOf(principal?.limits);
    const workspace = this.#organisations?.workspace(principal.organisation, principal.workspace);
    if (workspace instanceof Promise) return workspace.then((one) => listOf(principal.limits, one?.limits));
    return listOf(principal.limits, workspace?.limits);
  }

  /** Of the workspace's share of an integration, then of the provider. */
  atTarget({ principal }: Exchange, slug: string): Found {
    if (!this.#stored || principal?.organisation === undefined || principal.workspace === undefined) return none;
    // Those of the config file have no limits of their own.
    if (this.#providers.configured(slug)) return none;
    const found = this.#stored.find(principal.organisation, principal.workspace, slug);
    return found instanceof Promise ? found.then(limitsOf) : limitsOf(found);
  }
}

const none: readonly Limited[] = [];

const limitsOf = (provider: StoredProvider | undefined): readonly Limited[] => provider?.limits ?? none;

/** Most requests meet none: nothing is made for them. */
function listOf(first: Limited | undefined, second?: Limited): readonly Limited[] {
  if (first) return second ? [first, second] : [first];
  return second ? [second] : none;
}
