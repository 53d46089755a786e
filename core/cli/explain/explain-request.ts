import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { gatewayErrorBody } from "../../errors/error-body.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { Generation } from "../../generation.ts";
import type { HookName, Hooks } from "../../hooks.ts";
import type { Kernel } from "../../kernel.ts";
import type { Endpoint } from "../../model/endpoint.ts";
import type { Lane, Route, Target } from "../../model/route.ts";
import { admit } from "../../pipeline/admit.ts";
import { type Arrival, ExchangeState } from "../../pipeline/exchange-state.ts";
import { failureIn, waitOf } from "../../pipeline/reply/refusals.ts";
import { renderError } from "../../pipeline/reply/render.ts";
import { selectRoute } from "../../pipeline/travel.ts";
import { nextOf } from "../../pipeline/walk/walk.ts";
import { router } from "../../server/app.ts";
import { urlSays } from "../../server/meant-url.ts";
import { veiledWithin } from "../secrets.ts";
import type { Explanation, Refusal, TapFact, TargetFact } from "./explanation.ts";
import { callerSecrets, maskedUrl } from "./masking.ts";
import { type PlanInput, planTarget, untoldReason } from "./plan-target.ts";

/** A request as it would arrive. */
export interface ImaginedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ExplainInput {
  readonly generation: Pick<Generation, "kernel" | "road">;
  readonly request: ImaginedRequest;
  /** Secrets of the config file. */
  readonly secrets: readonly string[];
  readonly configuredHeaders: PlanInput["configuredHeaders"];
}

/** A route may go on for ever; a list of its targets must not, nor one of tries of the same. */
const mostTargets = 20;
const mostCalls = 200;

/** Takes a request along the road up to the point where somebody would be called. */
export async function explainRequest(input: ExplainInput): Promise<Explanation> {
  const { request, generation } = input;
  const secrets = new Set([...input.secrets, ...callerSecrets(request.headers, request.url)]);
  const rung = new Set<HookName>();
  const told = await tell(input, secrets, rung);
  return veiledWithin({ ...told, hooks: tapsOf(generation.kernel.hooks, rung) }, [...secrets]);
}

type Told = Omit<Explanation, "hooks">;

async function tell(input: ExplainInput, secrets: Set<string>, rung: Set<HookName>): Promise<Told> {
  const { generation, request } = input;
  const { kernel, road } = generation;
  const shown = { method: request.method, url: maskedUrl(request.url, [...secrets]) };
  const arrived = await arrivalAt(kernel, request);
  if (!arrived) return { request: shown, refused: refusal(generation, undefined, notFound, notFound) };
  const { endpoint, ...more } = arrived;
  let told: Told = { request: { ...shown, ...endpointIn(arrived) } };
  const exchange = new ExchangeState({
    endpoint,
    method: request.method,
    ...more,
    headers:
      (endpoint.socket ?? endpoint.talk)?.headers?.(request.headers, road.settings.headerPrefixes[0]) ??
      request.headers,
    remoteAddress: "127.0.0.1",
    headerPrefixes: road.settings.headerPrefixes,
  });
  exchange.role = "imagined";
  const answering = watch(kernel.hooks);
  const body = bodyOf(request);
  const walked: Walked = { targets: [], cut: false };
  rung.add("auth").add("cost");
  try {
    try {
      await admit(road, exchange, body);
    } finally {
      // Some endpoints are known by the body only.
      told = { ...told, request: { ...shown, ...endpointIn(exchange) }, ...principalOf(exchange, answering.auth) };
    }
    // The management API answers itself, and so do talks; what they do is not tried.
    if (endpoint.errors === "management" || endpoint.talk) return told;
    rung.add("routeSelect");
    const route = await selectRoute(road, exchange);
    const plan = { road, exchange, body, secrets, configuredHeaders: input.configuredHeaders };
    try {
      await walk(plan, route, walked);
    } finally {
      // A group may find that it leads nowhere when others have been called: they would be called all the same.
      told = { ...told, ...routeOf(walked, answering.routeSelect) };
      ringForTargets(walked, exchange, rung);
    }
    return { ...told, ...decisionsOf(exchange) };
  } catch (error) {
    return {
      ...told,
      ...decisionsOf(exchange),
      refused: refusal(generation, exchange.endpoint, failureIn(road, exchange, error), error),
    };
  }
}

const endpointIn = ({ endpoint: { type, format } }: Pick<Arrival, "endpoint">) => ({
  endpoint: type,
  ...(format !== undefined && { format }),
});

/** The hooks that ring once there is somebody to call. Raw calls are nobody's to look into. */
function ringForTargets({ targets }: Walked, { request }: ExchangeState, rung: Set<HookName>): void {
  if (targets.every(({ raw }) => raw)) return;
  rung.add("beforeRequest").add("afterRequest");
  if (request?.stream) rung.add("streamChunk");
}

