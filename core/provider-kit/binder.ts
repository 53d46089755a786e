import { GatewayError } from "../errors/gateway-error.ts";
import type { AddressRules } from "../http/upstream/address-rules.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Format } from "../model/format.ts";
import type { Logger } from "../model/logger.ts";
import type { BoundProvider } from "../model/provider.ts";
import { type Entry, headerValues, type ProviderTerms, rebound, valuesOf } from "./brought.ts";

export interface BinderInput {
  readonly formats: ReadonlyMap<string, Format>;
  readonly rules: AddressRules;
  readonly log: Logger;
  readonly headerPrefixes: readonly [string, ...string[]];
}

/** Makes a provider ready for one request. */
export type Binder = (
  entry: Entry,
  exchange: Exchange,
  callerCredential: boolean,
  terms: ProviderTerms | undefined,
) => BoundProvider;

interface Settled {
  readonly entry: Entry;
  readonly values: Readonly<Record<string, unknown>> | undefined;
  readonly bound: BoundProvider;
}

export function binder({ formats, rules, log, headerPrefixes: [prefix] }: BinderInput): Binder {
  /** What the terms of a config came to, where a request brought nothing on top of them. */
  const settled = new WeakMap<ProviderTerms, Settled>();
  return ready;

  function ready(
    entry: Entry,
    exchange: Exchange,
    callerCredential: boolean,
    terms: ProviderTerms | undefined,
  ): BoundProvider {
    const known = terms && settled.get(terms);
    const fromTerms = terms && (known?.entry === entry ? known.values : valuesOf(terms, entry.definition));
    const fromHeaders = headerValues(exchange, entry, callerCredential, terms, fromTerms);
    if (!fromHeaders && known?.entry === entry) return known.bound;
    if (!fromTerms && !fromHeaders) return settle(terms, entry, undefined, usable(entry, entry.bound));
    const trusted = terms?.trusted === true;
    const caller = trusted ? fromHeaders : { ...fromTerms, ...fromHeaders };
    if (typeof caller?.baseUrl === "string") refuseHost(caller.baseUrl, exchange);
    const brought = { operator: trusted ? fromTerms : undefined, caller, named: terms?.named === true };
    const bound = usable(entry, rebound(entry, brought, formats, prefix), fromTerms?.baseUrl ?? caller?.baseUrl);
    return fromHeaders ? bound : settle(terms, entry, fromTerms, bound);
  }

  function settle(
    terms: ProviderTerms | undefined,
    entry: Entry,
    values: Settled["values"],
    bound: BoundProvider,
  ): BoundProvider {
    if (terms) settled.set(terms, { entry, values, bound });
    return bound;
  }

  function refuseHost(url: string, exchange: Exchange): void {
    const reason = rules.refuseUrl(url);
    if (reason === undefined) return;
    log.warn("custom host refused", { request: exchange.id, reason });
    throw new GatewayError("custom_host_invalid", "Invalid custom host");
  }

  /** A host of one's own may want no credential: whether it does is between the two of them. */
  function usable(entry: Entry, bound: BoundProvider | undefined, ownHost?: unknown): BoundProvider {
    if (bound?.lacks !== undefined)
      throw new GatewayError("invalid_request", `${entry.slug} needs ${bound.lacks}.`, { provider: entry.slug });
    if (bound && (bound.usable || ownHost !== undefined || entry.stored?.ownHost)) return bound;
    throw entry.definition.anonymous ? missingHost(entry, prefix) : missingCredential(entry, prefix);
  }
}

/** Whoever needs no credential lacks the place it is called at. */
const missingHost = ({ slug }: Entry, prefix: string) =>
  new GatewayError(
    "provider_missing",
    `The provider "${slug}" has no host of its own: send one in ${prefix}custom-host, or set providers.${slug}.baseUrl ` +
      "in the config file.",
    { provider: slug, param: `${prefix}custom-host` },
  );

const missingCredential = (entry: Entry, prefix: string) =>
  new GatewayError(
    "credential_missing",
    entry.stored
      ? `No credential for "@${entry.slug}": where a request chooses the host or the account, it brings the vendor's key, ` +
          "in authorization."
      : missingInFile(entry, prefix),
    { provider: entry.slug },
  );

const missingInFile = (entry: Entry, prefix: string): string =>
  `No credential for the provider "${entry.slug}": set providers.${entry.slug}.apiKey in the config file, or send ` +
  `${prefix}provider: ${entry.slug} with the vendor's key in authorization; a routing config that names the ` +
  "provider brings the key in api_key.";
