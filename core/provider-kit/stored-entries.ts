import { GatewayError } from "../errors/gateway-error.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Format } from "../model/format.ts";
import type { BoundProvider } from "../model/provider.ts";
import { processMark } from "../secrets/process-mark.ts";
import type {
  ModelSettings,
  StoredProvider,
  StoredProvidersService,
  StoredSettings,
} from "../services/stored-providers.ts";
import { foundFor, slot } from "../slot.ts";
import { bareProvider } from "./bare-provider.ts";
import { bindProvider } from "./bind.ts";
import type { Binder } from "./binder.ts";
import type { Entry, ProviderTerms } from "./brought.ts";
import type { ProviderDefinition } from "./provider-definition.ts";
import type { ProviderMark } from "./provider-mark.ts";
import { headerSecrets, readSettings, type SettingsRules } from "./stored-settings.ts";

export interface StoredEntriesInput {
  /** Absent where nobody keeps providers. */
  readonly service: StoredProvidersService | undefined;
  /** A promise only where it has to be loaded first; undefined for a vendor that is not there, or not any more. */
  readonly definition: (vendor: string) => ProviderDefinition | Promise<ProviderDefinition> | undefined;
  readonly formats: ReadonlyMap<string, Format>;
  readonly judges: SettingsRules;
  readonly ready: Binder;
}

/** What a request wants of a stored provider. */
export interface StoredAsk {
  readonly slug: string;
  readonly exchange: Exchange;
  readonly terms: ProviderTerms | undefined;
  readonly model: string | undefined;
}

interface BoundEntries {
  readonly settings: StoredSettings;
  readonly byModel: Map<ModelSettings | undefined, Entry>;
}

/** Stored providers that a request has loaded, or why there is none: it keeps them, whatever changes meanwhile. */
const loaded = slot<Exchange, Map<string, StoredProvider | GatewayError>>("stored providers");

/** Providers that are kept among the records, made ready once and used until they change. */
export class StoredEntries {
  readonly #input: StoredEntriesInput;
  readonly #bound = new WeakMap<StoredProvider, BoundEntries>();
  readonly #marks = new WeakMap<StoredProvider, { readonly settings: StoredSettings; readonly mark: ProviderMark }>();

  constructor(input: StoredEntriesInput) {
    this.#input = input;
  }

  /** Whether there can be any. */
  get there(): boolean {
    return this.#input.service !== undefined;
  }

  /** Has one at hand for a walk, which waits for nothing. What is wrong with it is said when it is asked for. */
  load(slug: string, exchange: Exchange): Promise<unknown> | undefined {
    const failed = (error: unknown) => {
      keep(slug, exchange, asRefusal(error));
      return undefined;
    };
    try {
      const found = this.#find(slug, exchange);
      if (found instanceof Promise) return found.then((one) => this.#keep(slug, exchange, one)).catch(failed);
      return this.#keep(slug, exchange, found)?.catch(failed);
    } catch (error) {
      return failed(error);
    }
  }

  /** A mark of the settings of one that was loaded for a request; undefined where it was not, or they have to be fetched. */
  mark(slug: string, exchange: Exchange): ProviderMark | undefined {
    const known = foundFor(loaded, exchange)?.get(slug);
    if (!known || known instanceof GatewayError) return undefined;
    const settings = settingsAtHand(known);
    if (!settings) return undefined;
    const marked = this.#marks.get(known);
    if (marked?.settings === settings) return marked.mark;
    const mark = markOf(known, settings);
    this.#marks.set(known, { settings, mark });
    return mark;
  }

  provider(ask: StoredAsk): BoundProvider | Promise<BoundProvider> {
    const found = this.#find(ask.slug, ask.exchange);
    return found instanceof Promise ? found.then((stored) => this.#defined(stored, ask)) : this.#defined(found, ask);
  }

  #find(slug: string, exchange: Exchange): StoredProvider | Promise<StoredProvider> {
    const known = foundFor(loaded, exchange)?.get(slug);
    if (known instanceof GatewayError) throw known;
    if (known) return known;
    const { organisation, workspace } = exchange.principal ?? {};
    const { service } = this.#input;
    if (!service || organisation === undefined || workspace === undefined) throw unknown(slug, this.there);
    const found = service.find(organisation, workspace, slug);
    if (found instanceof Promise) return found.then((one) => one ?? Promise.reject(unknown(slug, true)));
    if (found) return found;
    throw unknown(slug, true);
  }

  /** Its vendor may have to be loaded besides. */
  #keep(slug: string, exchange: Exchange, found: StoredProvider): Promise<unknown> | undefined {
    keep(slug, exchange, found);
    const definition = this.#definition(found);
    return definition instanceof Promise ? definition : undefined;
  }

