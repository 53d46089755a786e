import type { Exchange } from "../model/exchange.ts";
import type { GatewayRequest } from "../model/request.ts";

/** A provider and a model, once a target is known. */
export interface TargetFacts {
  /** The provider id: `openai`. */
  readonly provider: string;
  /** Its slug, without `@`. */
  readonly slug: string;
  /** The name the upstream is asked for; undefined where the body is not read. */
  readonly model: string | undefined;
}

/** What conditions and groups of policies compare (policies.md section 3.2). Values are found when they are asked for. */
export class LimitFacts {
  readonly #exchange: Exchange;
  readonly target: TargetFacts | undefined;

  constructor(exchange: Exchange, target?: TargetFacts) {
    this.#exchange = exchange;
    this.target = target;
  }

  /** Whether nobody looks into the body, so that a model it may name is not known. */
  get isRaw(): boolean {
    return this.#exchange.endpoint.operation === undefined && this.target?.model === undefined;
  }

  /** Undefined where the request has none; an empty text is none. */
  valueOf(key: string): string | undefined {
    return this.#found(key) || undefined;
  }

  #found(key: string): string | undefined {
    const { principal, config, endpoint, metadata, request } = this.#exchange;
    switch (key) {
      case "api_key":
        return principal && callerOf(principal);
      case "organisation_id":
        return principal?.organisation;
      case "workspace_id":
        return principal?.workspace;
      case "virtual_key":
        return this.target?.slug;
      case "provider":
        return this.target?.provider;
      case "model":
        return this.target?.model === undefined ? undefined : `@${this.target.provider}/${this.target.model}`;
      case "config":
        return config?.slug;
      case "prompt":
        return request?.origin?.prompt?.slug;
      case "endpoint_type":
        return endpoint.type;
    }
    if (!key.startsWith(metadataPrefix)) return undefined;
    const label = key.slice(metadataPrefix.length);
    return Object.hasOwn(metadata, label) ? metadata[label]?.slice(0, longestLabel) : undefined;
  }
}

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
