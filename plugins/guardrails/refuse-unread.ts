import { type Exchange, GatewayError, type GatewayRequest } from "../../core/index.ts";
import type { Planned } from "./plan.ts";
import { isGuarded } from "./run/run-hook.ts";

/**
 * Where an endpoint that is guarded is sent on as it came, no guardrail is left out because of that; nor where a body is
 * one that only its vendor could read: checks that cannot read it would let it through.
 */
export function refuseUnread(
  request: GatewayRequest,
  exchange: Exchange,
  input: readonly Planned[],
  output: readonly Planned[],
): void {
  const { endpoint, attempt } = exchange;
  const { operation } = request;
  const provider = attempt?.target.provider;
  if (operation !== undefined && !provider?.raw)
    return isGuarded(operation) && (input.some(reads) || output.some(reads)) ? readable(request) : undefined;
  if (endpoint.operation === undefined) return;
  const unmet = [...input, ...output].find(({ hook }) => hook.checks.some(({ check }) => !check?.bodiless));
  if (!unmet) return;
  const { id } = unmet.hook;
  throw provider?.raw
    ? new GatewayError("invalid_request", `${provider.name} is sent what comes as it comes: "${id}" cannot guard it.`)
    : new GatewayError("invalid_request", `In nitro mode the body is not read, and "${id}" has to read it.`, {
        param: "nitro-mode",
      });
}

const reads = ({ hook }: Planned): boolean => hook.reads;

/** Throws what is wrong with a body, in the words a translation of it would have. It is read once, for checks as well. */
function readable({ body }: GatewayRequest): void {
  if (body === undefined) throw new GatewayError("invalid_request", "The body cannot be read.");
}
