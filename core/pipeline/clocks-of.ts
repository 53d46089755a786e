import type { Clocks } from "../model/clocks.ts";
import type { Target } from "../model/route.ts";
import type { ExchangeState } from "./exchange-state.ts";
import type { Road } from "./road.ts";

/** The headers a request sets its clocks with, in milliseconds. */
const clockHeaders: Readonly<Record<string, keyof Clocks>> = {
  "connect-timeout": "connect",
  "headers-timeout": "headers",
  "first-token-timeout": "firstToken",
  "idle-timeout": "idle",
  "request-timeout": "total",
};

function askedClocks({ gatewayHeaders }: ExchangeState): Clocks {
  const asked: Record<string, number> = {};
  for (const header in clockHeaders) {
    const milliseconds = Number(gatewayHeaders.get(header));
    if (milliseconds > 0 && Number.isFinite(milliseconds)) asked[clockHeaders[header] ?? ""] = milliseconds;
  }
  return asked;
}

/** The narrowest setting of each clock wins: request, target, provider, server. */
export function clocksOf({ settings }: Road, exchange: ExchangeState, { provider, clocks }: Target): Clocks {
  const asks = exchange.gatewayHeaders.any;
  if (!provider.clocks && !clocks && !asks) return settings.clocks;
  return { ...settings.clocks, ...provider.clocks, ...clocks, ...(asks && askedClocks(exchange)) };
}
