import { METHODS, validateHeaderName, validateHeaderValue } from "node:http";
import { errorMessage } from "./errors/error-message.ts";
import { GatewayError } from "./errors/gateway-error.ts";
import type { Clocks } from "./model/clocks.ts";
import type { Alias, AliasTerms, Endpoint, Served } from "./model/endpoint.ts";
import type { Exchange } from "./model/exchange.ts";
import type { GatewayRequest } from "./model/request.ts";
import type { OpenSocket, SocketCall, SocketEndpoint, Talk, TalkEndpoint } from "./model/socket.ts";
import { suggestion } from "./nearest.ts";
import { isThenable, unsettled, withDeadline } from "./time/deadline.ts";

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

/** How long an endpoint may take: as long as a tap, or where it says that it takes its time, as a whole attempt. */
interface Patience {
  readonly hookDeadline: number;
  readonly clocks: Pick<Clocks, "total">;
}

/** What an endpoint answers itself. What it fails with names its plugin, in the log: it is not the client's to read. */
export function servedBy(exchange: Exchange, patience: Patience): Served | undefined | Promise<Served | undefined> {
  const { endpoint } = exchange;
  if (!endpoint.serve) return undefined;
  try {
    const served = endpoint.serve(exchange);
    if (!isThenable(served)) return fittingAnswer(served);
    return inTime(served, deadlineOf(endpoint, patience)).then(fittingAnswer).catch(blaming(endpoint));
  } catch (cause) {
    return blaming(endpoint)(cause);
  }
}

/** What an endpoint has served, as it is sent. What is no JSON is its plugin's failure. */
export function servedText({ endpoint }: Pick<Exchange, "endpoint">, { text, body = {} }: Served): string {
  if (text !== undefined) return text;
  try {
    const written = JSON.stringify(body) as string | undefined;
    if (written === undefined) throw new Error("serve() gave a body that is no JSON");
    return written;
  } catch (cause) {
    return blaming(endpoint)(cause);
  }
}

/** The request an endpoint makes of a body. Its failures are told as those of `serve` are. */
export async function preparedBy(
  prepare: NonNullable<Endpoint["prepare"]>,
  exchange: Exchange,
  { hookDeadline }: Patience,
): Promise<GatewayRequest> {
  const { endpoint } = exchange;
  try {
    const made = prepare(exchange);
    const request = isThenable(made) ? await inTime(made, hookDeadline) : made;
    if (!request) throw new Error("prepare() gave no request: that is what requestFrom() makes");
    return request;
  } catch (cause) {
    return blaming(endpoint)(cause);
  }
}

/** The talk an endpoint begins. Its failures are told as those of `serve` are. */
export async function begunBy({ begin }: TalkEndpoint, exchange: Exchange, { hookDeadline }: Patience): Promise<Talk> {
  const { endpoint } = exchange;
  try {
    const talk = await inTime(Promise.resolve(begin(exchange)), hookDeadline);
    if (typeof talk?.carry !== "function") throw new Error("begin() gave no talk: that is { carry }");
    return talk;
  } catch (cause) {
    return blaming(endpoint)(cause);
  }
}

/**
 * The socket an endpoint opens. Its failures are told as those of `serve` are. What is not open within `total` milliseconds
 * is `late`: who opens it is told to give it up, and what comes all the same is closed.
 */
export async function openedBy(
  open: SocketEndpoint["open"],
  call: SocketCall,
  exchange: Exchange,
  { total = 0, late }: { readonly total: number | undefined; late(unsettled: Error): Error },
): Promise<OpenSocket> {
  const { endpoint } = exchange;
  const givenUp = new AbortController();
  const signal = AbortSignal.any([call.signal, givenUp.signal]);
  const opening = (async () => open({ ...call, signal }, exchange))();
  const expired = () => {
    opening.then((socket) => socket.abandon()).catch(() => undefined);
    givenUp.abort();
    return late(new Error(named(endpoint, unsettled(total).message)));
  };
  try {
    const opened = await (total === 0 ? opening : withDeadline(opening, total, expired));
    if (typeof opened?.carry !== "function") throw new Error("open() gave no socket: that is { carry, abandon }");
    return opened;
  } catch (cause) {
    return blaming(endpoint)(cause);
  }
}

/** Zero is no limit, as it is of clocks. */
const deadlineOf = ({ takesTime }: Endpoint, { hookDeadline, clocks: { total = 0 } }: Patience): number => {
  if (!takesTime) return hookDeadline;
  return total === 0 ? 0 : Math.max(hookDeadline, total);
};

const inTime = async <Value>(pending: PromiseLike<Value>, deadlineMs: number): Promise<Value> =>
  deadlineMs === 0 ? pending : withDeadline<Value>(pending, deadlineMs, () => unsettled(deadlineMs));

