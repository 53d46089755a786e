import type { Usage } from "../../model/usage.ts";

/** Usage with the service tier its answer names beside it. Where nothing was counted, there is nothing to price by it. */
export const withTier = <Counted extends Usage | undefined>(usage: Counted, tier: unknown): Counted =>
  usage && typeof tier === "string" && tier !== "" ? Object.assign({}, usage, { serviceTier: tier }) : usage;
