import { BreakerModel, endOf } from "./breaker-model.ts";
import { CacheModel, type CacheStatus, type Kept } from "./cache-model.ts";
import { byPriority, Refused, StickyModel } from "./choice-model.ts";
import { isMet } from "./condition-model.ts";
import { type Judged, judge, notJudged } from "./guards.ts";
import { bodyOf, forwardedOf, inherit, isLenient, patienceOf, type Whom, whomOf } from "./leaf-model.ts";
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
  /** What guardrails said of its answer. */
  readonly output: Judged;
  readonly lenient: boolean;
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
  readonly input: Judged;
  /** Absent where nobody has looked. */
  readonly cache?: CacheStatus;
  /** What is answered in place of a call, and whether in a stream. */
  readonly hit?: Pick<Kept, "text"> & { readonly streams: boolean; readonly lenient: boolean };
  /** Keeps the answer, where it is one that gets to its end. */
  readonly keep?: () => void;
  readonly policy?: Tree["cb_config"];
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
  /** Children that were left out because their circuits are open. */
  readonly leftOut: readonly string[];
  readonly ended: Ended | "refused";
}

type Moves = (one: Ended) => boolean;

/** Reads a config as naively as the specification words it (routing-config.md sections 4 to 9). */
export class WalkModel {
  readonly #asked: Asked;
  readonly #draw: number;
  readonly #answer: (call: number) => Behaviour;
  readonly #calls: Predicted[] = [];
  readonly #attempts: Attempted[] = [];
  readonly #breaker: BreakerModel;
  readonly #leftOut: string[] = [];

  /** Whether guardrails are run: not where nobody is called. */
  readonly #judges: boolean;
  readonly #cache: CacheModel;
  readonly #sticky: StickyModel;

  constructor(
    asked: Asked,
    draw: number,
    answer: (call: number) => Behaviour,
    { breaker = new BreakerModel(), judges = true, cache = new CacheModel(), sticky = new StickyModel() } = {},
  ) {
    this.#breaker = breaker;
    this.#judges = judges;
    this.#cache = cache;
    this.#sticky = sticky;
    this.#asked = asked;
    this.#draw = draw;
    this.#answer = answer;
  }

