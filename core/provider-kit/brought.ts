import type { z } from "zod";
import { GatewayError } from "../errors/gateway-error.ts";
import { isHeaderValue, unsendable } from "../http/header-shapes.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Format } from "../model/format.ts";
import type { BoundProvider } from "../model/provider.ts";
import { Secret } from "../secrets/secret.ts";
import { bindProvider, type StoredParts } from "./bind.ts";
import type { CommonOptions, ProviderDefinition } from "./provider-definition.ts";

export type Options = CommonOptions & Record<string, unknown>;

/**
 * What a routing config says about the provider of one of its leaves. Made once, when the config is read: what it comes
 * to is remembered under it.
 */
export interface ProviderTerms {
  /** The config stands in the file: its word is the operator's. Any other is the caller's. */
  readonly trusted: boolean;
  /** The config itself names the provider: what a request brings for a provider is not meant for this one. */
  readonly named: boolean;
  /** Whether the provider's own options may come in headers of the request. */
  readonly headerOptions: boolean;
  readonly apiKey?: Secret;
  readonly baseUrl?: string;
  /** The provider's own options by the names of their fields: `openai_organization`. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** A provider of the deployment. */
export interface Entry {
  readonly slug: string;
  readonly definition: ProviderDefinition;
  /** Parsed options of the file, which a request's own are laid over; absent for one the file does not have. */
  readonly options: Options | undefined;
  readonly bound: BoundProvider | undefined;
  /** It is kept among the records, not in the file. */
  readonly stored?: StoredParts;
}

type Values = Readonly<Record<string, unknown>>;

/** Values by option, and by who gave them. */
export interface Brought {
  /** In a config of the file. */
  readonly operator: Values | undefined;
  /** In headers, or in a config of the caller's own. */
  readonly caller: Values | undefined;
  /** The operator's config names the provider, so that the file's secrets may go where it says. */
  readonly named: boolean;
}

/** The fields of a config that are options of a provider, with the option: the header's name in snake_case. */
export const optionsByField = ({
  headerOptions = {},
  configFields = {},
}: ProviderDefinition): ReadonlyMap<string, string> =>
  new Map([
    ...Object.entries(configFields as Readonly<Record<string, readonly string[]>>).flatMap(([option, fields]) =>
      fields.map((field) => [field, option] as const),
    ),
    // Last, so that of two names for the same option the one of its header counts.
    ...Object.entries(headerOptions as Readonly<Record<string, string | undefined>>).flatMap(([option, header]) =>
      header === undefined ? [] : [[header.replaceAll("-", "_"), option] as const],
    ),
  ]);

/** What configs may say of a provider: its options, and what says no more than they do. */
export const fieldsOfConfigs = (definition: ProviderDefinition): string[] => [
  ...optionsByField(definition).keys(),
  ...(definition.impliedFields ?? []),
];

/** What the config of a leaf says of its provider, option by option; undefined when it says nothing. */
export function valuesOf(terms: ProviderTerms, definition: ProviderDefinition): Values | undefined {
  const { apiKey, baseUrl, fields = {}, named, trusted } = terms;
  const values: Record<string, unknown> = {};
  for (const [field, option] of optionsByField(definition))
    if (Object.hasOwn(fields, field)) values[option] = fields[field];
  if (baseUrl !== undefined) values.baseUrl = baseUrl;
  // An operator's key is for the provider it stands beside, not for one that a caller names.
  if (apiKey && (named || !trusted)) values.apiKey = apiKey;
  return Object.keys(values).length > 0 ? values : undefined;
}

/** Whether values choose whose host is called. */
export const redirects = (values: Values | undefined, { tenantOptions = [] }: ProviderDefinition): boolean =>
  values !== undefined &&
  (values.baseUrl !== undefined || tenantOptions.some((option) => values[option] !== undefined));

/** What a request's headers bring for a provider; undefined when they bring nothing, as most do. */
export function headerValues(
  exchange: Exchange,
  entry: Entry,
  callerCredential: boolean,
  terms: ProviderTerms | undefined,
  fromTerms: Values | undefined,
): Values | undefined {
  const { gatewayHeaders } = exchange;
  let values: Record<string, unknown> | undefined;
  // One that says nothing is no wish for the vendor's own host, which would be sent what was meant for another.
  const host = gatewayHeaders.isEmpty("custom-host") ? "" : gatewayHeaders.get("custom-host");
  if (terms === undefined || (terms.headerOptions && !terms.named)) {
    const headerOptions = entry.definition.headerOptions as Readonly<Record<string, string | undefined>> | undefined;
    for (const option in headerOptions) {
      const header = headerOptions[option];
      const value = header === undefined ? undefined : gatewayHeaders.get(header);
      if (value !== undefined) values = { ...values, [option]: value };
    }
  }
  if (host !== undefined) values = { ...values, baseUrl: host };
  if (takesCallerKey()) {
    const key = callerKey(exchange);
    if (key !== undefined) values = { ...values, apiKey: key };
  }
  return values;

  function takesCallerKey(): boolean {
    // Named by a config, a provider gets the config's credential; one of the request only for the request's own host.
    if (terms?.named) return host !== undefined && (terms.trusted || terms.apiKey === undefined);
    const elsewhere = redirects(values, entry.definition) || redirects(fromTerms, entry.definition);
    return callerCredential || elsewhere || !entry.bound?.usable;
  }
}

/** The provider credential a caller sent, unless that header was its credential for the gateway. */
export function callerKey(exchange: Exchange): string | undefined {
  const { headers, principal } = exchange;
  for (const name of ["authorization", "x-api-key", "api-key", "x-goog-api-key"]) {
    const value = headers[name];
    if (principal?.credentialHeaders?.includes(name) || typeof value !== "string" || value.trim() === "") continue;
    // A signature is good for one request to one host, and no key.
    if (value.startsWith("AWS4-HMAC-")) continue;
    return name === "authorization" ? value.replace(/^bearer\s+/i, "").trim() : value.trim();
  }
  return undefined;
}

/** A provider with what was brought for it. A configured secret never goes to a host or a tenant of the caller's. */
export function rebound(
  entry: Entry,
  brought: Brought,
  formats: ReadonlyMap<string, Format>,
  prefix: string,
): BoundProvider {
  const { slug, definition, options, stored } = entry;
  const { caller, named } = brought;
  const byCaller = redirects(caller, definition);
  const operator = byCaller ? withoutMachine(withoutSecrets(brought.operator), definition) : brought.operator;
  // Where the caller chooses the provider, a host in the operator's config is not one that provider's key was made for.
  const elsewhere = byCaller || (redirects(operator, definition) && !named);
  const kept = elsewhere ? withoutMachine(withoutHeaders(withoutSecrets(options)), definition) : options;
  refuseMachine(caller, { ...kept, ...operator }, definition);
  const fresh = Object.entries({ ...operator, ...caller }).filter(([option]) => option in definition.options.shape);
  const parsed = parseBrought(definition, Object.fromEntries(fresh.map(revealed)), kept === undefined, prefix);
  const given = kept ? Object.fromEntries(fresh.map(([option]) => [option, parsed[option]])) : parsed;
  const bound = bindProvider({
    slug,
    definition,
    options: { ...kept, ...given } as Options,
    formats,
    untrustedHost: caller?.baseUrl !== undefined || (stored?.ownHost === true && operator?.baseUrl === undefined),
    broughtSecret: fresh.some(([option]) => (parsed as Values)[option] instanceof Secret),
    transport: entry.bound?.transport,
    // What a vendor says to a credential of the caller's is nothing to the one that is kept.
    stored: stored && elsewhere ? { ...stored, refused: () => undefined } : stored,
  });
  refuseUnsendable(bound);
  return bound;
}

/** Options may be said in headers, whatever they are: a config can hold what no header can. */
function refuseUnsendable({ name, headers }: BoundProvider): void {
  if (typeof headers === "function") return;
  for (const [header, value] of Object.entries(headers))
    if (!isHeaderValue(value))
      throw new GatewayError("invalid_request", `${name}: what is brought for the header "${header}" ${unsendable}.`, {
        param: header,
      });
}

/** Schemas make secrets of text. */
const revealed = ([option, value]: [string, unknown]): [string, unknown] => [option, asText(value)];

function asText(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asText(inner)]));
}

