import {
  notKnownHere,
  noWeight,
  type Outcome,
  pick,
  processMark,
  type Route,
  type RouteChild,
  type Strategy,
  type Walk,
  weighed,
  withoutShut,
  workspaceKey,
  z,
} from "../../core/index.ts";
import type { Latencies } from "./latencies.ts";

const schema = z.object({
  explore: z
    .number()
    .min(0)
    .max(1)
    .default(0.05)
    .describe("Share of requests that go by weight instead, to learn how the others do now."),
});

type Options = z.output<typeof schema>;

/** The child that answered fastest of late; one nobody has asked for a while is asked first. How it goes is the result. */
export const leastLatencyStrategy = (latencies: Latencies, serving: () => boolean = () => true): Strategy => ({
  mode: "least-latency",
  schema,
  check: (_, children) => (children.some(({ weight }) => weight > 0) ? [] : [{ path: "targets", message: noWeight }]),
  compile(options, children) {
    const { explore } = options as Options;
    const candidates = weighed(children);
    const keyOf = keysOf(children);
    return (walk) => {
      const open = withoutShut(candidates, walk);
      const measuring = { latencies, keyOf, walk };
      const isElsewhere = walk.exchange.role === "imagined" && !serving();
      const child = isElsewhere ? unmeasured(open, walk) : chosen(open, explore, measuring);
      return measured(child, candidates, measuring);
    };
  },
});

/** Under what each child is measured in a walk. */
type KeyOf = (child: RouteChild, walk: Walk) => string;

/** What is measured, and in which walk. */
interface Measuring {
  readonly latencies: Latencies;
  readonly keyOf: KeyOf;
  readonly walk: Walk;
}

/** A process that only looks has measured nothing: any of them may be the one that is asked. */
function unmeasured(candidates: readonly RouteChild[], walk: Walk): RouteChild {
  const child = pick(candidates, walk.random());
  walk.note(child.node.path, `was drawn by weight: ${notKnownHere("which answers fastest")}`, { known: false });
  return child;
}

function chosen(candidates: readonly RouteChild[], explore: number, { latencies, keyOf, walk }: Measuring): RouteChild {
  if (walk.random() < explore) {
    const child = pick(candidates, walk.random());
    walk.note(child.node.path, "was drawn by weight, to learn how fast it is");
    return child;
  }
  const now = walk.now();
  const all = candidates.map((child) => ({ child, mean: latencies.expected(keyOf(child, walk), now) }));
  const known = all.filter(({ mean }) => mean !== undefined);
  const unknown = all.filter(({ mean }) => mean === undefined).map(({ child }) => child);
  const willing = unknown.filter((child) => !latencies.refuses(keyOf(child, walk), now));
  // One call shows how fast a target is: as long as it is under way, others are not sent after it.
  const awaited = willing.filter((child) => known.length === 0 || !latencies.isAsked(keyOf(child, walk)));
  if (awaited.length > 0 || known.length === 0) {
    const child = pick(awaited.length > 0 ? awaited : unknown, walk.random());
    walk.note(
      child.node.path,
      awaited.length > 0
        ? "has not been asked for a while"
        : "has answered nothing of late, and neither have the others",
    );
    return child;
  }
  const best = known.reduce((least, one) => ((one.mean ?? 0) < (least.mean ?? 0) ? one : least));
  const took = Math.round(best.mean ?? 0);
  walk.note(
    best.child.node.path,
    best.mean === latencies.of(keyOf(best.child, walk), now)
      ? `answered fastest of late: in ${took} ms`
      : `has kept silent for ${took} ms, and the others take longer, or have for longer`,
  );
  return best.child;
}

/** Below 500, these say something of the target, not of the request: its credential or account, its time, its limits. */
const targetsOwn: ReadonlySet<number> = new Set([401, 402, 403, 408, 429]);

/** Measures from the first call to the answer, of a stream to its first piece, retries and their waits included. */
function* measured(child: RouteChild, all: readonly RouteChild[], { latencies, keyOf, walk }: Measuring): Route {
  if (walk.exchange.role === "imagined") return yield* child.route(walk);
  const key = keyOf(child, walk);
  const began = walk.now();
  const ended = latencies.asked(key, began);
  let isLeft = true;
  try {
    const outcome = yield* child.route(walk);
    isLeft = false;
    learn(outcome, key, latencies, began, walk.now());
    return outcome;
  } catch (error) {
    isLeft = false;
    throw error;
  } finally {
    ended();
    // Whoever keeps silent until nobody waits any more is slow, and would be asked for ever if that told nothing. What the
    // gateway itself failed at tells nothing of a target.
    if (isLeft && walk.exchange.signal.aborted) {
      const now = walk.now();
      const means = all.flatMap((one) => (one === child ? [] : (latencies.of(keyOf(one, walk), now) ?? [])));
      latencies.left(key, now - began, now, means.length > 0 ? Math.min(...means) : undefined);
    }
  }
}

function learn(outcome: Outcome, key: string, latencies: Latencies, began: number, now: number): void {
  // A mistake of the client is answered fast by anybody, and what a plugin gave says nothing about the target.
  if (outcome.ok && !outcome.given) latencies.answered(key, now - began, now);
  else if (outcome.status >= 500 || targetsOwn.has(outcome.status)) latencies.failed(key, now - began, now);
  else if (!outcome.ok && !outcome.given) latencies.refused(key, now);
}

/**
 * Two workspaces may have providers of their own under one name, and write the same config: what one of them finds out is
 * not the other's. Those who belong to none share it. A child that an edit of the config has put in place of another one is
 * measured anew.
 */
function keysOf(children: readonly RouteChild[]): KeyOf {
  const marks = new Map(
    children.map((child) => {
      const { path, fields, options, targets } = child.node;
      return [child, processMark([path, fields, options, targets])];
    }),
  );
  return (child, { config, exchange }) => `${workspaceKey(exchange.principal)} ${config ?? ""} ${marks.get(child)}`;
}
