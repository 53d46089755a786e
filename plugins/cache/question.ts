import {
  asWritten,
  type CacheEntry,
  type Exchange,
  type GatewayRequest,
  type OperationSpec,
  saysTrue,
  type Target,
  tenantOf,
} from "../../core/index.ts";
import { CanonicalJson } from "./canonical-json.ts";
import { canonicalText, digestOf, digestOfJson, Parts } from "./digest.ts";
import { forwardedOf, partitionOf } from "./partition.ts";

/** What is asked of whom, as far as an answer depends on it (routing-config.md 10.3). */
export interface Question {
  readonly tenant: string;
  /** Everything but the body: tenant, endpoint, upstream, output hooks, partition. */
  readonly surroundings: readonly (string | Parts)[];
  /** The body in the client's format; absent where a tap has changed it, and where it is among the surroundings. */
  readonly bytes: Buffer | undefined;
  /** What they say, or what a tap has made of them; what is `aside` does not count. Throws where they are not readable. */
  body(): Body;
}

type Body = Readonly<Record<string, unknown>>;

/** Where answers are the same whether streamed or not, and where the model stands in a part of its own. */
const aside: ReadonlySet<string> = new Set(["model", "stream", "stream_options", "includeUsage"]);

/**
 * The question an attempt asks; undefined where its answers are not to be kept: those of copies and explanations, and of
 * the gateway's own calls, are nobody's. Throws where the body is not readable.
 */
export function questionOf(request: GatewayRequest, exchange: Exchange, target: Target): Question | undefined {
  const { principal } = exchange;
  const spec = specOf(request, target);
  // What is uploaded is nothing a key could be made of (inference-api.md section 1).
  if (request.formType !== undefined) return undefined;
  if (!principal || !spec || target.provider.raw || exchange.role !== undefined) return undefined;
  const { bytes } = request;
  const body = () => (bytes ? request.json : asWritten(request.body)) as Body;
  if (request.format === "openai-responses" && isStoredElsewhere(body())) return undefined;
  const forwarded = forwardedOf(exchange, target, spec.headerFields && Object.keys(spec.headerFields));
  if (!forwarded) return undefined;
  const tenant = tenantOf(principal);
  const surroundings = [
    "answer 1",
    tenant,
    exchange.endpoint.type,
    request.format ?? "",
    bytes ? "as it came" : "changed",
    calledAt(target.provider),
    spec.format,
    placeOf(request, spec, body),
    request.model ?? "",
    // What is done to the answer before it is kept: one that was redacted for one config is not the answer of another.
    exchange.attempt?.dependsOn ?? "",
    partitionOf(exchange, target, forwarded),
  ];
  // Whoever wants nothing lost is refused where something would be, and is not answered with what was made without it.
  if (saysTrue(exchange, "strict-params")) surroundings.push("nothing lost");
  return { tenant, surroundings, bytes, body };
}

const writer = new CanonicalJson(aside);

/** Where the answer to a question is kept; `own` where no other process reads what is kept there. */
export function entryFor({ tenant, surroundings, bytes, body }: Question, own: boolean): CacheEntry {
  const digest =
    (bytes && digestOfJson(surroundings, bytes, writer, own)) ??
    digestOf([...surroundings, canonicalText(body(), aside)]);
  return { tenant, key: `answer:${digest}` };
}

/** Where questions are kept that differ only in what is left out of `body`. */
export function spaceFor({ tenant, surroundings }: Question, body: Body, embedding: readonly string[]): CacheEntry {
  return { tenant, key: `space:${digestOf([...surroundings, canonicalText(body, aside), ...embedding])}` };
}

/** The way a provider takes an operation: in the client's own format if it can, else in the first it speaks. */
function specOf({ operation, format }: GatewayRequest, { provider }: Target): OperationSpec | undefined {
  const specs = operation && provider.operations[operation];
  return specs?.find((spec) => spec.format === format) ?? specs?.[0];
}

/** Some vendors have the model, or the deployment, in the address. */
const placeOf = ({ model = "" }: GatewayRequest, { path }: OperationSpec, body: Question["body"]): string =>
  typeof path === "string" ? path : path({ model, stream: false, fields: new Set(Object.keys(body())) });

const called = new WeakMap<Target["provider"], Parts>();

/** Who is called, and where: the same for all requests of a provider. */
export function calledAt(provider: Target["provider"]): Parts {
  const known = called.get(provider);
  if (known) return known;
  const { slug, name, origin, basePath, baseQuery } = provider;
  const parts = new Parts(slug, name, origin + basePath + baseQuery);
  called.set(provider, parts);
  return parts;
}

/** Answers the vendor is asked to keep, or to go on from, are more than their text. */
export function isStoredElsewhere(body: Body): boolean {
  const { store, background, previous_response_id: previous, conversation } = body;
  return store === true || background === true || isNamed(previous) || isNamed(conversation);
}

const isNamed = (value: unknown): boolean => value !== undefined && value !== null;
