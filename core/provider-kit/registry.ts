import { GatewayError } from "../errors/gateway-error.ts";
import type { AddressRules } from "../http/upstream/address-rules.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Format } from "../model/format.ts";
import type { BoundProvider } from "../model/provider.ts";
import type { Logger } from "../plugin.ts";
import { bindProvider } from "./bind.ts";
import type { CommonOptions, ProviderDefinition } from "./define-provider.ts";

type Options = CommonOptions & Record<string, unknown>;

/** The providers of a deployment, and those that come with the product, for whoever chooses routes. */
export interface ProviderRegistry {
  /** A provider of the config file, by its slug. */
  configured(slug: string): BoundProvider | undefined;
  /** Whether a name is a slug of the file or a provider that comes with the product. */
  knows(name: string): boolean;
  /**
   * The provider for one request, with what the caller brought along: credential, custom host, the provider's own
   * headers. `callerCredential` says whether a credential of the caller may be used in place of the configured one.
   * A promise only for a provider that has to be loaded first.
   */
  forExchange(name: string, exchange: Exchange, callerCredential: boolean): BoundProvider | Promise<BoundProvider>;
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
  readonly headerPrefix: string;
}

interface Entry {
  readonly slug: string;
  readonly definition: ProviderDefinition;
  /** Options as written, before parsing: a request's own are laid over them. */
  readonly options: Options | undefined;
  readonly bound: BoundProvider | undefined;
}

export function providerRegistry(input: RegistryInput): ProviderRegistry {
  const { formats, rules, log } = input;
  const entries = new Map<string, Entry>();
  for (const { slug, definition, options } of input.configured) {
    const parsed = options as Options;
    entries.set(slug, {
      slug,
      definition,
      options: parsed,
      bound: bindProvider({ slug, definition, options: parsed, formats }),
    });
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
    forExchange(name, exchange, callerCredential) {
      const entry = entries.get(name);
      if (entry) return ready(entry, exchange, callerCredential);
      if (input.builtIn.has(name)) return builtIn(name).then((loaded) => ready(loaded, exchange, callerCredential));
      const known = [...entries.keys()].join(", ");
      throw new GatewayError(
        "provider_unknown",
        `There is no provider "${name}" (${input.headerPrefix}provider, or in front of model). Configured: ${known}.`,
      );
    },
  };

  function ready(entry: Entry, exchange: Exchange, callerCredential: boolean): BoundProvider {
    const brought = broughtBy(exchange, entry, callerCredential);
    if (brought?.baseUrl !== undefined) {
      const reason = rules.refuseUrl(brought.baseUrl);
      if (reason) {
        log.warn("custom host refused", { request: exchange.id, reason });
        throw new GatewayError("custom_host_invalid", "Invalid custom host");
      }
    }
    const bound = brought ? rebound(entry, brought, formats) : entry.bound;
    // A host of the caller's own may want no credential: whether it does is between the two of them.
    if (!bound || (!bound.usable && brought?.baseUrl === undefined)) throw missingCredential(entry, input.headerPrefix);
    return bound;
  }
}

/** What a request brings for a provider, option name → text; undefined when it brings nothing, as most do. */
function broughtBy(exchange: Exchange, entry: Entry, callerCredential: boolean): Record<string, string> | undefined {
  const { gatewayHeaders } = exchange;
  let brought: Record<string, string> | undefined;
  const host = gatewayHeaders.get("custom-host");
  if (host !== undefined) brought = { baseUrl: host };
  const { headerOptions } = entry.definition;
  for (const option in headerOptions) {
    const header = (headerOptions as Readonly<Record<string, string | undefined>>)[option];
    const value = header === undefined ? undefined : gatewayHeaders.get(header);
    if (value !== undefined) brought = { ...brought, [option]: value };
  }
  // A configured credential never goes to a host the caller chose.
  const ownTenant = entry.definition.tenantOptions?.some((option) => brought?.[option] !== undefined) === true;
  if (callerCredential || host !== undefined || ownTenant || !entry.bound?.usable) {
    const key = callerKey(exchange);
    if (key !== undefined) brought = { ...brought, apiKey: key };
  }
  return brought;
}

/** The provider credential a caller sent, unless that header was its credential for the gateway. */
export function callerKey(exchange: Exchange): string | undefined {
  const { headers, principal } = exchange;
  for (const name of ["authorization", "x-api-key", "api-key"]) {
    const value = headers[name];
    if (principal?.credentialHeaders?.includes(name) || typeof value !== "string" || value.trim() === "") continue;
    return name === "authorization" ? value.replace(/^bearer\s+/i, "").trim() : value.trim();
  }
  return undefined;
}

function rebound(entry: Entry, brought: Record<string, string>, formats: ReadonlyMap<string, Format>): BoundProvider {
  const { slug, definition, options } = entry;
  const ownHost = brought.baseUrl !== undefined;
  const ownTenant = definition.tenantOptions?.some((option) => option in brought) === true;
  const fresh = Object.fromEntries(Object.entries(brought).filter(([option]) => option in definition.options.shape));
  // Secrets of the file stay with the host of the file.
  const kept = ownHost || ownTenant ? withoutSecrets(options) : options;
  const parsed = parseBrought(definition, fresh, kept === undefined);
  const given = kept ? Object.fromEntries(Object.keys(fresh).map((option) => [option, parsed[option]])) : parsed;
  return bindProvider({
    slug,
    definition,
    options: { ...kept, ...given } as Options,
    formats,
    untrustedHost: ownHost,
    transport: entry.bound?.transport,
  });
}

/** Reads a request's options; all that are required have to be among them where the file has none. */
function parseBrought(definition: ProviderDefinition, fresh: Record<string, string>, whole: boolean): Options {
  const parsed = (whole ? definition.options : definition.options.partial()).safeParse(fresh);
  if (parsed.success) return parsed.data as Options;
  const [issue] = parsed.error.issues;
  const option = String(issue?.path[0] ?? "");
  const header = definition.headerOptions?.[option] as string | undefined;
  const where =
    header === undefined ? `providers.${definition.name}.${option} in the config file` : `the header ${header}`;
  throw new GatewayError(
    "invalid_request",
    `${definition.name}: ${option}: ${issue?.message}; it is set by ${where}.`,
    {
      param: header ?? option,
    },
  );
}

function withoutSecrets(options: Options | undefined): Options | undefined {
  if (!options) return undefined;
  const kept = Object.entries(options).filter(([, value]) => !(value instanceof Object && "reveal" in value));
  return { ...Object.fromEntries(kept), headers: {} } as Options;
}

const missingCredential = (entry: Entry, prefix: string) =>
  new GatewayError(
    "credential_missing",
    `No credential for the provider "${entry.slug}": set providers.${entry.slug}.apiKey in the config file, or send ` +
      `${prefix}provider: ${entry.slug} with the vendor's key in authorization.`,
    { provider: entry.slug },
  );