  predict(tree: Tree): Prediction {
    try {
      const ended = this.#visit(tree, {}, "config", () => false);
      // Of streams the one the client gets to its end.
      if (ended.call?.body.stream === true) ended.keep?.();
      if (ended.call && ended.policy && ended.status === 200)
        this.#breaker.died(ended.path, ended.policy, ended.call.behaviour);
      return { calls: this.#calls, attempts: this.#attempts, leftOut: this.#leftOut, ended };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { calls: this.#calls, attempts: this.#attempts, leftOut: this.#leftOut, ended: "refused" };
    }
  }

  #visit(own: Tree, above: Tree, path: string, others: Moves): Ended {
    const node = inherit(above, own);
    const { strategy, targets } = own;
    if (!strategy || !targets) {
      const ended = this.#leaf(own, node, path, others);
      // What the gateway refuses itself says nothing of a vendor.
      if (ended.call && !isJudged(ended.status)) this.#breaker.ended(path, node.cb_config, ended.status);
      return { ...ended, policy: node.cb_config };
    }
    const child = (index: number, moves: Moves): Ended => {
      const target = targets[index];
      if (!target) throw new Refused();
      return this.#visit(target, node, `${path}.targets[${index}]`, moves);
    };
    const kids = (among: readonly number[]) => this.#healthy(among, targets, node, path);
    const all = targets.map((_, index) => index);
    const on = all.filter((index) => targets[index]?.weight !== 0);
    switch (strategy.mode) {
      case "single":
        return child(kids(all)[0] ?? 0, others);
      case "loadbalance":
        return child(this.#sticky.choose(own, { node, path, among: kids(on) }, this.#chance()), others);
      case "conditional":
        return child(this.#resolved(own, node), others);
      default: {
        const order = kids(strategy.mode === "priority" ? byPriority(on, targets, this.#draw) : all);
        const codes = strategy.on_status_codes ?? own.on_status_codes;
        const moves: Moves = ({ status }) => (codes ? codes.includes(status) : status < 200 || status > 299);
        for (const index of order.slice(0, -1)) {
          const ended = child(index, (one) => moves(one) || others(one));
          if (!moves(ended)) return ended;
        }
        return child(order.at(-1) ?? Number.NaN, others);
      }
    }
  }

  /** Of these children those whose circuits are closed, or all where none is. */
  #healthy(among: readonly number[], targets: readonly Tree[], node: Tree, path: string): readonly number[] {
    const pathOf = (index: number) => `${path}.targets[${index}]`;
    const healthy = among.filter((index) => !this.#isShut(targets[index] ?? {}, node, pathOf(index)));
    if (healthy.length === 0) return among;
    this.#leftOut.push(...among.filter((index) => !healthy.includes(index)).map(pathOf));
    return healthy;
  }

  /** A group is shut when all its leaves are. */
  #isShut(own: Tree, above: Tree, path: string): boolean {
    const node = inherit(above, own);
    if (!own.strategy || !own.targets) return this.#breaker.isShut(path, node.cb_config);
    return own.targets.every((target, index) => this.#isShut(target, node, `${path}.targets[${index}]`));
  }

  #chance() {
    return { asked: this.#asked, draw: this.#draw, now: this.#cache.now };
  }

  #resolved({ strategy, targets = [] }: Tree, { metadata }: Tree): number {
    const conditions = strategy?.conditions ?? [];
    const found = conditions.find((one) => isMet(one.query, metadata, this.#asked));
    const name = found ? found[leadsTo] : strategy?.default;
    const index = targets.findIndex((target) => target.name === name);
    if (conditions.length === 0 || index < 0) throw new Refused();
    return index;
  }

  #leaf(own: Tree, node: Tree, path: string, others: Moves): Ended {
    const whom = whomOf(own, node, this.#asked);
    if (!whom) return this.#refused({ path, status: 400 }, notJudged);
    const body = bodyOf(node, whom, this.#asked.body);
    const input = this.#judges ? judge("input", node, lastOf(body)) : notJudged;
    const refusal = input.status === 446 ? 446 : body.model === undefined ? 400 : undefined;
    if (refusal) return this.#refused({ path, status: refusal, slug: whom.slug }, input);
    const cache = this.#judges ? this.#cache.find(node, whom, this.#asked) : { status: "DISABLED" as const };
    if (cache.hit) {
      const hit = { text: cache.hit.text, streams: body.stream === true, lenient: isLenient(node, this.#asked) };
      return { ...this.#refused({ path, status: input.status, slug: whom.slug }, input), cache: "HIT", hit };
    }
    const call = (waited: number, retry: boolean) => this.#call(node, whom, input, { path, waited, retry });
    const most = Math.min(node.retry?.attempts ?? 0, 5);
    const codes = node.retry?.on_status_codes ?? [429, 500, 502, 503, 504, 529];
    let allowance = 60_000;
    let ended = call(0, false);
    for (let made = 0; ; made++) {
      const isListed = ended.broken || codes.includes(ended.status);
      // Who kept silent is not waited for again while there is somebody else.
      const isForegone = ended.status === 246 && input.status === 246;
      const isOver = !isListed || isForegone || ended.hopeless || (ended.silent && others(ended));
      if (isOver || most === 0 || !node.retry) return { ...ended, retries: made, cache: cache.status };
      if (made === most) return { ...ended, retries: -1, cache: cache.status };
      const asked = node.retry.use_retry_after_headers && ended.status === 429 ? retryAfterOf(ended) : 0;
      if (asked >= 60_000 || asked > allowance) return { ...ended, retries: -1, cache: cache.status };
      allowance -= asked;
      ended = call(isJudged(ended.status) ? 0 : asked > 0 ? asked : 1000 * 2 ** made, true);
    }
  }

  /** Nobody was called. */
  #refused(refused: Pick<Ended, "path" | "status" | "slug">, input: Judged): Ended {
    this.#attempts.push({ ...refused, retry: false, waited: 0 });
    return { ...refused, retries: 0, input, ...(refused.status === 400 && { cache: "DISABLED" }) };
  }

  #call(node: Tree, whom: Whom, input: Judged, at: Pick<Predicted, "path" | "waited" | "retry">): Ended {
    const { path, waited, retry } = at;
    this.#breaker.now += waited;
    this.#cache.now += waited;
    const behaviour = this.#answer(this.#calls.length);
    const body = bodyOf(node, whom, this.#asked.body);
    const streamed = body.stream === true;
    const { slug, key } = whom;
    const vendors = statusOf(behaviour, streamed);
    const text = `call ${this.#calls.length + 1}${streamed ? " and more" : ""}`;
    const output = this.#judges && vendors === 200 ? judge("output", node, text) : notJudged;
    // What is said of a stream is said when it has left.
    const status = vendors === 200 ? Math.max(input.status, streamed ? 200 : output.status) : vendors;
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
      output,
      lenient: isLenient(node, this.#asked),
    };
    this.#calls.push(call);
    this.#attempts.push({ ...call, call });
    const { kind } = behaviour;
    const keep = () => this.#cache.keep(node, whom, this.#asked, { text, output });
    if (!streamed && kind === "well") keep();
    return {
      path,
      slug,
      status,
      retries: 0,
      call,
      input,
      ...(kind === "well" && { keep }),
      broken: kind === "reset" || (kind === "cut" && !streamed),
      silent: status === 408 && kind !== "refuses",
      hopeless: kind === "refuses" && behaviour.code === "context_length_exceeded",
    };
  }
}

const isJudged = (status: number): boolean => status === 246 || status === 446;

/** The text that guardrails look at: that of the last message. */
const lastOf = ({ messages }: Fields): string =>
  (messages as readonly { readonly content: string }[]).at(-1)?.content ?? "";

/** The status an attempt has as long as the client has nothing of it: a stream that has begun is a 200. */
const statusOf = (behaviour: Behaviour, streamed: boolean): number =>
  streamed && ["cut", "unfinished", "stalled"].includes(behaviour.kind) ? 200 : endOf(behaviour);

function retryAfterOf({ call }: Ended): number {
  if (call?.behaviour.kind !== "refuses") return 0;
  const headers = call.behaviour.headers ?? {};
  const milliseconds = headers["retry-after-ms"] ?? headers["x-ms-retry-after-ms"];
  const asked = milliseconds === undefined ? Number(headers["retry-after"]) * 1000 : Number(milliseconds);
  return asked > 0 ? asked : 0;
}
