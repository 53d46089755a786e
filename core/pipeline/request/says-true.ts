import type { Exchange } from "../../model/exchange.ts";

/** Whether a header of the gateway's own, named without its prefix, says `true`, in capitals or not. */
export const saysTrue = ({ gatewayHeaders }: Pick<Exchange, "gatewayHeaders">, name: string): boolean =>
  gatewayHeaders.get(name)?.toLowerCase() === "true";
