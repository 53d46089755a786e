import { bodyOf, forwardedOf, inherit, patienceOf, type Whom, whomOf } from "./leaf-model.ts";
import { type Asked, type Fields, leadsTo, type Tree } from "./trees.ts";
import type { Behaviour } from "./vendors.ts";

/** One call of a leaf, as it is to be. */
export interface Predicted {
  readonly path: string;
  readonly slug: string;
  readonly place: string;
  readonly key: string;
  readonly body: Fields;
  readonly forwarded: Readonly<Record<string, string>>;
  readonly retry: boolean;
  readonly waited: number;
  readonly behaviour: Behaviour;
  readonly patience: number;
  readonly status: number;
}

/** How a leaf ended. */
export interface Ended {
  readonly path: string;
  readonly status: number;
  readonly retries: number;
  readonly slug?: string;
  /** The call that is answered with; absent where nobody was called. */
  readonly call?: Predicted;
  /** A network failure, whatever the status. */
  readonly broken?: boolean;
  readonly silent?: boolean;
  readonly hopeless?: boolean;
}

/** What there is to tell of a call, or of a leaf that could not be called. */
export interface Attempted extends Pick<Predicted, "path" | "retry" | "waited" | "status"> {
  readonly slug?: string;
  readonly call?: Predicted;
}

/** What comes of a request; `refused` where the config itself leads nowhere. */
export interface Prediction {
  readonly calls: readonly Predicted[];
  /** The calls, and the leaves that could not be called, in order. */
  readonly attempts: readonly Attempted[];
  readonly ended: Ended | "refused";
}

class Refused extends Error {}

type Moves = (one: Ended) => boolean;

/** Reads a config as naively as the specification words it (routing-config.md sections 4 to 9). */
export class WalkModel {
  readonly #asked: Asked;
  readonly #draw: number;
  readonly #answer: (call: number) => Behaviour;
  readonly #calls: Predicted[] = [];
  readonly #attempts: Attempted[] = [];

  constructor(asked: Asked, draw: number, answer: (call: number) => Behaviour) {
    this.#asked = asked;
    this.#draw = draw;
    this.#answer = answer;
  }

