import { GatewayError } from "../errors/gateway-error.ts";
import { OwnedError } from "../errors/owned-error.ts";
import { credentialHeaders } from "../http/header-names.ts";
import { placeOf } from "../http/upstream/place-of.ts";
import type { Format } from "../model/format.ts";
import type { Headers } from "../model/headers.ts";
import type { OperationSpec } from "../model/operation-spec.ts";
import type { ModelQuery, Vendor } from "../model/procedure.ts";
import type { BoundProvider } from "../model/provider.ts";
import type { Transport } from "../model/transport.ts";
import { Secret } from "../secrets/secret.ts";
import { atMost } from "../time/at-most.ts";
import { bearer } from "./define-provider.ts";
import { kindOf } from "./field-kinds.ts";
import { namedDefinition } from "./named-definition.ts";
import { operationsOf } from "./offered-operations.ts";
import type { CommonOptions, ProviderDefinition } from "./provider-definition.ts";

type Options = CommonOptions & Record<string, unknown>;

export interface BindInput {
  readonly slug: string;
  readonly definition: ProviderDefinition;
  /** Parsed options. */
  readonly options: Options;
  readonly formats: ReadonlyMap<string, Format>;
  /** Some of its secrets came with the request, or with its routing config. */
  readonly broughtSecret?: boolean;
  readonly untrustedHost?: boolean;
  /** The way out that the same provider already has: one slug, one transport. */
  readonly transport?: Transport | undefined;
  readonly stored?: StoredParts | undefined;
}

/** What a provider that is kept among the records has besides its options. */
export interface StoredParts {
  /** Its host is one of its own, not the vendor's: the address is checked. */
  readonly ownHost: boolean;
  /** The model whose formats it is called in, whatever the model is called. */
  readonly base?: string | undefined;
  /** Values of headers that no caller may see. */
  readonly secrets: readonly string[];
  readonly refused: () => void;
  readonly allow: NonNullable<BoundProvider["allow"]>;
  readonly pricing?: BoundProvider["pricing"];
}

