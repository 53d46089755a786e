import { METHODS, validateHeaderName, validateHeaderValue } from "node:http";
import { suggestion } from "./config/nearest.ts";
import { errorMessage } from "./errors/error-message.ts";
import { GatewayError } from "./errors/gateway-error.ts";
import type { Endpoint, Exchange, Served } from "./model/exchange.ts";

/** A place that says nothing of scopes spends what providers cost; those of the management API check theirs themselves. */
const inferenceScopes = { scopes: ["completions.write"] };

const owners = new WeakMap<Endpoint, string>();

/** An endpoint that can be called, with whose it is remembered: what is wrong with it is told of its plugin. */
export function endpointOf(endpoint: Endpoint, plugin: string): Endpoint {
  const wrong = problemOf(endpoint);
  if (wrong !== undefined) throw new Error(`the endpoint ${placeOf(endpoint)} ${wrong}`);
  const isScoped = endpoint.scopes || endpoint.anyScope || endpoint.open || endpoint.errors === "management";
  const called = isScoped ? endpoint : { ...endpoint, ...inferenceScopes };
  owners.set(called, plugin);
  return called;
}

const placeOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** What an endpoint answers itself. What it fails with names its plugin, in the log: it is not the client's to read. */
export function servedBy(exchange: Exchange): Served | undefined | Promise<Served | undefined> {
  const { endpoint } = exchange;
  if (!endpoint.serve) return undefined;
  const blame = (cause: unknown): never => {
    if (cause instanceof GatewayError) throw cause;
    const plugin = owners.get(endpoint);
    throw new Error(`${plugin ? `[plugin ${plugin}] ` : ""}${placeOf(endpoint)}: ${errorMessage(cause)}`, { cause });
  };
  try {
    const served = endpoint.serve(exchange);
    return served instanceof Promise ? served.then(fittingAnswer).catch(blame) : fittingAnswer(served);
  } catch (cause) {
    return blame(cause);
  }
}

function problemOf(endpoint: Endpoint): string | undefined {
  const { method, path, operation, format } = endpoint;
  if (!METHODS.includes(method.toUpperCase())) return `has a method there is not`;
  if (!path.startsWith("/")) return `has a path that does not begin with a slash: it is the whole one, as in /v1/mine`;
  if (operation && !format) return "has an operation and no format";
  return undefined;
}

/** What was served, where the client can be given it. */
function fittingAnswer(served: Served | undefined): Served | undefined {
  if (served === undefined) return undefined;
  if (typeof served !== "object" || served === null || !isStatus(served.status))
    throw new Error("serve() gave no answer: that is { status, headers, body }, with a status from 200 to 599");
  for (const [name, value] of Object.entries(served.headers ?? {})) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  return served;
}

const isStatus = (status: unknown): boolean =>
  Number.isInteger(status) && Number(status) >= 200 && Number(status) < 600;

/** Which plugin has which place. */
export class Places {
  readonly #taken = new Map<string, string>();
  readonly #speaking: { readonly plugin: string; readonly endpoint: Endpoint }[] = [];

  added(endpoint: Endpoint, plugin: string): Endpoint {
    const place = `${endpoint.method.toUpperCase()} ${endpoint.path}`;
    const other = this.#taken.get(place);
    // Those that say more of their URL share a path.
    if (other !== undefined && !endpoint.url)
      throw new Error(`the endpoint ${place} is there already: the plugin "${other}" has it`);
    if (!endpoint.url) this.#taken.set(place, plugin);
    if (endpoint.operation) this.#speaking.push({ plugin, endpoint });
    return endpoint;
  }

  /** Every format that clients speak has to be there. */
  check(formats: ReadonlyMap<string, unknown>): void {
    for (const { plugin, endpoint } of this.#speaking) {
      const { method, path, format = "" } = endpoint;
      if (formats.has(format)) continue;
      const remedy = suggestion(format, [...formats.keys()], "formats");
      throw new GatewayError(
        "plugin_failed",
        `[plugin ${plugin}] the endpoint ${method} ${path} is in the format "${format}", which no plugin of the file brings; ${remedy}`,
        { plugin },
      );
    }
  }
}
