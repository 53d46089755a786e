import type { Endpoint, Served } from "../../core/index.ts";
import type { ShippingState } from "./shipping/shipper.ts";

/** `GET /v1/health/logs`: how the records of this process fare, and what was lost of them. */
export const healthEndpoint = (state: () => ShippingState, ended: () => number): Endpoint => ({
  type: "logHealth",
  method: "GET",
  path: "/v1/health/logs",
  scopes: ["health.read"],
  description: { tag: "health", summary: "Says how the records of requests fare that this process keeps." },
  serve(): Served {
    const { state: circuit, failures, opensAt, written, lost, ...shipped } = state();
    const waiting = { ...shipped.waiting, records: shipped.waiting.records + ended() };
    const open_until = opensAt === undefined ? null : new Date(opensAt).toISOString();
    return {
      status: 200,
      body: { object: "log_health", state: circuit, failures, open_until, waiting, written, lost },
    };
  },
});
