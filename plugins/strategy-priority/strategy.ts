import {
  inTurn,
  movesOn,
  noWeight,
  pick,
  type RouteChild,
  raise,
  type Strategy,
  statusCodes,
  type Walk,
  weighed,
  withoutShut,
  z,
} from "../../core/index.ts";

const schema = z.object({
  on_status_codes: statusCodes
    .optional()
    .describe("Final statuses that make the next target be tried; without a list, everything but 2xx."),
});

type Options = z.output<typeof schema>;

/** Earlier priorities first; among equals by weight; until a target does not end with something to move on from. */
export const priorityStrategy: Strategy = {
  mode: "priority",
  schema,
  check: (_, children) => (children.some(({ weight }) => weight > 0) ? [] : [{ path: "targets", message: noWeight }]),
  compile(options, children) {
    const goesOn = movesOn((options as Options).on_status_codes);
    const tiers = tiersOf(weighed(children));
    return (walk) => {
      const [first = raise("config_invalid", noWeight, { param: "targets" }), ...rest] = withoutShut(
        tiers.flatMap((tier) => shuffled(tier, walk)),
        walk,
      );
      // Why those after it are asked is told as they are.
      if (rest.some((other) => priorityOf(other) === priorityOf(first)))
        walk.note(first.node.path, `was drawn by weight, of those of priority ${priorityOf(first)}`);
      return inTurn([first, ...rest], goesOn, walk);
    };
  },
};

const priorityOf = ({ node }: RouteChild): number => (node.fields.priority as number | undefined) ?? 0;

function tiersOf(children: readonly RouteChild[]): RouteChild[][] {
  const tiers = new Map<number, RouteChild[]>();
  for (const child of children) {
    const tier = tiers.get(priorityOf(child));
    if (tier) tier.push(child);
    else tiers.set(priorityOf(child), [child]);
  }
  return [...tiers].sort(([a], [b]) => a - b).map(([, tier]) => tier);
}

/** Drawn one after another by weight: who comes first gets its share of requests, the others stand by. */
function shuffled(tier: readonly RouteChild[], walk: Walk): RouteChild[] {
  const left = [...tier];
  const drawn: RouteChild[] = [];
  while (left.length > 1) {
    const child = pick(left, walk.random());
    left.splice(left.indexOf(child), 1);
    drawn.push(child);
  }
  return [...drawn, ...left];
}
