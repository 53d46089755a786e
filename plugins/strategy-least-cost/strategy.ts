import {
  type ExpectedTokens,
  expectedTokens,
  noWeight,
  pick,
  type RouteChild,
  type Strategy,
  type Walk,
  weighed,
  withoutShut,
  z,
} from "../../core/index.ts";

const perMillion = z.number().min(0);

/** What a target costs, in any one currency, per million tokens. */
export const price = z.strictObject({
  input: perMillion.describe("Per million input tokens."),
  output: perMillion.default(0).describe("Per million output tokens."),
});

type Price = z.output<typeof price>;

/** The cheapest child for this request; equals by weight; one without a price only where none has one. */
export const leastCostStrategy: Strategy = {
  mode: "least-cost",
  schema: z.object({}),
  check: (_, children) => [
    ...(children.some(({ weight }) => weight > 0) ? [] : [{ path: "targets", message: noWeight }]),
    ...children.flatMap(({ fields }, at) =>
      fields.price === undefined ? [{ path: `targets.${at}.price`, message: "required under least-cost" }] : [],
    ),
  ],
  compile(_options, children) {
    const candidates = weighed(children);
    return (walk) => cheapest(withoutShut(candidates, walk), walk).route(walk);
  },
};

function cheapest(candidates: readonly RouteChild[], walk: Walk): RouteChild {
  const tokens = expectedTokens(walk.exchange.request);
  const priced = candidates.map((child) => ({ child, cost: costOf(child, tokens) }));
  const least = Math.min(...priced.map(({ cost }) => cost));
  const child = pick(
    priced.filter(({ cost }) => cost === least).map((one) => one.child),
    walk.random(),
  );
  const told = Number.isFinite(least) ? `is estimated to cost least: ${least.toPrecision(3)}` : "no target has a price";
  walk.note(child.node.path, told);
  return child;
}

/** Unknown is not zero: a child without a price comes after all others. */
function costOf({ node }: RouteChild, { input, output }: ExpectedTokens): number {
  const own = node.fields.price as Price | undefined;
  return own ? (own.input * input + own.output * output) / 1_000_000 : Number.POSITIVE_INFINITY;
}
