import { Stage } from "./hooks.ts";
import type { Exchange } from "./model/exchange.ts";
import type { ProcedureTable } from "./model/procedure.ts";
import type { BoundProvider } from "./model/provider.ts";
import type { Outcome, Route, Target } from "./model/route.ts";
import type { RoutingService } from "./model/routing.ts";
import type { TappableHooks } from "./plugin.ts";
import { bareProvider } from "./provider-kit/bare-provider.ts";
import { settleTap } from "./taps.ts";

/** What clients name the gateway itself by, in `x-gateway-provider`. */
export const ownProviderName = "gateway";

/** How the gateway itself does what an exchange asks for; undefined leaves it to another provider. */
type OwnProcedures = (exchange: Exchange) => ProcedureTable | undefined | Promise<ProcedureTable | undefined>;

/**
 * Makes the gateway itself the provider of things that are kept (inference-api.md section 16, managed mode): an exchange
 * that `procedures` knows is admitted, limited and recorded as any other, and goes nowhere else.
 */
export function tapOwnProvider(hooks: TappableHooks, name: string, procedures: OwnProcedures): void {
  const routeTo = (table: ProcedureTable | undefined): Route | undefined => table && only(ownTarget(table));
  hooks.routeSelect.tapAsync({ name, stage: Stage.own }, (exchange, done) => {
    // What the gateway asks of others for somebody is not for itself again.
    const asks = exchange.role === "internal" || exchange.role === "account";
    const table = exchange.endpoint.procedure && !asks ? procedures(exchange) : undefined;
    settleTap(table instanceof Promise ? table.then(routeTo) : routeTo(table), done);
  });
}

/**
 * Whether a request names the gateway itself, or nobody: no provider in a header, and none in its routing config. One
 * that names a provider is that provider's, whatever it asks for.
 */
export async function isForGateway(
  exchange: Exchange,
  routing: Pick<RoutingService, "named"> | undefined,
): Promise<boolean> {
  const { gatewayHeaders } = exchange;
  const provider = gatewayHeaders.get("provider");
  if (provider !== undefined) return provider.toLowerCase() === ownProviderName;
  if (naming.some((header) => gatewayHeaders.get(header) !== undefined)) return false;
  if (!exchange.routing || !routing) return true;
  return (await routing.named(exchange))?.chosen !== true;
}

/** Headers besides that say where a request goes. */
const naming = ["virtual-key", "custom-host", "mode"];

const ownTarget = (procedures: ProcedureTable): Target => ({
  path: "config",
  provider: { ...ownProvider, procedures },
});

const ownProvider: BoundProvider = {
  ...bareProvider,
  slug: ownProviderName,
  name: ownProviderName,
  itself: true,
  usable: true,
};

function* only(target: Target): Generator<Target, Outcome, Outcome> {
  return yield target;
}
