import { expect } from "vitest";
import { endOf } from "./breaker-model.ts";
import type { RoutingDeployment, Traced } from "./deployment.ts";
import type { Judged } from "./guards.ts";
import type { Asked } from "./trees.ts";
import { type Behaviour, type Call, piecesOf, wholeOf } from "./vendors.ts";
import type { Attempted, Ended, Predicted, Prediction } from "./walk-model.ts";

type Answered = Awaited<ReturnType<RoutingDeployment["ask"]>>;

/** Asks, and compares all there is to see of it with what was predicted. */
export async function expectAsked(
  deployment: RoutingDeployment,
  asked: Asked,
  config: string,
  prediction: Prediction,
): Promise<void> {
  const answered = await deployment.ask(asked, config);
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
): Promise<void> {
  const explained = await deployment.explain(asked, config);
  const targets = explained.route?.targets ?? [];
  const supposed = targets.filter(({ refused }) => !refused).map(({ assumedStatus = 0 }) => assumedStatus);
  const prediction = predict((call) => ({ kind: "refuses", status: supposed[call] ?? 200 }));
  const told = targets.map(({ path, provider, retry, delayMs = 0, refused, call }) => ({
    path,
    provider: provider.slug,
    retry,
    waited: delayMs,
    status: refused?.status ?? "called",
    body: call?.body,
  }));
  const foretold = prediction.attempts.map(({ path, slug = "", retry, waited, status, call }) => ({
    path,
    provider: slug,
    retry,
    waited,
    status: call ? "called" : status,
    body: call?.body,
  }));
  expect(told).toEqual(explained.route?.cut ? foretold.slice(0, told.length) : foretold);
  expect(explained.refused?.status).toBe(prediction.ended === "refused" && !explained.route?.cut ? 400 : undefined);
}

const seen = ({ place, path, headers, body }: Call) => ({
  place,
  path,
  key: headers.authorization,
  body,
  forwarded: Object.fromEntries(
    ["x-a", "x-b", "x-c", "x-d", "x-e"].flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  ),
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

function expectReply({ status, headers, body }: Answered, { ended, calls }: Prediction): void {
  const text = body.toString();
  if (ended === "refused") {
    expect(status, text).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ status: "failure", message: expect.any(String) });
    return;
  }
  expect(
    {
      status,
      used: headers["x-gateway-last-used-option-index"],
      retries: headers["x-gateway-retry-attempt-count"],
      provider: headers["x-gateway-provider"],
      exception: headers["x-gateway-gateway-exception"],
      cache: headers["x-gateway-cache-status"],
    },
    text,
  ).toEqual({
    status: ended.status,
    used: ended.path,
    retries: String(ended.retries),
    provider: ended.slug === undefined ? undefined : "openai",
    exception: undefined,
    cache: ended.cache,
  });
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

interface Body {
  readonly error?: unknown;
  readonly hook_results?: Results;
}

type Results = Partial<Readonly<Record<"before_request_hooks" | "after_request_hooks", Judged["results"]>>>;

const resultsIn = ({ before_request_hooks: before = [], after_request_hooks: after = [] }: Results) =>
  [before, after].map((side) => side.map(({ id, verdict, deny }) => ({ id, verdict, deny })));

/** Strict clients are told in bodies, not in streams. */
function resultsOf({ input, call, hit }: Ended) {
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
