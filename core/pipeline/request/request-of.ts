import type { Exchange } from "../../model/exchange.ts";
import type { GatewayRequest } from "../../model/request.ts";

/** What the target under way is asked: its own request, or that of the exchange. */
export const requestOf = ({ attempt, request }: Pick<Exchange, "attempt" | "request">): GatewayRequest | undefined =>
  attempt?.target.request ?? request;
