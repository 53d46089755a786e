import type { UpstreamCall } from "../../core/provider-kit/index.ts";
import type { Wire } from "./wire.ts";
import { created } from "./words.ts";

/** Any other name works as well: these are the ones it introduces itself with. */
const models = ["simulated-small", "simulated-large", "simulated-embedding"];

const modelOf = (id: string) => ({ id, object: "model", created, owned_by: "simulator" });

/** Bytes of a body that are shown at most. */
const shownBytes = 64 * 1024;

const confidential = /authorization|cookie|secret|token|api-?key|password/i;

/** What is answered at paths that are no operation of the gateway: the models, or the request itself. */
export function rawAnswer({ method, path, headers }: UpstreamCall, body: Buffer): Wire {
  const [place = ""] = path.split("?");
  const [asked, name] = (method === "GET" && /^(?:\/v1)?\/models(?:\/([\w.:-]+))?$/.exec(place)) || [];
  if (name !== undefined) return modelOf(name);
  if (asked !== undefined) return { object: "list", data: models.map(modelOf) };
  const shown = Object.entries(headers).map(([name, value]) => [name, confidential.test(name) ? "[hidden]" : value]);
  return {
    method,
    path,
    headers: Object.fromEntries(shown),
    bodyLength: body.length,
    body: body.subarray(0, shownBytes).toString("base64"),
  };
}