const fieldOf = (option: string, definition: ProviderDefinition): string =>
  [...optionsByField(definition)].find(([, one]) => one === option)?.[0] ?? option;

const partials = new WeakMap<ProviderDefinition["options"], z.ZodType>();

/** The options of a provider, none of which has to be there. Made once: a schema is compiled when it is first used. */
function someOf(options: ProviderDefinition["options"]): z.ZodType {
  const known = partials.get(options);
  if (known) return known;
  const some = options.partial();
  partials.set(options, some);
  return some;
}

/** Reads what was brought; all options that are required have to be among it where the file has none. */
function parseBrought(
  definition: ProviderDefinition,
  fresh: Record<string, unknown>,
  whole: boolean,
  prefix: string,
): Options {
  const parsed = (whole ? definition.options : someOf(definition.options)).safeParse(fresh);
  if (parsed.success) return parsed.data as Options;
  const [issue] = parsed.error.issues;
  const option = String(issue?.path[0] ?? "");
  const own = definition.headerOptions?.[option] as string | undefined;
  const header = own ?? (option === "baseUrl" ? "custom-host" : undefined);
  const field = header?.replaceAll("-", "_") ?? fieldOf(option, definition);
  const places = [
    ...(header === undefined ? [] : [`the header ${prefix}${header}`]),
    `${field} of a routing config`,
    `providers.${definition.name}.${option} in the config file`,
  ];
  const problem = fresh[option] === undefined ? " is missing" : `: ${issue?.message}`;
  throw new GatewayError(
    "invalid_request",
    `${definition.name}: ${option}${problem}; it is set by ${places.slice(0, -1).join(", ")}, or ${places.at(-1)}.`,
    { param: header === undefined ? option : `${prefix}${header}` },
  );
}

