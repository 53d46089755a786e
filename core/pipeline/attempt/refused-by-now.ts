import { GatewayError } from "../../errors/gateway-error.ts";
import type { Principal } from "../../model/principal.ts";
import { checkScopes } from "../admit.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { ringFirst } from "../ring.ts";
import type { Road } from "../road.ts";

/** What the credential of a handshake would be refused with by now. The taps that know who is asking are asked once more. */
export async function refusedByNow(road: Road, exchange: ExchangeState): Promise<GatewayError | undefined> {
  const { endpoint, principal, id } = exchange;
  if (!principal) return undefined;
  const imagined = exchange.turn("", exchange.elapsed());
  imagined.role = "imagined";
  try {
    const now = await ringFirst(road.hooks.auth, imagined);
    if (!now || !isSame(now, principal))
      return new GatewayError("invalid_api_key", "The credential of this session lets nobody in any more.");
    checkScopes(endpoint, now);
  } catch (error) {
    if (error instanceof GatewayError) return isRefusal(error) ? error : undefined;
    road.log.error("the credential of a socket could not be asked about", { request: id, error });
  }
  return undefined;
}

/** Somebody else may be let in with what nobody knows any more: whoever is on this machine, say. */
const isSame = (now: Principal, then: Principal): boolean =>
  now.id === then.id && now.organisation === then.organisation && now.workspace === then.workspace;

/** A store that is down, or does not answer in time, says nothing about anybody. */
const isRefusal = ({ status }: GatewayError): boolean => status === 401 || status === 403;
