import type { UpstreamCall } from "../../core/provider-kit/index.ts";
import type { Wire } from "./wire.ts";
import { created } from "./words.ts";

/** Any other name works as well: these are the ones it introduces itself with. */
const models = ["simulated-small", "simulated-large", "simulated-embedding"];

/** Bytes of a body that are shown at most. */
const shownBytes = 64 * 1024;

const confidential = /authorization|cookie|secret|token|api-?key|password/i;

/** What is answered at paths that are no operation of the gateway: the models, or the request itself. */
export function rawAnswer({ method, path, headers }: UpstreamCall, body: Buffer): Wire {
  const [place = ""] = path.split("?");
  if (method === "GET" && /^(?:\/v1)?\/models$/.test(place)) {
    const data = models.map((id) => ({ id, object: "model", created, owned_by: "simulator" }));
    return { object: "list", data };
  }
  const shown = Object.entries(headers).map(([name, value]) => [name, confidential.test(name) ? "[hidden]" : value]);
  return {
    method,
    path,
    headers: Object.fromEntries(shown),
    bodyLength: body.length,
    body: body.subarray(0, shownBytes).toString("base64"),
  };
}
