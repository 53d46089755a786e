import fc from "fast-check";
import { codes, some, type Tree, written } from "./trees.ts";

const thresholds = fc.oneof(
  fc.record({ failure_threshold: fc.constantFrom(1, 2, 3) }),
  fc.record({
    failure_threshold_percentage: fc.constantFrom(30, 50, 100),
    minimum_requests: some(fc.constantFrom(2, 3)),
  }),
);
const breaker = fc
  .record({
    limits: thresholds,
    cooldown_interval: fc.constantFrom(30_000, 60_000),
    failure_status_codes: some(codes, 4),
    half_open_requests: some(fc.constant(1), 3),
  })
  .map(({ limits, ...rest }) => written({ ...limits, ...rest }) as NonNullable<Tree["cb_config"]>);

/** The same tree with circuits: on nodes, and in strategies. */
export const trippable = (tree: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> =>
  fc
    .tuple(tree, fc.array(some(breaker, 2), { minLength: 6, maxLength: 6 }), fc.nat(5), breaker)
    .map(([one, all, at, sure]) => {
      let count = at;
      const laid = (node: Tree): Tree => {
        const policy = all[count++ % all.length];
        const inStrategy = count % 3 === 0 && node.strategy;
        return {
          ...node,
          ...(policy && !inStrategy && { cb_config: policy }),
          ...(policy && inStrategy && { strategy: { ...inStrategy, cb_config: policy } }),
          ...(node.targets && { targets: node.targets.map(laid) }),
        };
      };
      return { cb_config: sure, ...laid(one) };
    });

const cachePolicy = fc.oneof(
  fc.constant("simple"),
  fc.record({ mode: fc.constant("simple"), max_age: some(fc.constantFrom(10, 60, 120), 4) }).map((one) => written(one)),
) as fc.Arbitrary<NonNullable<Tree["cache"]>>;

/** The same tree with answers kept: of some nodes, and mostly of all. */
export const cached = (tree: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> =>
  fc
    .tuple(tree, some(cachePolicy, 4), fc.array(some(cachePolicy, 1), { minLength: 6, maxLength: 6 }), fc.nat(5))
    .map(([one, root, all, at]) => {
      let count = at;
      const laid = (node: Tree): Tree => {
        const cache = all[count++ % all.length];
        return { ...node, ...(cache && { cache }), ...(node.targets && { targets: node.targets.map(laid) }) };
      };
      return { ...laid(one), ...(root && { cache: root }) };
    });

const price = fc
  .record({ input: fc.constantFrom(0, 1, 2, 5), output: some(fc.constantFrom(0, 1, 3), 3) })
  .map((one) => written(one)) as fc.Arbitrary<NonNullable<Tree["price"]>>;

type Strategy = NonNullable<Tree["strategy"]>;

const balance = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Strategy>({ mode: "least-cost" }) },
  {
    weight: 4,
    arbitrary: some(fc.constantFrom(0, 0.4), 3).map(
      (explore): Strategy => ({
        mode: "least-latency",
        ...(explore !== undefined && { explore }),
      }),
    ),
  },
  { weight: 2, arbitrary: fc.constant<Strategy>({ mode: "priority" }) },
  {
    weight: 2,
    arbitrary: fc.constant<Strategy>({
      mode: "loadbalance",
      sticky: { enabled: true, hash_fields: ["metadata.who", "params.n"], ttl: 60.5 },
    }),
  },
);

/** The same tree in which groups choose by price, speed or priority, or by who asks, some of them among many. */
export const balanced = (tree: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> =>
  fc
    .record({
      tree,
      prices: fc.array(some(price, 2), { minLength: 7, maxLength: 7 }),
      balances: fc.array(some(balance, 4), { minLength: 4, maxLength: 4 }),
      priorities: fc.array(some(fc.constantFrom(0, 1, 2), 2), { minLength: 5, maxLength: 5 }),
      more: fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }),
      sure: balance,
    })
    .map(({ tree: one, prices, balances, priorities, more, sure }) => {
      let count = 0;
      const laid = (node: Tree): Tree => {
        const at = count++;
        const own = prices[at % prices.length];
        const priority = priorities[at % priorities.length];
        const strategy = node.strategy && (balances[at % balances.length] ?? node.strategy);
        const { targets } = node;
        const [first] = targets?.filter((target) => !target.targets) ?? [];
        const others = first ? Array.from({ length: more[at % more.length] ?? 0 }, () => first) : [];
        return {
          ...node,
          ...(own && { price: own }),
          ...(priority !== undefined && { priority }),
          ...(strategy && { strategy }),
          ...(targets && { targets: [...targets, ...others].map(laid) }),
        };
      };
      const all = laid(one);
      return one.targets ? { ...all, strategy: sure } : all;
    });
