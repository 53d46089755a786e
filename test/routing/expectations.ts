import { expect } from "vitest";
import { endOf } from "./breaker-model.ts";
import type { CallFact, RoutingDeployment, Traced } from "./deployment.ts";
import type { Judged } from "./guards.ts";
import type { Attempted, Ended, Predicted, Prediction } from "./prediction.ts";
import type { Asked } from "./trees.ts";
import { type Behaviour, type Call, piecesOf, wholeOf } from "./vendors.ts";

export type Answered = Awaited<ReturnType<RoutingDeployment["ask"]>>;

/** How clients of a format ask and are answered, and what of a call there is to compare. */
export interface Manner {
  readonly sent?: Parameters<RoutingDeployment["ask"]>[2];
  seen(call: Call): object;
  foreseen(call: Predicted): object;
  /** The same of a call that `sluice explain` tells of. */
  told(call: CallFact): unknown;
  foretold(call: Predicted): unknown;
  expectReply(answered: Answered, prediction: Prediction): void;
}

/** Asks, and compares all there is to see of it with what was predicted. */
export async function expectAsked(
  deployment: RoutingDeployment,
  asked: Asked,
  config: string,
  prediction: Prediction,
  { sent, seen, foreseen, expectReply }: Manner = asChat,
): Promise<void> {
  const answered = await deployment.ask(asked, config, sent);
  const text = answered.body.toString();
  const { calls } = deployment.vendors;
  expect(calls.map(seen), text).toEqual(prediction.calls.map(foreseen));
  for (const [at, call] of prediction.calls.entries()) expectPatience(calls[at], call, isLast(call, prediction.ended));
  expect(deployment.time.waits).toEqual(prediction.calls.flatMap(({ waited }) => (waited > 0 ? [waited] : [])));
  expectReply(answered, prediction);
  const leftOut = prediction.leftOut.join(",");
  if (prediction.ended !== "refused") expect(answered.headers["x-gateway-circuit-open"] ?? "").toBe(leftOut);
  expect(answered.trace.map(traced)).toEqual(prediction.attempts.map((one) => attempted(one, prediction)));
}

const traced = ({ path, provider, retry = false, waited = 0, status }: Traced) => ({
  path,
  provider,
  retry,
  waited,
  status,
});

const attempted = ({ path, slug = "", retry, waited, status, call }: Attempted, { ended }: Prediction) => ({
  path,
  provider: slug,
  retry,
  waited,
  // A stream the client has begun to get is told of by how it ended.
  status: isLast(call, ended) && call.behaviour.kind !== "well" ? endOf(call.behaviour) : status,
});

const isLast = (call: Predicted | undefined, ended: Prediction["ended"]): call is Predicted =>
  call !== undefined && ended !== "refused" && call === ended.call;

/** What `sluice explain` tells: every call it supposes, in the order in which they would be made if they went so. */
export async function expectExplained(
  deployment: RoutingDeployment,
  asked: Asked,
  config: string,
  predict: (answer: (call: number) => Behaviour) => Prediction,
  manner: Pick<Manner, "sent" | "told" | "foretold"> = asChat,
): Promise<void> {
  const explained = await deployment.explain(asked, config, manner.sent);
  const targets = explained.route?.targets ?? [];
  const supposed = targets.filter(({ refused }) => !refused).map(({ assumedStatus = 0 }) => assumedStatus);
  const prediction = predict((call) => ({ kind: "refuses", status: supposed[call] ?? 200 }));
  const told = targets.map(({ path, provider, retry, delayMs = 0, refused, call }) => ({
    path,
    provider: provider.slug,
    retry,
    waited: delayMs,
    status: refused?.status ?? "called",
    body: call && manner.told(call),
  }));
  const foretold = prediction.attempts.map(({ path, slug = "", retry, waited, status, call }) => ({
    path,
    provider: slug,
    retry,
    waited,
    status: call ? "called" : status,
    body: call && manner.foretold(call),
  }));
  expect(told).toEqual(explained.route?.cut ? foretold.slice(0, told.length) : foretold);
  const decisions = explained.decisions ?? [];
  const leftOut = decisions.flatMap(({ path, message }) => (message.startsWith("is left out:") ? [path] : []));
  expect(leftOut).toEqual(explained.route?.cut ? prediction.leftOut.slice(0, leftOut.length) : prediction.leftOut);
  expect(explained.refused?.status).toBe(prediction.ended === "refused" && !explained.route?.cut ? 400 : undefined);
}

/** The headers of a client that have reached a vendor. */
export const forwardedIn = ({ headers }: Call): object =>
  Object.fromEntries(
    ["x-a", "x-b", "x-c", "x-d", "x-e"].flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );

const seen = (call: Call) => ({
  place: call.place,
  path: call.path,
  key: call.headers.authorization,
  body: call.body,
  forwarded: forwardedIn(call),
});

const foreseen = ({ place, key, body, forwarded }: Predicted) => ({
  place,
  path: "chat/completions",
  key: `Bearer ${key}`,
  body,
  forwarded,
});

function expectPatience(call: Call | undefined, { behaviour, patience, status }: Predicted, isWanted: boolean): void {
  if (behaviour.kind !== "silent" && behaviour.kind !== "stalled") return;
  // A stream that nobody wants is not waited for.
  if (status < 300 && !isWanted) return;
  expect(call?.silence).toBeGreaterThanOrEqual(patience - 250);
  expect(call?.silence).toBeLessThanOrEqual(patience + 1000);
}

