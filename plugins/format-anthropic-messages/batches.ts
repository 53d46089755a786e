import { type Endpoint, gatewayAsAsked, isRecord } from "../../core/index.ts";

const rows = [
  ["POST", "", "Has many conversations gone on with"],
  ["GET", "", "Lists batches of conversations"],
  ["GET", "/:id", "Says how far a batch of conversations is"],
  ["POST", "/:id/cancel", "Cancels a batch of conversations"],
] as const;

/**
 * Batches go to the vendor as they are, and are answered by it. Where the results of one are it says as an address of its own,
 * which its SDKs call with the key they have: that is one for the gateway. They are told the gateway's address for the same.
 * `secure`: whether the gateway speaks TLS itself; `makes` learns who has made one.
 */
export const batchEndpoints = (secure: boolean, makes: NonNullable<Endpoint["witness"]>): readonly Endpoint[] =>
  rows.map(([method, rest, does]) => ({
    type: "proxy",
    method,
    path: `/v1/messages/batches${rest}`,
    rawBody: true,
    description: { tag: "messages", summary: `${does}, in Anthropic's format.` },
    // A batch has used nothing when it is made, and tells what it used in its results only.
    witness: method === "POST" ? makes : () => undefined,
    corrects: (wire, _provider, exchange) => withResultsHere(wire, gatewayAsAsked(exchange, secure)),
  }));

function withResultsHere(wire: unknown, gateway: string): unknown {
  if (!isRecord(wire)) return wire;
  if (Array.isArray(wire.data)) return { ...wire, data: wire.data.map((one) => withResultsHere(one, gateway)) };
  const { id, results_url: address } = wire;
  return typeof address === "string" && typeof id === "string"
    ? { ...wire, results_url: `${gateway}/v1/messages/batches/${encodeURIComponent(id)}/results` }
    : wire;
}