const routeOf = (walked: Walked, plugin = ""): Pick<Explanation, "route"> =>
  walked.targets.length > 0 ? { route: { plugin, ...walked } } : {};

const decisionsOf = ({ routeNotes }: ExchangeState): Pick<Explanation, "decisions"> =>
  routeNotes ? { decisions: routeNotes } : {};

const notFound = new GatewayError("not_found", "Not Found");

type Arrived = Pick<Arrival, "endpoint" | "url" | "said" | "beside">;

/** Asks the gateway's own router, which also corrects what the gateway corrects in paths. */
async function arrivalAt(
  places: Pick<Kernel, "endpoints" | "aliases">,
  { method, url }: ImaginedRequest,
): Promise<Arrived | undefined> {
  let found: Arrived | undefined;
  const app = router(places, (endpoint, request, reply, beside) => {
    found = { endpoint, url: request.raw.url ?? url, said: urlSays.get(request.raw), beside };
    void reply.send();
  });
  await app.inject({ method: method as "POST", url });
  await app.close();
  return found;
}

const bodyOf = ({ headers, body }: ImaginedRequest) => ({
  contentType: headers["content-type"],
  contentLength: body.length,
  stream: Readable.from(body.length > 0 ? [body] : []),
  taken: false,
});

/** Remembers whose tap was the last to be asked: of a hook that stops at the first answer, the one that gave it. */
function watch({ auth, routeSelect }: Hooks): { auth?: string; routeSelect?: string } {
  const last: { auth?: string; routeSelect?: string } = {};
  auth.intercept({
    tap: ({ name }) => {
      last.auth = name;
    },
  });
  routeSelect.intercept({
    tap: ({ name }) => {
      last.routeSelect = name;
    },
  });
  return last;
}

function principalOf({ principal }: ExchangeState, plugin = ""): Pick<Explanation, "principal"> {
  if (!principal) return {};
  const { id, name, scopes, metadata } = principal;
  return {
    principal: {
      id,
      ...(name !== undefined && { name }),
      ...(scopes !== undefined && { scopes }),
      ...(metadata !== undefined && { metadata }),
      plugin,
    },
  };
}

interface Walked {
  readonly targets: TargetFact[];
  cut: boolean;
}

/** Tells the route after each target that it failed, so that it says where it would go next. */
async function walk(plan: PlanInput, route: Route, walked: Walked, lane?: Lane): Promise<void> {
  let step = nextOf(route);
  while (!step.done) {
    const target = step.value;
    if (isLong(walked.targets, target)) walked.cut = true;
    if (walked.cut) return;
    const { fact, outcome } = await planTarget(plan, target);
    walked.targets.push(lane ? { ...fact, lane: { kind: lane.kind, afterMs: lane.afterMs } } : fact);
    plan.exchange.attempts.push({ target, startedAt: plan.exchange.elapsed(), outcome });
    // A socket has one leaf: the first one that can be called.
    if (plan.exchange.endpoint.socket && !target.refusal) return;
    for (const beside of [...(target.besideWithin ?? []), ...(target.beside ?? [])])
      await walkLane(plan, walked, target, beside);
    if (outcome.exception) return;
    step = nextOf(route, outcome);
  }
}

/** A lane that leads nowhere fails alone: those beside it go on. */
async function walkLane(plan: PlanInput, walked: Walked, { path }: Target, lane: Lane): Promise<void> {
  try {
    await walk(plan, lane.route(plan.exchange), walked, lane);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    plan.exchange.routeNotes ??= [];
    plan.exchange.routeNotes.push({ path, message: `has one beside it that cannot be walked: ${error.message}` });
  }
}

const isLong = (targets: readonly TargetFact[], { retry }: Target): boolean =>
  targets.length >= mostCalls || (!retry && targets.filter((target) => !target.retry).length >= mostTargets);

function refusal(
  { road }: Pick<Generation, "road">,
  endpoint: Endpoint | undefined,
  error: GatewayError,
  cause: unknown,
): Refusal {
  const rendered = renderError(
    road.formats.get(endpoint?.format ?? ""),
    gatewayErrorBody(error),
    error.status,
    waitOf(error),
  );
  return { status: error.status, body: JSON.parse(rendered.bytes.toString()), ...untoldReason(error, cause) };
}

function tapsOf(hooks: Hooks, rung: ReadonlySet<HookName>): Explanation["hooks"] {
  const told: { [Name in HookName]?: readonly TapFact[] } = {};
  for (const [name, { taps }] of Object.entries(hooks) as [HookName, Hooks[HookName]][])
    if (rung.has(name)) told[name] = distinct(taps.map(({ name: plugin, stage }) => ({ plugin, stage: stage ?? 0 })));
  return told;
}

/** A plugin may tap a hook more than once at one stage: to a reader it is there once. */
const distinct = (taps: readonly TapFact[]): TapFact[] =>
  taps.filter((tap, at) => taps.findIndex(({ plugin, stage }) => plugin === tap.plugin && stage === tap.stage) === at);
