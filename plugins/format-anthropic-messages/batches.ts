import { type Endpoint, isRecord } from "../../core/index.ts";

/**
 * Batches go to the vendor as they are, and are answered by it. Where the results of one are, it says as an address of its own,
 * which its SDKs call with the key they have: that is the gateway's. They are told the place at the gateway instead, by its
 * path, which they look for below the base URL they know.
 */
export const batchEndpoints: readonly Endpoint[] = (
  [
    ["POST", ""],
    ["GET", ""],
    ["GET", "/:id"],
    ["POST", "/:id/cancel"],
  ] as const
).map(([method, rest]) => ({
  type: "proxy",
  method,
  path: `/v1/messages/batches${rest}`,
  rawBody: true,
  corrects: withResultsHere,
}));

function withResultsHere(wire: unknown): unknown {
  if (!isRecord(wire)) return wire;
  if (Array.isArray(wire.data)) return { ...wire, data: wire.data.map(withResultsHere) };
  const { id, results_url: address } = wire;
  return typeof address === "string" && typeof id === "string"
    ? { ...wire, results_url: `/v1/messages/batches/${encodeURIComponent(id)}/results` }
    : wire;
}
