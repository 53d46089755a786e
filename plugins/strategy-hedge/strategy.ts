import {
  type Exchange,
  inTurn,
  MovingWalk,
  movesOn,
  type Outcome,
  type Route,
  type RouteChild,
  raced,
  raise,
  type Strategy,
  type Walk,
  WalkWithAlternatives,
  WalkWithin,
  withoutShut,
  z,
} from "../../core/index.ts";

const schema = z.object({
  delay: z
    .int()
    .min(0)
    .default(1_000)
    .describe("Milliseconds after which the next target is asked too; a failure does not wait for them."),
});

type Options = z.output<typeof schema>;

/** The first target, and each other one a delay after the one before: the first good answer wins. */
export const hedgeStrategy: Strategy = {
  mode: "hedge",
  schema,
  compile(options, children) {
    const { delay } = options as Options;
    return (walk) => {
      const [first, ...others] = withoutShut(children, walk);
      if (first) return hedged(first, others, delay, walk);
      return raise("config_invalid", "A hedge needs targets.", { param: "targets" });
    };
  },
};

/** A child in the race, and how it ended; one that was given up, or never asked, has no outcome. */
class Runner {
  readonly child: RouteChild;
  isAsked = false;
  outcome: Outcome | undefined;

  constructor(child: RouteChild) {
    this.child = child;
  }

  *run(walk: Walk): Route {
    this.isAsked = true;
    this.outcome = yield* this.child.route(walk);
    return this.outcome;
  }
}

/**
 * Races, the next one whenever the answer that won has broken off and is to be begun anew: among those not asked yet, and
 * where nobody else would be, those given up and then who won. Who has won twice is asked at the end, alone: it may have
 * others within, or retries.
 */
function* hedged(first: RouteChild, others: readonly RouteChild[], delay: number, walk: Walk): Route {
  const won = new Set<RouteChild>();
  const last: RouteChild[] = [];
  let racing = [first, ...others];
  for (;;) {
    const runners = racing.map((child) => new Runner(child));
    const outcome = yield* race(runners, delay, walk);
    if (outcome.ok || outcome.exception) return outcome;
    const winner = winnerOf(runners);
    racing = winner ? replacing(runners, winner, walk) : [];
    if (winner && !walk.alternatives) (won.has(winner.child) ? last : racing).push(winner.child);
    if (winner) won.add(winner.child);
    const [next, ...more] = [...racing, ...last];
    if (!next) return outcome;
    walk.note(next.node.path, "is asked for an answer in place of the one that broke off");
    if (racing.length < 2) return yield* inTurn([next, ...more], movesOn(undefined), walk);
  }
}

function* race(runners: readonly Runner[], delay: number, walk: Walk): Route {
  const [first, ...others] = runners as readonly [Runner, ...Runner[]];
  // Rivals are alternatives of each other: nobody waits again for one that keeps silent.
  const within = others.length > 0 ? new WalkWithAlternatives(walk) : walk;
  const rivals = others.map((runner, at) => {
    const afterMs = delay * (at + 1);
    walk.note(runner.child.node.path, `is asked too, ${afterMs} ms after ${first.child.node.path}`);
    return { kind: "rival" as const, afterMs, route: (branch: Exchange) => runner.run(new WalkWithin(within, branch)) };
  });
  const own = new MovingWalk(within);
  return yield* raced(first.run(own), rivals, own);
}

/** Whose answer has broken off; undefined where all have failed. */
const winnerOf = (runners: readonly Runner[]): Runner | undefined => runners.find(({ outcome }) => outcome?.ok);

function replacing(runners: readonly Runner[], winner: Runner, walk: Walk): RouteChild[] {
  const unasked = runners.filter(({ isAsked }) => !isAsked);
  const givenUp = runners.filter((one) => one.isAsked && !one.outcome && one !== winner);
  return (walk.alternatives ? unasked : [...unasked, ...givenUp]).map(({ child }) => child);
}