/** A provider with options, made ready: everything a request would otherwise have to work out. */
export function bindProvider(input: BindInput): BoundProvider {
  const { slug, formats, untrustedHost = false, stored } = input;
  const options = withoutBaseQuery(input.options);
  const definition = namedDefinition(input.definition);
  const own = Object.fromEntries(Object.entries(options.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const authenticate = definition.authenticate ?? (({ apiKey }: Options) => apiKey && bearer(apiKey));
  const credential = authenticate(options as never);
  const { sign, proxyPath, modelBehind, findModel, listModels, headerFilters } = definition;
  const lacks = definition.lacks?.(options as never);
  const secrets = [...secretsIn(options), ...(stored?.secrets ?? [])];
  const tokens = latestToken(secrets);
  const operations = operationsOf(definition, options, formats);
  const baseUrl = input.options.baseUrl ?? madeBaseUrl(definition, options);
  return {
    slug,
    name: definition.name,
    usable: credential !== undefined || definition.anonymous === true || Object.keys(own).length > 0,
    baseUrl,
    ...basePlaceOf(baseUrl),
    operations: stored?.base === undefined ? operations : servedAs(stored.base, operations),
    ...batchOperationsOf(definition, options, formats),
    ...proceduresOf(definition, options),
    ...socketsOf(definition, options),
    headers:
      typeof credential === "function" ? fetched(definition.name, credential, own, tokens) : { ...credential, ...own },
    ...(sign && { sign: signedAnd(tokens, (call) => sign(call, options as never)) }),
    ...(definition.transport && { transport: input.transport ?? definition.transport(options as never) }),
    forwards: [...(definition.forwards ?? []), ...options.forwardHeaders.map((name) => name.toLowerCase())],
    vendorHeaders: (definition.forwards ?? []).filter((name) => !credentialNames.has(name)),
    untrustedHost,
    ...(input.broughtSecret && { broughtSecret: true }),
    ...(headerFilters && {
      headerFilters: typeof headerFilters === "function" ? headerFilters(options as never) : headerFilters,
    }),
    ...(lacks !== undefined && { lacks }),
    ...(definition.whyNot && { whyNot: definition.whyNot }),
    ...(proxyPath && { proxyPath: (path, asked) => proxyPath(path, options as never, asked) }),
    ...(listModels && {
      listModels: (query: ModelQuery, vendor: Vendor) => listModels(query, vendor, options as never),
    }),
    ...(definition.readError && { readError: definition.readError }),
    secrets,
    clocks: options.clocks,
    ...(definition.statesCost && { statesCost: true }),
    ...(definition.videos && { videos: definition.videos }),
    ...(definition.paidTiers && { paidTiers: definition.paidTiers(options as never) }),
    ...(definition.raw && { raw: true }),
    ...(stored && { refused: stored.refused, allow: stored.allow }),
    ...(stored?.pricing && { pricing: stored.pricing }),
    ...(modelBehind && { modelBehind: (name: string) => modelBehind(name, options as never) }),
    // Of a model of one's own it is said what it was made of.
    ...(findModel && stored?.base === undefined && { findModel: asked(findModel, options) }),
  };
}

const credentialNames: ReadonlySet<string> = new Set(credentialHeaders);

const asked =
  (
    findModel: NonNullable<ProviderDefinition["findModel"]>,
    options: Options,
  ): NonNullable<BoundProvider["findModel"]> =>
  (name, vendor) =>
    findModel(name, vendor, options as never);

/** A model of one's own is served in the formats of the model it was made of. */
const servedAs = (base: string, operations: BoundProvider["operations"]): BoundProvider["operations"] =>
  Object.fromEntries(
    Object.entries(operations).map(([name, specs]) => [
      name,
      specs.map(({ serves, firstFor, ...spec }) => ({
        ...spec,
        ...(serves && { serves: insteadOf(serves, base) }),
        ...(firstFor && { firstFor: (...[, request]: Parameters<typeof firstFor>) => firstFor(base, request) }),
      })),
    ]),
  );

type Serves = NonNullable<OperationSpec["serves"]>;

const insteadOf =
  (serves: Serves, base: string): Serves =>
  (...[, ...more]: Parameters<Serves>) =>
    serves(base, ...more);

function batchOperationsOf(
  { name, operations, batchOperations }: ProviderDefinition,
  options: Options,
  formats: ReadonlyMap<string, Format>,
): Pick<BoundProvider, "batchOperations"> {
  if (!batchOperations) return {};
  const own = operationsOf({ name, operations: batchOperations }, options, formats);
  return { batchOperations: { ...operationsOf({ name, operations }, options, formats), ...own } };
}

function proceduresOf({ procedures }: ProviderDefinition, options: Options): Pick<BoundProvider, "procedures"> {
  const table = typeof procedures === "function" ? procedures(options as never) : procedures;
  return table ? { procedures: table } : {};
}

function socketsOf({ sockets }: ProviderDefinition, options: Options): Pick<BoundProvider, "sockets"> {
  const places = typeof sockets === "function" ? sockets(options as never) : sockets;
  return places ? { sockets: places } : {};
}

/** No clock of an attempt runs yet while its credential is fetched. */
const credentialDeadlineMs = 30_000;

/** Told of headers that show a token: it is a secret as long as it is the latest. */
type TokenKeeper = (headers: Headers) => Headers;

function latestToken(secrets: string[]): TokenKeeper {
  const known = secrets.length;
  return (headers) => {
    const token = headers.authorization?.replace(/^Bearer /, "");
    if (token && secrets[known] !== token) secrets[known] = token;
    return headers;
  };
}

type Sign = NonNullable<BoundProvider["sign"]>;

/** A signature is good for one call, and is no secret. What is shown in place of one is good for more. */
function signedAnd(kept: TokenKeeper, sign: Sign): Sign {
  const told = (headers: Headers) => (headers.authorization?.startsWith("Bearer ") ? kept(headers) : headers);
  return (call) => {
    const headers = sign(call);
    return headers instanceof Promise ? headers.then(told) : told(headers);
  };
}

/** Headers that are asked for before each call. */
function fetched(
  name: string,
  credential: () => Promise<Headers>,
  own: Headers,
  kept: TokenKeeper,
): () => Promise<Headers> {
  return async () => {
    const asked = credential();
    if (!(await atMost(credentialDeadlineMs, asked)))
      throw new GatewayError(
        "request_timeout",
        `The credential for ${name} was not there within ${credentialDeadlineMs} ms.`,
      );
    return Object.assign({}, kept(await asked), own);
  };
}

/** What is made of other options is held to what the option is held to. */
function madeBaseUrl({ name, baseUrl }: ProviderDefinition, options: Options): string {
  if (typeof baseUrl !== "function") return "";
  const made: unknown = baseUrl(options as never);
  // Empty where an option it is made of is missing, which `lacks` tells.
  if (typeof made === "string" && /^(?:$|https?:\/\/.)/.test(made)) return made;
  const given = typeof made === "string" ? JSON.stringify(made) : kindOf(made);
  throw new OwnedError(
    `[provider ${name}] baseUrl: it gave ${given}, and has to give a URL, such as "https://api.acme.example/v1"`,
  );
}

function basePlaceOf(baseUrl: string): Pick<BoundProvider, "origin" | "basePath" | "baseQuery"> {
  const { origin, path, query } = placeOf(baseUrl);
  return { origin, basePath: path.replace(/\/+$/, ""), baseQuery: query };
}

/** Providers put paths behind the base URL themselves (`${baseUrl}/v1`): its query is for whoever calls. */
function withoutBaseQuery(options: Options): Options {
  const mark = options.baseUrl?.indexOf("?") ?? -1;
  return mark < 0 ? options : { ...options, baseUrl: (options.baseUrl as string).slice(0, mark) };
}

function secretsIn(options: Options): string[] {
  return [...secretsWithin(options)].map((value) => value.reveal()).filter((value) => value !== "");
}

/** However deep they lie. */
function* secretsWithin(value: unknown): Iterable<Secret> {
  if (value instanceof Secret) yield value;
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) yield* secretsWithin(inner);
}
