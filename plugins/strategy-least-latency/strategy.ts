import {
  notKnownHere,
  noWeight,
  pick,
  type Route,
  type RouteChild,
  type Strategy,
  type Walk,
  weighed,
  withoutShut,
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
    return (walk) => {
      const open = withoutShut(candidates, walk);
      const isElsewhere = walk.exchange.role === "imagined" && !serving();
      const child = isElsewhere ? unmeasured(open, walk) : chosen(open, explore, latencies, walk);
      return measured(child, latencies, walk);
    };
  },
});

/** A process that only looks has measured nothing: any of them may be the one that is asked. */
function unmeasured(candidates: readonly RouteChild[], walk: Walk): RouteChild {
  const child = pick(candidates, walk.random());
  walk.note(child.node.path, `was drawn by weight: ${notKnownHere("which answers fastest")}`, { known: false });
  return child;
}

function chosen(candidates: readonly RouteChild[], explore: number, latencies: Latencies, walk: Walk): RouteChild {
  if (walk.random() < explore) {
    const child = pick(candidates, walk.random());
    walk.note(child.node.path, "was drawn by weight, to learn how fast it is");
    return child;
  }
  const now = walk.now();
  const known = candidates.map((child) => ({ child, mean: latencies.of(keyOf(child, walk), now) }));
  const unknown = known.filter(({ mean }) => mean === undefined).map(({ child }) => child);
  if (unknown.length > 0 || known.length === 0) {
    const child = pick(unknown, walk.random());
    walk.note(child.node.path, "has not been asked for a while");
    return child;
  }
  const best = known.reduce((least, one) => ((one.mean ?? 0) < (least.mean ?? 0) ? one : least));
  walk.note(best.child.node.path, `answered fastest of late: in ${Math.round(best.mean ?? 0)} ms`);
  return best.child;
}

/** Measures from the first call to the answer, of a stream to its first piece, retries and their waits included. */
function* measured(child: RouteChild, latencies: Latencies, walk: Walk): Route {
  const began = walk.now();
  const outcome = yield* child.route(walk);
  if (walk.exchange.role === "imagined") return outcome;
  const now = walk.now();
  // A mistake of the client is answered fast by anybody, and what a plugin gave says nothing about the target.
  if (outcome.ok && !outcome.given) latencies.answered(keyOf(child, walk), now - began, now);
  else if (outcome.status >= 500 || outcome.status === 429 || outcome.status === 408)
    latencies.failed(keyOf(child, walk), now - began, now);
  return outcome;
}

const keyOf = ({ node }: RouteChild, { config }: Walk): string => `${config ?? ""} ${node.path}`;