  #definition({ slug, vendor }: StoredProvider): ProviderDefinition | Promise<ProviderDefinition> {
    const definition = this.#input.definition(vendor);
    if (definition) return definition;
    throw notAvailable(slug, `there is no provider "${vendor}" in this gateway; load it, or store another one`);
  }

  #defined(stored: StoredProvider, ask: StoredAsk): BoundProvider | Promise<BoundProvider> {
    const definition = this.#definition(stored);
    if (definition instanceof Promise) return definition.then((known) => this.#ready(stored, known, ask));
    return this.#ready(stored, definition, ask);
  }

  #ready(stored: StoredProvider, definition: ProviderDefinition, { exchange, terms, model }: StoredAsk): BoundProvider {
    const { endpoint, request, method } = exchange;
    const own = stored.admit({
      model,
      raw: definition.raw === true || (endpoint.operation ?? endpoint.prepare) === undefined || request === undefined,
      reads: method === "GET" || method === "HEAD",
      nitro: endpoint.operation !== undefined && request === undefined,
    });
    const settings = stored.settings();
    const { ready } = this.#input;
    if (!(settings instanceof Promise))
      return ready(this.#entry(stored, definition, settings, own), exchange, false, terms);
    const pending = settings.then((got) => ready(this.#entry(stored, definition, got, own), exchange, false, terms));
    // Whether anybody is called with it is not known yet.
    pending.catch(() => undefined);
    return { ...waiting, slug: stored.slug, name: definition.name, pending };
  }

  #entry(
    stored: StoredProvider,
    definition: ProviderDefinition,
    settings: StoredSettings,
    own: ModelSettings | undefined,
  ): Entry {
    let bound = this.#bound.get(stored);
    if (bound?.settings !== settings) {
      bound = { settings, byModel: new Map() };
      this.#bound.set(stored, bound);
    }
    const known = bound.byModel.get(own);
    if (known) return known;
    const [other] = bound.byModel.values();
    const entry = this.#bind(stored, definition, settings, own, other);
    bound.byModel.set(own, entry);
    return entry;
  }

  #bind(
    provider: StoredProvider,
    definition: ProviderDefinition,
    settings: StoredSettings,
    own: ModelSettings | undefined,
    other: Entry | undefined,
  ): Entry {
    const { slug } = provider;
    const { formats, judges } = this.#input;
    const read = readSettings(definition, settings, own, judges);
    if ("problems" in read)
      throw notAvailable(slug, read.problems.map(({ field, message }) => `${field} ${message}`).join("; "));
    const { options, ownHost } = read;
    const stored = {
      ownHost,
      base: own?.base,
      secrets: headerSecrets(options),
      refused: () => provider.refused(settings),
      allow: (model: string) => void provider.admit({ model, raw: false, reads: false }),
      pricing: (model: string) => provider.pricing(model),
    };
    const transport = other?.bound?.transport;
    const bound = bindProvider({ slug, definition, options, formats, untrustedHost: ownHost, transport, stored });
    return { slug, definition, options, bound, stored };
  }
}

/** Undefined where a secret has to be fetched first: whoever calls the provider fetches it, and says why it cannot be had. */
function settingsAtHand(stored: StoredProvider): StoredSettings | undefined {
  try {
    const settings = stored.settings();
    if (!(settings instanceof Promise)) return settings;
    settings.catch(() => undefined);
  } catch {
    // Said to who calls it.
  }
  return undefined;
}

/** What clients may add is no part of it. */
function markOf({ vendor, changedAt }: StoredProvider, { key, fields, machine }: StoredSettings): ProviderMark {
  const { forward_headers, ...told } = fields;
  return { text: processMark([vendor, key, told, machine]), changedAt };
}

function keep(slug: string, exchange: Exchange, found: StoredProvider | GatewayError): void {
  loaded.set(exchange, (foundFor(loaded, exchange) ?? new Map()).set(slug, found));
}

const unknown = (slug: string, kept: boolean) =>
  new GatewayError(
    "provider_unknown",
    kept
      ? `There is no stored provider "@${slug}": neither the config file nor the workspace has one of that slug.`
      : `There is no stored provider "@${slug}": the config file has none of that slug.`,
  );

const notAvailable = (slug: string, why: string) =>
  new GatewayError("provider_not_available", `The provider "@${slug}" cannot be called as it is stored: ${why}.`, {
    provider: slug,
  });

const asRefusal = (error: unknown): GatewayError =>
  error instanceof GatewayError
    ? error
    : new GatewayError("internal", "A stored provider could not be read.", {}, { cause: error });

/** Stands for a provider until its secrets are there. */
const waiting = { ...bareProvider, usable: true } as const;
