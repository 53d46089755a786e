import { askings, configOf, type Step, type Tree } from "./asked.ts";
import { recording } from "./audio.ts";
import type { Walker, World } from "./world.ts";

/** What the client of a request was told. */
export interface Told {
  readonly step: Step;
  readonly walker: Walker;
  readonly trace: string;
  readonly status: number;
  readonly headers: Headers;
  /** Undefined where the client left, or the answer was cut. */
  readonly text: string | undefined;
  /** Models it could have been asked for. */
  readonly models: readonly string[];
}

let asked = 0;

/** The leaf of each model, which belongs to one request: by the model it is known where a request went. */
const leaves = new Map<string, Tree>();
export const leafOf = (model: string | null): Tree | undefined => leaves.get(model ?? "");

function modelOf(leaf: Tree): string {
  const model = `${leaf.behaves}:${leaves.size}`;
  leaves.set(model, leaf);
  return model;
}

const bodyOf = ({ kind, stream, wrong }: Step, model: string): string | FormData => {
  if (wrong === "body") return "{oops";
  const { streams, body } = askings[kind];
  return body === "a form" ? recording(model, stream) : JSON.stringify({ model, ...(streams && { stream }), ...body });
};

/** Asks for it, as often as it is to be asked, and tells what came of it. */
export async function take(world: World, step: Step, walker: Walker): Promise<Told[]> {
  const config = configOf(step.tree, modelOf);
  const models = [...JSON.stringify(config).matchAll(/"model":"([^"]+)"/g)].map(([, model = ""]) => model);
  const told: Told[] = [];
  for (let time = 0; time < step.times; time++) {
    const trace = `trace-${asked++}`;
    told.push({ ...(await ask(world, step, walker, config, models[0] ?? "", trace)), step, walker, trace, models });
    // What a copy, or a cache, has to do yet is not to meet what comes next.
    if (step.times > 1) await world.rest();
  }
  return told;
}

const configs = { config: "{oops", provider: '{"provider":"@nowhere"}' };

async function ask(world: World, step: Step, walker: Walker, config: object, first: string, trace: string) {
  const { kind, plan, wrong, leaves, stream } = step;
  const leaving = new AbortController();
  const body = bodyOf(step, kind === "raw" ? first : "m");
  const response = await fetch(`${world.recording.gateway.url}${askings[kind].path}`, {
    method: "POST",
    headers: {
      ...(typeof body === "string" && { "content-type": "application/json" }),
      ...world.headersOf(walker),
      "x-gateway-config": wrong === "config" || wrong === "provider" ? configs[wrong] : JSON.stringify(config),
      "x-gateway-trace-id": trace,
      "x-gateway-debug": "true",
      ...(plan !== undefined && { "x-gateway-metadata": JSON.stringify({ plan }) }),
      ...(/restart/.test(JSON.stringify(step.tree)) && { "x-gateway-resume": "restart" }),
    },
    body,
    signal: leaving.signal,
  });
  const { status, headers } = response;
  if (!(leaves && stream)) return { status, headers, text: await response.text().catch(() => undefined) };
  await response.body
    ?.getReader()
    .read()
    .catch(() => undefined);
  leaving.abort();
  return { status, headers, text: undefined };
}
