import type { Exchange } from "../model/exchange.ts";
import type { Limited } from "../model/limited.ts";
import type { OrganisationsService } from "../services/organisations.ts";
import type { StoredProvider, StoredProvidersService } from "../services/stored-providers.ts";

type Found = readonly Limited[] | Promise<readonly Limited[]>;

export interface LimitedThingsInput {
  readonly organisations: OrganisationsService | undefined;
  readonly providers: StoredProvidersService | undefined;
  /** Whether a provider is the config file's, which has no limits of its own. */
  readonly configured: (slug: string) => boolean;
}

/** Whose limits a request meets, in the order they are looked at (policies.md section 1). A promise only for what has to be read. */
export class LimitedThings {
  readonly #input: LimitedThingsInput;

  constructor(input: LimitedThingsInput) {
    this.#input = input;
  }

  /** Of the credential, then of its workspace. */
  atAdmission({ principal }: Exchange): Found {
    if (principal?.organisation === undefined || principal.workspace === undefined) return listOf(principal?.limits);
    const workspace = this.#input.organisations?.workspace(principal.organisation, principal.workspace);
    if (workspace instanceof Promise) return workspace.then((one) => listOf(principal.limits, one?.limits));
    return listOf(principal.limits, workspace?.limits);
  }

  /** Of the workspace's share of an integration, then of the provider. */
  atTarget({ principal }: Exchange, slug: string): Found {
    const { providers, configured } = this.#input;
    if (!providers || principal?.organisation === undefined || principal.workspace === undefined || configured(slug))
      return none;
    const found = providers.find(principal.organisation, principal.workspace, slug);
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
