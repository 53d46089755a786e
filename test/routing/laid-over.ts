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
