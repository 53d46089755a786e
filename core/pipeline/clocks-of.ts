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

function askedClocks({ gatewayHeaders }: Timed): Clocks {
  const asked: Record<string, number> = {};
  for (const header in clockHeaders) {
    const milliseconds = Number(gatewayHeaders.get(header));
    if (milliseconds > 0 && Number.isFinite(milliseconds)) asked[clockHeaders[header] ?? ""] = milliseconds;
  }
  return asked;
}

type Timed = Pick<ExchangeState, "gatewayHeaders" | "endpoint">;

/** The narrowest setting of each clock wins: request, target, provider, server. Files take as long as they take. */
export function clocksOf(
  { settings }: { readonly settings: Pick<Road["settings"], "clocks"> },
  exchange: Timed,
  { provider, clocks }: { readonly provider: Pick<Target["provider"], "clocks">; readonly clocks?: Target["clocks"] },
): Clocks {
  const asks = exchange.gatewayHeaders.any;
  const transfers = exchange.endpoint.procedure?.transfers;
  if (!provider.clocks && !clocks && !asks && !transfers) return settings.clocks;
  const set = { ...settings.clocks, ...provider.clocks, ...clocks, ...(asks && askedClocks(exchange)) };
  return transfers ? { ...set, total: 0 } : set;
}
