import { type Endpoint, type ManagementOperation, percentDecoded, type z } from "../../core/index.ts";
import { queryReader } from "./query.ts";
import { type Desk, serveOperation } from "./serve.ts";

/** The endpoints of an operation of a plugin: under `/v1`, and the same under `/v2` (control-plane.md, head). */
export function endpointsOf<Found, Body extends z.ZodType, Query extends z.ZodObject>(
  operation: ManagementOperation<Found, Body, Query>,
  desk: Desk,
  owner: string,
): Endpoint[] {
  const { method, path, tag, summary, scopes, key, query, body, answer } = operation;
  const read = pathReader(path);
  const understood = queryReader(operation);
  const common = {
    type: `${tag}.${method.toLowerCase()}`,
    method,
    rawBody: true,
    owner,
    errors: "management",
    // A write goes through as many records as hang together, and how long a search may take is said with its store.
    takesTime: true,
    ...(key === "anyone" && { open: true }),
    description: { tag, summary, anyScope: scopes, answer, ...(query && { query }), ...(body && { body }) },
    serve: (exchange) => serveOperation(operation, exchange, read(exchange.url), desk, understood),
  } satisfies Omit<Endpoint, "path">;
  const place = path.replace(/\{(\w+)\}/g, ":$1");
  return ["/v1", "/v2"].map((version) => ({ ...common, path: `${version}${place}` }));
}

/** Reads the parameters of a path off a URL: `/configs/{slug}`. */
function pathReader(path: string): (url: string) => Record<string, string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const shape = new RegExp(`^/v[12]${path.replace(/\{\w+\}/g, "([^/?]+)")}/?(?:\\?|$)`);
  return (url) => {
    const [, ...values] = shape.exec(url) ?? [];
    return Object.fromEntries(names.map((name, at) => [name, percentDecoded(values[at] ?? "")]));
  };
}
