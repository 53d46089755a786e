import type { Exchange } from "../model/exchange.ts";
import type { GatewayRequest } from "../model/request.ts";

/** A provider and a model, once a target is known. */
export interface TargetFacts {
  /** The provider id: `openai`. */
  readonly provider: string;
  /** Its slug, without `@`. */
  readonly slug: string;
  /** The name the upstream is asked for; undefined or empty where the body is not read, or leaves it to the vendor. */
  readonly model: string | undefined;
}

/** What conditions and groups of policies compare (policies.md section 3.2). Values are found when they are asked for. */
export class LimitFacts {
  readonly exchange: Exchange;
  readonly target: TargetFacts | undefined;

  constructor(exchange: Exchange, target?: TargetFacts) {
    this.exchange = exchange;
    this.target = target;
  }

  /** Whether a model runs that is not known: nobody looks into the body, or what the vendor keeps (a prompt, an agent) has one. */
  get hidesModel(): boolean {
    const { operation } = this.exchange.endpoint;
    return !this.target?.model && (operation === undefined || operation === "chat");
  }
}

type Finds = (facts: LimitFacts) => string | undefined;

const finders: Readonly<Record<string, Finds>> = {
  api_key: ({ exchange: { principal } }) => principal && callerOf(principal),
  organisation_id: ({ exchange }) => exchange.principal?.organisation,
  workspace_id: ({ exchange }) => exchange.principal?.workspace,
  virtual_key: ({ target }) => target?.slug,
  provider: ({ target }) => target?.provider,
  model: ({ target }) => (!target?.model ? undefined : `@${target.provider}/${target.model}`),
  config: ({ exchange }) => exchange.config?.slug,
  prompt: ({ exchange }) => exchange.request?.origin?.prompt?.slug,
  endpoint_type: ({ exchange }) => exchange.endpoint.type,
};

/** Finds the value of a key. Undefined where a request has none; an empty text is none. */
export function finderOf(key: string): Finds {
  const find = Object.hasOwn(finders, key) ? finders[key] : undefined;
  if (find) return (facts) => find(facts) || undefined;
  if (!key.startsWith(metadataPrefix)) return nowhere;
  const label = key.slice(metadataPrefix.length);
  return ({ exchange: { metadata } }) =>
    Object.hasOwn(metadata, label) ? metadata[label]?.slice(0, longestLabel) || undefined : undefined;
}

const nowhere: Finds = () => undefined;

export const metadataPrefix = "metadata.";

/** Labels are cut before they are compared (observability.md section 7). */
const longestLabel = 128;

/** A key by its id; a token by who it stands for, so that a new token of somebody is nobody new. */
const callerOf = ({ id, identity }: NonNullable<Exchange["principal"]>): string =>
  id.startsWith("jwt:") && identity !== undefined ? `jwt:${identity}` : id;

/** The facts of a request; with what is asked of the target under way, those of the target too. */
export function limitFactsOf(exchange: Exchange, asked: Pick<GatewayRequest, "model"> | undefined): LimitFacts {
  const { attempt, request } = exchange;
  if (!attempt || !asked) return new LimitFacts(exchange);
  const { provider, model: named } = attempt.target;
  // What is asked of a target has its model, or what a tap has made of that; the request itself has the client's.
  const model = (asked === request ? undefined : asked.model) ?? named ?? asked.model ?? attempt.model;
  return new LimitFacts(exchange, { provider: provider.name, slug: provider.slug, model });
}
