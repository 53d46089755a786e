import {
  type Exchange,
  type GatewayRequest,
  isRecord,
  type Target,
  tenantOf,
  withoutParameters,
} from "../../core/index.ts";
import { canonicalText } from "./digest.ts";
import { partitionOf, sentAlong } from "./partition.ts";
import { calledAt, isStoredElsewhere, type Question } from "./question.ts";

/**
 * The question of a raw call with a JSON body (inference-api.md section 22.2); undefined where its answer is not to be kept.
 * All of the body counts, and all headers that go on with it. Throws where the body is not readable.
 */
export function rawQuestionOf(request: GatewayRequest, exchange: Exchange, target: Target): Question | undefined {
  const { principal, endpoint, url } = exchange;
  const { provider } = target;
  if (!endpoint.cacheable?.test(url) || !principal || !request.bytes || request.stream || exchange.role !== undefined)
    return undefined;
  // What a vendor says to one credential may be about its account.
  if (provider.broughtSecret) return undefined;
  const sent = sentAlong(exchange, target);
  const body = request.json;
  if (!sent || !isRecord(body) || isStoredElsewhere(body)) return undefined;
  const tenant = tenantOf(principal);
  const surroundings = [
    "raw answer 1",
    tenant,
    endpoint.type,
    calledAt(provider),
    withoutParameters(url, principal.credentialParameters ?? []),
    // The model a target names takes the place of that in the body when it is sent.
    request.model ?? "",
    canonicalText(body),
    exchange.attempt?.dependsOn ?? "",
    partitionOf(exchange, target, sent),
  ];
  return { tenant, surroundings, bytes: undefined, body: () => none };
}

/** Of other bodies some fields stand elsewhere, or do not matter: here nobody knows what a field means. */
const none = {};