/** What headers say, whatever is answered. */
export function expectHead({ status, headers, body }: Answered, ended: Ended, provider = "openai"): void {
  expect(
    {
      status,
      used: headers["x-gateway-last-used-option-index"],
      retries: headers["x-gateway-retry-attempt-count"],
      provider: headers["x-gateway-provider"],
      exception: headers["x-gateway-gateway-exception"],
      cache: headers["x-gateway-cache-status"],
    },
    body.toString(),
  ).toEqual({
    status: ended.status,
    used: ended.path,
    retries: String(ended.retries),
    provider: ended.slug === undefined ? undefined : provider,
    exception: undefined,
    cache: ended.cache,
  });
}

export function expectRefused({ status, body }: Answered): void {
  const text = body.toString();
  expect(status, text).toBe(400);
  expect(JSON.parse(text)).toMatchObject({ status: "failure", message: expect.any(String) });
}

function expectReply(answered: Answered, { ended, calls }: Prediction): void {
  if (ended === "refused") return expectRefused(answered);
  expectHead(answered, ended);
  const { headers, body } = answered;
  const text = body.toString();
  const number = calls.length;
  const { call } = ended;
  const heard = text.startsWith("{") ? (JSON.parse(text) as Body) : {};
  expect(heard.hook_results && resultsIn(heard.hook_results)).toEqual(resultsOf(ended));
  if (ended.status === 446) return void expect(heard.error).toMatchObject({ type: "hooks_failed" });
  if (ended.hit) return expectHit(text, ended);
  if (!call) return void expect(JSON.parse(text)).toMatchObject({ status: "failure", message: expect.any(String) });
  const { behaviour } = call;
  const streamed = call.body.stream === true;
  switch (behaviour.kind) {
    case "well":
      if (streamed) expectStream(text, piecesOf(number).join(""), ended);
      else if (!heard.hook_results) expect(text).toBe(wholeOf(number));
      else expect(heard).toEqual({ ...JSON.parse(wholeOf(number)), hook_results: heard.hook_results });
      expect(headers["x-vendor"]).toBe(`call ${number}`);
      return;
    case "refuses":
      expect(JSON.parse(text)).toMatchObject({
        error: { message: `openai error: No ${number}.`, code: behaviour.code ?? "e" },
        provider: "openai",
      });
      expect(headers["x-vendor"]).toBe(`call ${number}`);
      return;
    default:
      if (ended.status > 299)
        return void expect(JSON.parse(text)).toMatchObject({ error: { type: expect.any(String) } });
      expect(text.replace(aside, "").startsWith(piecesOf(number)[0] ?? "")).toBe(true);
      expect(text).toMatch(/"error":\{/);
      expect(text).not.toContain("[DONE]");
  }
}

const asChat: Manner = { seen, foreseen, told: ({ body }) => body, foretold: ({ body }) => body, expectReply };

export interface Body {
  readonly error?: unknown;
  readonly hook_results?: Results;
}

export type Results = Partial<Readonly<Record<"before_request_hooks" | "after_request_hooks", Judged["results"]>>>;

export const resultsIn = ({ before_request_hooks: before = [], after_request_hooks: after = [] }: Results) =>
  [before, after].map((side) => side.map(({ id, verdict, deny }) => ({ id, verdict, deny })));

/** Strict clients are told in bodies, not in streams. */
export function resultsOf({ input, call, hit }: Ended) {
  const output = call?.output.results ?? [];
  const isStream = hit ? hit.streams : call?.body.stream === true && call.status < 300;
  const isTold = input.results.length + output.length > 0 && !isStream;
  return isTold ? [input.results, output] : undefined;
}

/** What guardrails found, before and behind a stream (inference-api.md section 24.2). */
const aside = /^data: (\{"hook_results":\{"(?:before|after)_request_hooks":.*)\n\n/;

function expectStream(text: string, pieces: string, { input, call }: Ended): void {
  const results = [input.results, call?.output.results ?? []];
  const told = results.map((side) => (call?.lenient && side.length > 0 ? side : undefined));
  const before = aside.exec(text);
  const [own, behind = ""] = text.slice(before?.[0].length ?? 0).split(/(?<=\[DONE\]\n\n)/);
  expect(own).toBe(pieces);
  const found = [before, aside.exec(behind)].map((one) => one && resultsIn(JSON.parse(one[1] ?? "").hook_results));
  expect([found[0]?.[0], found[1]?.[1]]).toEqual(told);
}

/** What was kept, in the form that is asked for now. */
function expectHit(text: string, { hit, input }: Ended): void {
  if (!hit?.streams) return void expect(JSON.parse(text).choices[0].message.content).toBe(hit?.text);
  const said = [...text.replace(aside, "").matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece).join("");
  expect([said, text.endsWith("data: [DONE]\n\n")]).toEqual([hit.text, true]);
  const before = aside.exec(text);
  const told = hit.lenient && input.results.length > 0 ? input.results : null;
  expect(before && resultsIn(JSON.parse(before[1] ?? "").hook_results)[0]).toEqual(told);
}
