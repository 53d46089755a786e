import { errorMessage } from "../errors/error-message.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { thrownAt } from "../errors/thrown-at.ts";
import type { AddressRules } from "../http/upstream/address-rules.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Format } from "../model/format.ts";
import type { Logger } from "../model/logger.ts";
import type { BoundProvider } from "../model/provider.ts";
import { editDistance } from "../nearest.ts";
import { mayForward } from "../pipeline/attempt/upstream-headers.ts";
import { processMark } from "../secrets/process-mark.ts";
import type { StoredProblem, StoredProvidersService, StoredSettings } from "../services/stored-providers.ts";
import { type BindInput, bindProvider } from "./bind.ts";
import { binder } from "./binder.ts";
import { type Entry, fieldsOfConfigs, type Options, type ProviderTerms } from "./brought.ts";
import type { ProviderDefinition } from "./provider-definition.ts";
import type { ProviderMark } from "./provider-mark.ts";
import { StoredEntries } from "./stored-entries.ts";
import { missingIn, readSettings, secretNames } from "./stored-settings.ts";
import { type ProviderFailure, UnreadyProviders } from "./unready-providers.ts";

/** The providers of a deployment, and those that come with the product, for whoever chooses routes. */
export interface ProviderRegistry {
  /** A provider of the config file, by its slug. */
  configured(slug: string): BoundProvider | undefined;
  /** All providers of the config file. */
  all(): readonly BoundProvider[];
  /**
   * A mark of where a provider is called and what it is told. Of one that is kept elsewhere than in the file it is known to
   * those who have loaded it for their request; undefined where it is not known.
   */
  mark(slug: string, exchange?: Exchange): ProviderMark | undefined;
  /** Whether providers are kept besides those of the file: which slugs there are is known with the caller only. */
  readonly stores: boolean;
  /** Whether a name is a slug of the file or a provider that comes with the product. */
  knows(name: string): boolean;
  /** Whether a name is that of a vendor: one that comes with the product, or whose a provider of the file is. */
  isVendor(name: string): boolean;
  /**
   * The provider for one request, with what the caller brought along: credential, custom host, the provider's own
   * headers. `@slug` is one of the file, or else one of the caller's workspace; any other name one of the file, or one
   * that comes with the product. `callerCredential` says whether a credential of the caller may be used in place of the
   * configured one, `terms` what a routing config has to say, `model` what it will be asked for. A promise only for a
   * provider that has to be loaded first.
   */
  forExchange(
    name: string,
    exchange: Exchange,
    callerCredential: boolean,
    terms?: ProviderTerms,
    model?: string,
  ): BoundProvider | Promise<BoundProvider>;
  /**
   * Has a provider at hand for a request that will be walked with; undefined where it is, as it mostly is. It resolves
   * whatever happens: what is wrong with the provider is said by `forExchange`.
   */
  load(name: string, exchange: Exchange): Promise<unknown> | undefined;
  /**
   * Judges the settings of a provider that is to be kept; `later` names what secrets that lie elsewhere will fill in.
   * Tells which settings of the vendor are secrets, too.
   */
  judge(
    vendor: string,
    settings: StoredSettings,
    later: readonly string[],
  ): Promise<{ readonly problems: readonly StoredProblem[]; readonly secrets: readonly string[] }>;
  /** The fields of a routing config that are options of a provider. A promise only where it has to be loaded first. */
  fieldsOf(name: string): readonly string[] | Promise<readonly string[]>;
  /** Whether a URL that a caller names may be called; `saved` of one that stands among the records. */
  acceptsHost(url: string, saved?: boolean): boolean;
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
  /** Where providers are kept besides. */
  readonly stored?: StoredProvidersService | undefined;
}

