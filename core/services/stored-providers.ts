import type { Limited } from "../model/limited.ts";
import type { StoredPricing } from "../model/stored-pricing.ts";
import { serviceToken } from "../service-token.ts";

/** Providers that are kept among the records: what `@slug` names, where the config file has no provider of that slug. */
export interface StoredProvidersService {
  /**
   * The one of a slug in a workspace; undefined where there is none. The same object until something about it changes. A
   * promise only where it has to be read; rejects with a `GatewayError`.
   */
  find(
    organisation: string,
    workspace: string,
    slug: string,
  ): StoredProvider | undefined | Promise<StoredProvider | undefined>;
  /**
   * By which slug a workspace calls the integration that a provider of another workspace stands for: the same slug where
   * it can. Null where it has no provider for it, undefined where the other workspace has no such provider.
   */
  counterpart?(
    organisation: string,
    theirs: { readonly workspace: string; readonly slug: string },
    workspace: string,
  ): Promise<string | null | undefined>;
}

export interface StoredProvider {
  readonly slug: string;
  /** The provider that comes with the product it is one of: `azure-openai`. */
  readonly vendor: string;
  /** When what is kept of it was last written, Unix milliseconds: so all gateways know which of two is the later one. */
  readonly changedAt?: number;
  /** What calls of it are limited to: the workspace's share of the integration, and the provider itself. */
  readonly limits?: readonly Limited[];
  /**
   * Lets a call through, or throws why not: `budget_exhausted`, `provider_expired`, `provider_not_available`,
   * `model_not_allowed`; `invalid_request` in nitro mode where a list of models wants the body read. What is returned is what the call has of its own; the same object for the same model.
   */
  admit(call: StoredCall): ModelSettings | undefined;
  /**
   * What it is called with; the same object as long as it is the same. A promise only where a secret that lies elsewhere
   * has to be fetched; rejects with a `GatewayError`.
   */
  settings(): StoredSettings | Promise<StoredSettings>;
  /** The vendor did not accept the credential (401); `settings` are those it was called with, which may be others by now. */
  refused(settings?: StoredSettings): void;
  /** What is said of the prices of a model; the same object for the same model until something about it changes. */
  pricing(model: string): StoredPricing | undefined;
}

/** What is known of a call before it is made. */
export interface StoredCall {
  /** Undefined where the request names none. */
  readonly model: string | undefined;
  /** The body is not looked into, so that a model in it proves nothing. */
  readonly raw: boolean;
  /** It asks for something that is there (GET), and no model to work. */
  readonly reads: boolean;
  /** The client asked for a body that could be looked into to be left alone: it may ask without that. */
  readonly nitro?: boolean;
}

/** What one model has of its own. */
export interface ModelSettings {
  readonly host?: string;
  /** They come on top of those of the provider, name by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The model whose formats it is called in. */
  readonly base?: string;
}

/** Settings of a provider, secrets in the clear: never to be printed. */
export interface StoredSettings {
  readonly key: string | undefined;
  /**
   * Options by the names they have in routing configs (`azure_resource_name`), and `custom_host`, `custom_headers` and
   * `forward_headers`. What is none of the vendor's is passed over.
   */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether the credentials of this machine may be used. */
  readonly machine: boolean;
}

/** Something is wrong with settings: `custom_host`, `key`. */
export interface StoredProblem {
  readonly field: string;
  readonly message: string;
}

export const StoredProviders = serviceToken<StoredProvidersService>("stored-providers");
