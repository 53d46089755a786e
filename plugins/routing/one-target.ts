import { type Exchange, GatewayError } from "../../core/index.ts";
import type { CompiledConfig } from "./walk/compile.ts";

/** What is kept by one provider cannot be looked for at several (inference-api.md section 16.1). */
export function refuseSeveralTargets({ severalTargets }: CompiledConfig, { endpoint, gatewayHeaders }: Exchange): void {
  if (!endpoint.oneTarget || !severalTargets) return;
  throw new GatewayError(
    "invalid_request",
    `${endpoint.type} goes to one provider: the routing config has several targets. Name a config with one, or the ` +
      `provider in ${gatewayHeaders.nameOf("provider")}.`,
    { param: "config" },
  );
}