  predict(tree: Tree): Prediction {
    try {
      const ended = this.#visit(tree, {}, "config", () => false);
      return { calls: this.#calls, attempts: this.#attempts, ended };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { calls: this.#calls, attempts: this.#attempts, ended: "refused" };
    }
  }

  #visit(own: Tree, above: Tree, path: string, others: Moves): Ended {
    const node = inherit(above, own);
    const { strategy, targets } = own;
    if (!strategy || !targets) return this.#leaf(own, node, path, others);
    const child = (index: number, moves: Moves): Ended => {
      const target = targets[index];
      if (!target) throw new Refused();
      return this.#visit(target, node, `${path}.targets[${index}]`, moves);
    };
    switch (strategy.mode) {
      case "single":
        return child(0, others);
      case "loadbalance":
        return child(weighted(targets, this.#draw), others);
      case "conditional":
        return child(this.#resolved(own, node), others);
      default: {
        const codes = strategy.on_status_codes ?? own.on_status_codes;
        const moves: Moves = ({ status }) => (codes ? codes.includes(status) : status < 200 || status > 299);
        for (let index = 0; index < targets.length - 1; index++) {
          const ended = child(index, (one) => moves(one) || others(one));
          if (!moves(ended)) return ended;
        }
        return child(targets.length - 1, others);
      }
    }
  }

  #resolved({ strategy, targets = [] }: Tree, { metadata }: Tree): number {
    const { headers, body } = this.#asked;
    const said: Fields = {
      ...metadata,
      ...(typeof body.user === "string" && { _user: body.user }),
      ...JSON.parse(headers["x-gateway-metadata"] ?? "{}"),
    };
    const conditions = strategy?.conditions ?? [];
    const found = conditions.find(({ query }) =>
      Object.entries(query).every(([at, wanted]) => holds(valueAt(at, said, body), wanted)),
    );
    const name = found ? found[leadsTo] : strategy?.default;
    const index = targets.findIndex((target) => target.name === name);
    if (conditions.length === 0 || index < 0) throw new Refused();
    return index;
  }

  #leaf(own: Tree, node: Tree, path: string, others: Moves): Ended {
    const whom = whomOf(own, node, this.#asked);
    const model = whom && bodyOf(node, whom, this.#asked.body).model;
    if (!whom || model === undefined) {
      const refused = { path, status: 400, ...(whom && { slug: whom.slug }) };
      this.#attempts.push({ ...refused, retry: false, waited: 0 });
      return { ...refused, retries: 0 };
    }
    const call = (waited: number, retry: boolean) => this.#call(node, whom, path, waited, retry);
    const most = Math.min(node.retry?.attempts ?? 0, 5);
    const codes = node.retry?.on_status_codes ?? [429, 500, 502, 503, 504, 529];
    let allowance = 60_000;
    let ended = call(0, false);
    for (let made = 0; ; made++) {
      const isListed = ended.broken || codes.includes(ended.status);
      // Who kept silent is not waited for again while there is somebody else.
      const isOver = !isListed || ended.hopeless || (ended.silent && others(ended));
      if (isOver || most === 0 || !node.retry) return { ...ended, retries: made };
      if (made === most) return { ...ended, retries: -1 };
      const asked = node.retry.use_retry_after_headers && ended.status === 429 ? retryAfterOf(ended) : 0;
      if (asked >= 60_000 || asked > allowance) return { ...ended, retries: -1 };
      allowance -= asked;
      ended = call(asked > 0 ? asked : 1000 * 2 ** made, true);
    }
  }

  #call(node: Tree, whom: Whom, path: string, waited: number, retry: boolean): Ended {
    const behaviour = this.#answer(this.#calls.length);
    const body = bodyOf(node, whom, this.#asked.body);
    const streamed = body.stream === true;
    const { slug, key } = whom;
    const status = statusOf(behaviour, streamed);
    const call: Predicted = {
      path,
      slug,
      key,
      place: node.custom_host ?? slug,
      body,
      forwarded: forwardedOf(node, this.#asked),
      retry,
      waited,
      behaviour,
      patience: behaviour.kind === "stalled" && streamed ? 300_000 : patienceOf(node, this.#asked),
      status,
    };
    this.#calls.push(call);
    this.#attempts.push({ ...call, call });
    const { kind } = behaviour;
    return {
      path,
      slug,
      status,
      retries: 0,
      call,
      broken: kind === "reset" || (kind === "cut" && !streamed),
      silent: status === 408 && kind !== "refuses",
      hopeless: kind === "refuses" && behaviour.code === "context_length_exceeded",
    };
  }
}

/** The status an attempt has as long as the client has nothing of it: a stream that has begun is a 200. */
export function statusOf(behaviour: Behaviour, streamed: boolean): number {
  switch (behaviour.kind) {
    case "well":
      return 200;
    case "refuses":
      return behaviour.status;
    case "reset":
      return 500;
    case "silent":
      return 408;
    case "cut":
      return streamed ? 200 : 500;
    case "unfinished":
      return streamed ? 200 : 502;
    case "stalled":
      return streamed ? 200 : 408;
  }
}

function retryAfterOf({ call }: Ended): number {
  if (call?.behaviour.kind !== "refuses") return 0;
  const headers = call.behaviour.headers ?? {};
  const milliseconds = headers["retry-after-ms"] ?? headers["x-ms-retry-after-ms"];
  const asked = milliseconds === undefined ? Number(headers["retry-after"]) * 1000 : Number(milliseconds);
  return asked > 0 ? asked : 0;
}

function weighted(targets: readonly Tree[], draw: number): number {
  const weights = targets.map(({ weight = 1 }) => weight);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0) throw new Refused();
  let left = draw * sum;
  return weights.findIndex((weight) => {
    if (left < weight) return true;
    left -= weight;
    return false;
  });
}

const valueAt = (at: string, metadata: Fields, body: Fields): unknown => {
  const [root, key = ""] = at.split(".");
  if (root === "metadata") return metadata[key];
  return root === "params" ? body[key] : "/v1/chat/completions";
};

type Operators = { $gt?: number; $in?: readonly unknown[]; $ne?: unknown; $regex?: string };

function holds(value: unknown, wanted: unknown): boolean {
  if (value === undefined) return false;
  if (typeof wanted !== "object" || wanted === null) return value === wanted;
  const { $gt, $in, $ne, $regex } = wanted as Operators;
  if ($gt !== undefined) return Number.parseFloat(String(value)) > $gt;
  if ($in) return $in.includes(value);
  if ($ne !== undefined) return value !== $ne;
  return new RegExp($regex ?? "").test(String(value));
}