function withoutSecrets<Given extends Values>(values: Given | undefined): Given | undefined {
  if (!values) return undefined;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !holdsSecret(value))) as Given;
}

/** A package with its own copy of the gateway has a Secret class of its own: what can be revealed is a secret. */
export const holdsSecret = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ("reveal" in value || Object.values(value).some(holdsSecret));

/** What lets the machine's own credentials be used is as good as a secret. */
export function withoutMachine<Given extends Values>(
  values: Given | undefined,
  definition: ProviderDefinition,
): Given | undefined {
  const { machineOptions = [], machineValues } = definition;
  if (!values || (machineOptions.length === 0 && !machineValues)) return values;
  const ofMachine = ([name, value]: [string, unknown]) =>
    machineOptions.includes(name) || isMachineValue(definition, name, value);
  return Object.fromEntries(Object.entries(values).filter((one) => !ofMachine(one))) as Given;
}

export const isMachineValue = ({ machineValues }: ProviderDefinition, option: string, value: unknown): boolean =>
  (machineValues as Readonly<Record<string, readonly unknown[]>> | undefined)?.[option]?.includes(value) === true;

/** The machine's credentials are the operator's to lend: a caller may only ask for what was chosen anyway. */
function refuseMachine(caller: Values | undefined, chosen: Values, definition: ProviderDefinition): void {
  for (const [option, value] of Object.entries(caller ?? {}))
    if (isMachineValue(definition, option, value) && chosen[option] !== value)
      throw new GatewayError(
        "invalid_request",
        `${definition.name}: ${option} "${String(value)}" uses credentials of this machine, which only the config file ` +
          `can choose: set it in providers.${definition.name}.${option}.`,
        { param: (definition.headerOptions?.[option] as string | undefined) ?? option },
      );
}

/** Headers of the file are plain text, and a usual place for credentials. */
const withoutHeaders = (options: Options | undefined): Options | undefined => options && { ...options, headers: {} };