export function providerRegistry(input: RegistryInput): ProviderRegistry {
  const { formats, rules, log } = input;
  const ready = binder(input);
  const entries = new Map<string, Entry>();
  const failures: ProviderFailure[] = [];
  for (const { slug, definition, options } of input.configured) {
    const parsed = options as Options;
    const bound = boundOrFailed({ slug, definition, options: parsed, formats }, failures);
    if (!bound) continue;
    // Callers may bring it; where they do not, whoever wrote the file has forgotten something.
    if (bound.lacks !== undefined) log.warn("provider is not complete", { provider: slug, needs: bound.lacks });
    for (const [format, meant] of misspeltFormats(definition, formats))
      log.warn("no plugin brings a format that a provider names", { provider: slug, format, "did you mean": meant });
    entries.set(slug, { slug, definition, options: parsed, bound });
  }
  if (failures.length > 0) throw new UnreadyProviders(failures);
  const loading = new Map<string, Promise<Entry>>();
  const marks = new Map<string, ProviderMark>();

  const definitions = new Map(input.configured.map(({ definition }) => [definition.name, definition]));
  const mayForwardIt = (header: string) => mayForward(header, input.headerPrefixes);
  const judges = { rules, mayForward: mayForwardIt };
  const stored = new StoredEntries({ service: input.stored, definition: definitionOf, formats, judges, ready });

  /** By the vendor's name, which in the file may stand under any slug. */
  function definitionOf(vendor: string): ProviderDefinition | Promise<ProviderDefinition> | undefined {
    const known = definitions.get(vendor);
    if (known) return known;
    if (input.builtIn.has(vendor))
      return builtIn(vendor).then(({ definition }) => {
        definitions.set(vendor, definition);
        return definition;
      });
    return undefined;
  }

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
    all: () => [...entries.values()].flatMap(({ options, bound }) => (options && bound ? [bound] : [])),
    mark(slug, exchange) {
      const entry = entries.get(slug);
      if (!entry?.options) return exchange && stored.mark(slug, exchange);
      const known = marks.get(slug) ?? markOf(entry);
      marks.set(slug, known);
      return known;
    },
    stores: stored.there,
    knows: (name) => entries.has(name) || input.builtIn.has(name),
    isVendor: (name) => definitions.has(name) || input.builtIn.has(name),
    forExchange(name, exchange, callerCredential, terms, model) {
      if (name.startsWith("@")) {
        const slug = name.slice(1);
        const ofFile = entries.get(slug);
        return ofFile?.options
          ? ready(ofFile, exchange, callerCredential, terms)
          : stored.provider({ slug, exchange, terms, model });
      }
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
    load(name, exchange) {
      if (name.startsWith("@"))
        return entries.get(name.slice(1))?.options ? undefined : stored.load(name.slice(1), exchange);
      if (entries.has(name) || !input.builtIn.has(name)) return undefined;
      return builtIn(name).catch(() => undefined);
    },
    async judge(vendor, settings, later) {
      const definition = await definitionOf(vendor);
      if (!definition) {
        const message = `"${vendor}" is not a known provider`;
        return { problems: [{ field: "ai_provider_id", message }], secrets: [] };
      }
      const read = readSettings(definition, settings, undefined, judges);
      const found = "problems" in read ? read.problems : later.length > 0 ? [] : missingIn(definition, read);
      const problems = found.filter(({ field }) => !later.includes(field.split(".")[0] ?? ""));
      return { problems, secrets: secretNames(definition) };
    },
    fieldsOf(name) {
      const entry = entries.get(name);
      if (entry) return fieldsOfConfigs(entry.definition);
      if (!input.builtIn.has(name)) return [];
      return builtIn(name).then(({ definition }) => fieldsOfConfigs(definition));
    },
    acceptsHost(url, saved) {
      const reason = rules.refuseUrl(url, saved);
      // Whoever named it is not told why; whoever runs the gateway is.
      if (reason !== undefined) log.warn("custom host refused", { reason });
      return reason === undefined;
    },
    mayForward: mayForwardIt,
  };
}

/** What no plugin brings is left out, as deployments do with less than a vendor has; but not what is a letter or two off. */
const misspeltFormats = (
  { operations }: ProviderDefinition,
  formats: ReadonlyMap<string, Format>,
): [string, string][] =>
  typeof operations === "function"
    ? []
    : Object.values(operations).flatMap((said) =>
        [said].flat().flatMap((one): [string, string][] => {
          const format = typeof one === "string" ? one : one.format;
          const near = formats.has(format) ? undefined : [...formats.keys()].find((name) => isNear(name, format));
          return near === undefined ? [] : [[format, near]];
        }),
      );

const isNear = (one: string, other: string): boolean =>
  Math.abs(one.length - other.length) <= 2 && editDistance(one, other) <= 2;

/** All of them are tried, so that everything that is wrong is told at once, with the place in the code of whoever wrote it. */
function boundOrFailed(input: BindInput, failures: ProviderFailure[]): BoundProvider | undefined {
  try {
    return bindProvider(input);
  } catch (cause) {
    const place = thrownAt(cause instanceof Error ? (cause.cause ?? cause) : cause);
    failures.push({ provider: input.slug, error: new Error(errorMessage(cause) + place, { cause }) });
    return undefined;
  }
}

/** How long it is waited for, and what clients may add, are no part of it. */
function markOf({ definition, options, bound }: Entry): ProviderMark {
  const { clocks, forwardHeaders, ...told } = options ?? {};
  return { text: processMark([definition.name, bound?.baseUrl, told]) };
}
