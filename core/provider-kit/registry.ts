import { GatewayError } from "../errors/gateway-error.ts";
import type { AddressRules } from "../http/upstream/address-rules.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Format } from "../model/format.ts";
import type { BoundProvider } from "../model/provider.ts";
import { mayForward } from "../pipeline/upstream-headers.ts";
import type { Logger } from "../plugin.ts";
import { bindProvider } from "./bind.ts";
import { binder } from "./binder.ts";
import { type Entry, type Options, optionsByField, type ProviderTerms } from "./brought.ts";
import type { ProviderDefinition } from "./define-provider.ts";

/** The providers of a deployment, and those that come with the product, for whoever chooses routes. */
export interface ProviderRegistry {
  /** A provider of the config file, by its slug. */
  configured(slug: string): BoundProvider | undefined;
  /** Whether a name is a slug of the file or a provider that comes with the product. */
  knows(name: string): boolean;
  /**
   * The provider for one request, with what the caller brought along: credential, custom host, the provider's own
   * headers. `callerCredential` says whether a credential of the caller may be used in place of the configured one,
   * `terms` what a routing config has to say. A promise only for a provider that has to be loaded first.
   */
  forExchange(
    name: string,
    exchange: Exchange,
    callerCredential: boolean,
    terms?: ProviderTerms,
  ): BoundProvider | Promise<BoundProvider>;
  /** The fields of a routing config that are options of a provider. A promise only where it has to be loaded first. */
  fieldsOf(name: string): readonly string[] | Promise<readonly string[]>;
  /** Whether a URL that a caller names may be called. */
  acceptsHost(url: string): boolean;
  /** Whether a client header may be asked to be forwarded. In lower case. */
  mayForward(header: string): boolean;
}

export interface RegistryInput {
  readonly configured: readonly {
    readonly slug: string;
    readonly definition: ProviderDefinition;
    readonly options: unknown;
  }[];
  readonly formats: ReadonlyMap<string, Format>;
  /** Providers that come with the product, loaded when asked for. */
  readonly builtIn: ReadonlySet<string>;
  readonly load: (name: string) => Promise<ProviderDefinition>;
  readonly rules: AddressRules;
  readonly log: Logger;
  /** The prefix of the gateway's own headers and its aliases, in lower case. */
  readonly headerPrefixes: readonly [string, ...string[]];
}

export function providerRegistry(input: RegistryInput): ProviderRegistry {
  const { formats, rules, log } = input;
  const ready = binder(input);
  const entries = new Map<string, Entry>();
  for (const { slug, definition, options } of input.configured) {
    const parsed = options as Options;
    const bound = bindProvider({ slug, definition, options: parsed, formats });
    // Callers may bring it; where they do not, whoever wrote the file has forgotten something.
    if (bound.lacks !== undefined) log.warn("provider is not complete", { provider: slug, needs: bound.lacks });
    entries.set(slug, { slug, definition, options: parsed, bound });
  }
  const loading = new Map<string, Promise<Entry>>();

  const builtIn = (name: string): Promise<Entry> => {
    const known = loading.get(name);
    if (known) return known;
    const started = input.load(name).then((definition) => {
      const options = definition.options.safeParse({});
      const bound = options.success
        ? bindProvider({ slug: name, definition, options: options.data as Options, formats })
        : undefined;
      const entry = { slug: name, definition, options: undefined, bound };
      entries.set(name, entry);
      return entry;
    });
    loading.set(name, started);
    started.catch(() => loading.delete(name));
    return started;
  };

  return {
    configured: (slug) => {
      const entry = entries.get(slug);
      return entry?.options ? entry.bound : undefined;
    },
    knows: (name) => entries.has(name) || input.builtIn.has(name),
    forExchange(name, exchange, callerCredential, terms) {
      const entry = entries.get(name);
      if (entry) return ready(entry, exchange, callerCredential, terms);
      if (input.builtIn.has(name))
        return builtIn(name).then((loaded) => ready(loaded, exchange, callerCredential, terms));
      const known = [...entries.keys()].join(", ");
      throw new GatewayError(
        "provider_unknown",
        `There is no provider "${name}" (${input.headerPrefixes[0]}provider, or in front of model). Configured: ${known}.`,
      );
    },
    fieldsOf(name) {
      const entry = entries.get(name);
      if (entry) return [...optionsByField(entry.definition).keys()];
      if (!input.builtIn.has(name)) return [];
      return builtIn(name).then(({ definition }) => [...optionsByField(definition).keys()]);
    },
    acceptsHost(url) {
      const reason = rules.refuseUrl(url);
      // Whoever named it is not told why; whoever runs the gateway is.
      if (reason !== undefined) log.warn("custom host refused", { reason });
      return reason === undefined;
    },
    mayForward: (header) => mayForward(header, input.headerPrefixes),
  };
}
