import { cheapest, LatencyModel } from "./balance-model.ts";
import { BreakerModel, endOf } from "./breaker-model.ts";
import { CacheModel } from "./cache-model.ts";
import { byPriority, StickyModel } from "./choice-model.ts";
import { isMet } from "./condition-model.ts";
import { leadsTo } from "./conditions.ts";
import { type Judged, judge, notJudged } from "./guards.ts";
import { bodyOf, forwardedOf, inherit, isLenient, patienceOf, type Whom, whomOf } from "./leaf-model.ts";
import { type Attempted, type Ended, type Predicted, type Prediction, Refused } from "./prediction.ts";
import type { Asked, Fields, Tree } from "./trees.ts";
import type { Behaviour } from "./vendors.ts";

/** What is known from before, and of clients that do not speak of chats as OpenAI does. */
interface Around {
  readonly breaker: BreakerModel;
  readonly judges: boolean;
  readonly cache: CacheModel;
  readonly sticky: StickyModel;
  readonly latency: LatencyModel;
  readonly textsIn: (body: Fields) => readonly unknown[];
  /** Whether a body cannot be said to a vendor. */
  readonly isRefused: (body: Fields, slug: string) => boolean;
}

const nothing = () => false;

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
  readonly #latency: LatencyModel;
  readonly #textsIn: Around["textsIn"];
  readonly #isRefused: Around["isRefused"];

  constructor(
    asked: Asked,
    draw: number,
    answer: (call: number) => Behaviour,
    {
      breaker = new BreakerModel(),
      judges = true,
      cache = new CacheModel(),
      sticky = new StickyModel(),
      latency = new LatencyModel(),
      textsIn = textsOfChat,
      isRefused = nothing,
    }: Partial<Around> = {},
  ) {
    this.#textsIn = textsIn;
    this.#isRefused = isRefused;
    this.#breaker = breaker;
    this.#judges = judges;
    this.#cache = cache;
    this.#sticky = sticky;
    this.#latency = latency;
    this.#asked = asked;
    this.#draw = draw;
    this.#answer = answer;
  }

  predict(tree: Tree): Prediction {
    try {
      const ended = this.#visit(tree, {}, "config", () => false);
      // Only what the client gets, and to its end.
      ended.keep?.();
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
      case "least-cost": {
        const nodes = targets.map((target) => inherit(node, target));
        return child(cheapest(kids(on), nodes, this.#asked, this.#draw), others);
      }
      case "least-latency": {
        const index = this.#latency.choose(own, { path, among: kids(on) }, this.#chance());
        return this.#measured(`${path}.targets[${index}]`, () => child(index, others));
      }
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

  #measured(path: string, run: () => Ended): Ended {
    const begun = this.#cache.now;
    const ended = run();
    if (this.#judges) this.#latency.ended(path, ended, this.#cache.now - begun, this.#cache.now);
    return ended;
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
    const found = conditions.find((one) => isMet(one, metadata, this.#asked));
    const name = found ? found[leadsTo] : strategy?.default;
    const index = targets.findIndex((target) => target.name === name);
    if (conditions.length === 0 || index < 0) throw new Refused();
    return index;
  }

  #leaf(own: Tree, node: Tree, path: string, others: Moves): Ended {
    const whom = whomOf(own, node, this.#asked);
    if (!whom) return this.#refused({ path, status: 400 }, notJudged);
    const body = bodyOf(node, whom, this.#asked.body);
    const input = this.#judges ? judge("input", node, String(this.#textsIn(body).at(-1) ?? "")) : notJudged;
    const isUnsayable = body.model === undefined || this.#isRefused(body, whom.slug);
    const refusal = input.status === 446 ? 446 : isUnsayable ? 400 : undefined;
    if (refusal) return this.#refused({ path, status: refusal, slug: whom.slug, given: refusal === 446 }, input);
    const cache = this.#judges ? this.#cache.find(node, whom, this.#asked) : { status: "DISABLED" as const };
    if (cache.hit) {
      const hit = { text: cache.hit.text, streams: body.stream === true, lenient: isLenient(node, this.#asked) };
      return {
        ...this.#refused({ path, status: input.status, slug: whom.slug, given: true }, input),
        cache: "HIT",
        hit,
      };
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
  #refused(refused: Pick<Ended, "path" | "status" | "slug" | "given">, input: Judged): Ended {
    this.#attempts.push({ ...refused, retry: false, waited: 0 });
    return { ...refused, retries: 0, input, ...(refused.status === 400 && { cache: "DISABLED" }) };
  }

  /** Whoever only looks does not wait. */
  #pass(milliseconds: number): void {
    if (!this.#judges) return;
    this.#breaker.now += milliseconds;
    this.#cache.now += milliseconds;
  }

  #call(node: Tree, whom: Whom, input: Judged, at: Pick<Predicted, "path" | "waited" | "retry">): Ended {
    const { path, waited, retry } = at;
    const behaviour = this.#answer(this.#calls.length);
    this.#pass(waited + (behaviour.takes ?? 0));
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

/** Guardrails look at the last one. */
const textsOfChat = ({ messages }: Fields): readonly unknown[] => (messages as Fields[]).map(({ content }) => content);

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
