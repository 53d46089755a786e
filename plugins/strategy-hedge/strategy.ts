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
      const [first, ...others] = withoutShut(children, walk).map((child) => new Runner(child));
      if (!first) return raise("config_invalid", "A hedge needs targets.", { param: "targets" });
      return hedged(first, others, delay, walk);
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

function* hedged(first: Runner, others: readonly Runner[], delay: number, walk: Walk): Route {
  // Rivals are alternatives of each other: nobody waits again for one that keeps silent.
  const within = others.length > 0 ? new WalkWithAlternatives(walk) : walk;
  const rivals = others.map((runner, at) => {
    const afterMs = delay * (at + 1);
    walk.note(runner.child.node.path, `is asked too, ${afterMs} ms after ${first.child.node.path}`);
    return { kind: "rival" as const, afterMs, route: (branch: Exchange) => runner.run(new WalkWithin(within, branch)) };
  });
  const own = new MovingWalk(within);
  const outcome = yield* raced(first.run(own), rivals, own);
  const runners = [first, ...others];
  // A first one that was given up may have lost to a rival of its own.
  const won = runners.some((runner) => runner.outcome?.ok) || (first.isAsked && !first.outcome);
  if (outcome.ok || outcome.exception || !won) return outcome;
  const [next, ...more] = replacing(runners, walk).map(({ child }) => child);
  if (!next) return outcome;
  walk.note(next.node.path, "is asked for an answer in place of the one that broke off");
  return yield* inTurn([next, ...more], movesOn(undefined), walk);
}

/**
 * Who is asked when the answer that won has broken off and is to be begun anew: those not asked yet; and where nobody else
 * would be, those given up and then who won, which may have others within, or retries.
 */
function replacing(runners: readonly Runner[], walk: Walk): readonly Runner[] {
  const unasked = runners.filter(({ isAsked }) => !isAsked);
  if (walk.alternatives) return unasked;
  const givenUp = runners.filter(({ isAsked, outcome }) => isAsked && !outcome);
  return [...unasked, ...givenUp, ...runners.filter(({ outcome }) => outcome?.ok)];
}
