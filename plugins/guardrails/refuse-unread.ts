import { type Exchange, GatewayError, type GatewayRequest } from "../../core/index.ts";
import type { Planned } from "./plan.ts";

/** Where an endpoint that is guarded is sent on as it came, no guardrail is left out because of that. */
export function refuseUnread(
  { operation }: GatewayRequest,
  exchange: Exchange,
  input: readonly Planned[],
  output: readonly Planned[],
): void {
  const { endpoint, attempt } = exchange;
  const provider = attempt?.target.provider;
  if (endpoint.operation === undefined || (operation !== undefined && !provider?.raw)) return;
  const unmet = [...input, ...output].find(({ hook }) => hook.checks.some(({ check }) => !check?.bodiless));
  if (!unmet) return;
  const { id } = unmet.hook;
  throw provider?.raw
    ? new GatewayError("invalid_request", `${provider.name} is sent what comes as it comes: "${id}" cannot guard it.`)
    : new GatewayError("invalid_request", `In nitro mode the body is not read, and "${id}" has to read it.`, {
        param: "nitro-mode",
      });
}
