import type { Endpoint } from "../../../core/index.ts";

/** What leads to no endpoint of a name of its own (observability.md section 16.2). */
export const anyOther = "/v1/proxy";

const names = new WeakMap<Endpoint, string>();

/** The path of an endpoint with its parameters as `:id`: a label must not grow with what clients write. */
export function endpointName(endpoint: Endpoint): string {
  const known = names.get(endpoint);
  if (known !== undefined) return known;
  const { path } = endpoint;
  const name = path.endsWith("*") ? anyOther : path.replace(/:\w+(?:\([^)]*\))?|\{\w+\}/g, ":id");
  names.set(endpoint, name);
  return name;
}
