import {
  besideFirst,
  type Exchange,
  raise,
  type Strategy,
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
      if (!first) return raise("config_invalid", "A hedge needs targets.", { param: "targets" });
      // Rivals are alternatives of each other: nobody waits again for one that keeps silent.
      const beside = others.length > 0 ? new WalkWithAlternatives(walk) : walk;
      const lanes = others.map((child, at) => {
        walk.note(child.node.path, `is asked too, ${delay * (at + 1)} ms after ${first.node.path}`);
        const route = (branch: Exchange) => child.route(new WalkWithin(beside, branch));
        return { kind: "rival" as const, afterMs: delay * (at + 1), route };
      });
      return besideFirst(first.route(beside), lanes);
    };
  },
};