const blaming =
  (endpoint: Endpoint) =>
  (cause: unknown): never => {
    if (cause instanceof GatewayError) throw cause;
    throw new Error(named(endpoint, errorMessage(cause)), { cause });
  };

/** What is said of an endpoint, with whose it is. */
function named(endpoint: Endpoint, said: string): string {
  const plugin = owners.get(endpoint);
  return `${plugin ? `[plugin ${plugin}] ` : ""}${placeOf(endpoint)}: ${said}`;
}

/** All that is said of an endpoint: what is misspelt would go unseen. */
const fields: Readonly<Record<keyof Endpoint, true>> = {
  type: true,
  method: true,
  path: true,
  url: true,
  members: true,
  operation: true,
  format: true,
  jsonFormat: true,
  checked: true,
  rawBody: true,
  unread: true,
  jsonAsBytes: true,
  cacheable: true,
  corrects: true,
  serve: true,
  takesTime: true,
  prepare: true,
  witness: true,
  procedure: true,
  socket: true,
  talk: true,
  rawUrl: true,
  oneTarget: true,
  firstTarget: true,
  scopes: true,
  anyScope: true,
  open: true,
  errors: true,
  owner: true,
  description: true,
};

function problemOf(endpoint: Endpoint): string | undefined {
  const { method, path, operation, format } = endpoint;
  const odd = Object.keys(endpoint).find((name) => !Object.hasOwn(fields, name));
  if (odd !== undefined) return `has an unknown field "${odd}"; ${suggestion(odd, Object.keys(fields), "fields")}`;
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

/** Whether an endpoint may be found behind a model's name: what is asked of models, and jobs of such requests. */
const isAskedOfModels = ({ method, path, url, operation, procedure }: Endpoint): boolean =>
  method === "POST" && !url && (operation ?? procedure) !== undefined && !/[:*]/.test(path);

/** Which plugin has which place. */
export class Places {
  readonly #taken = new Map<string, string>();
  readonly #added: { readonly plugin: string; readonly endpoint: Endpoint }[] = [];
  readonly #aliases = new Map<
    string,
    { readonly plugin: string; readonly meant: string; readonly terms: AliasTerms }
  >();

  added(endpoint: Endpoint, plugin: string): Endpoint {
    const place = `${endpoint.method.toUpperCase()} ${endpoint.path}`;
    const other = this.#taken.get(place);
    // Those that say more of their URL share a path.
    if (other !== undefined && !endpoint.url)
      throw new Error(`the endpoint ${place} is there already: the plugin "${other}" has it`);
    if (!endpoint.url) this.#taken.set(place, plugin);
    this.#added.push({ plugin, endpoint });
    return endpoint;
  }

  /** The beginning of a path that stands for another one. Nothing else may be below it: nobody would come there. */
  alias(prefix: string, meant: string, terms: AliasTerms, plugin: string): void {
    for (const one of [prefix, meant])
      if (!/^\/(?:.*\/)?$/.test(one))
        throw new Error(`the alias "${prefix}" of "${meant}" has to begin and to end with a slash, as in /vendor/v1/`);
    if (terms.models !== undefined && !/^[^/].*\/$/.test(terms.models))
      throw new Error(`the alias "${prefix}" has models behind "${terms.models}": that has to end with a slash only`);
    const other = this.#aliases.get(prefix);
    if (other) throw new Error(`the alias ${prefix} is there already: the plugin "${other.plugin}" has it`);
    this.#aliases.set(prefix, { plugin, meant, terms });
  }

  /** What beginnings of paths stand for. */
  get aliases(): readonly Alias[] {
    const named = new Set(this.#added.flatMap(({ endpoint }) => (isAskedOfModels(endpoint) ? endpoint.path : [])));
    return [...this.#aliases].map(([prefix, { meant, terms }]) => ({ ...terms, prefix, meant, named }));
  }

  /** Every format that clients speak has to be there, and every endpoint in reach. */
  check(formats: ReadonlyMap<string, unknown>): void {
    for (const { plugin, endpoint } of this.#added) {
      const { method, path, operation, format = "" } = endpoint;
      for (const [prefix, other] of this.#aliases)
        if (path.startsWith(prefix))
          throw new GatewayError(
            "plugin_failed",
            `[plugin ${plugin}] the endpoint ${method} ${path} is out of reach: the plugin "${other.plugin}" has ${prefix} stand for another path`,
            { plugin },
          );
      if (!operation || formats.has(format)) continue;
      const remedy = suggestion(format, [...formats.keys()], "formats");
      throw new GatewayError(
        "plugin_failed",
        `[plugin ${plugin}] the endpoint ${method} ${path} is in the format "${format}", which no plugin of the file brings; ${remedy}`,
        { plugin },
      );
    }
  }
}
