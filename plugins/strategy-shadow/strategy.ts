import { besideFirst, type Exchange, raise, type Strategy, WalkWithin, z } from "../../core/index.ts";

const schema = z.object({
  share: z.number().min(0).max(1).default(1).describe("Which part of the requests is copied, from 0 to 1."),
});

type Options = z.output<typeof schema>;

/** The first target answers; the others get a copy each. */
export const shadowStrategy: Strategy = {
  mode: "shadow",
  schema,
  compile(options, [first, ...others]) {
    const { share } = options as Options;
    return (walk) => {
      if (!first) return raise("config_invalid", "A shadow needs targets.", { param: "targets" });
      if (others.length === 0 || walk.random() >= share) return first.route(walk);
      const lanes = others.map((child) => {
        walk.note(child.node.path, "gets a copy of the request");
        const route = (branch: Exchange) => child.route(new WalkWithin(walk, branch));
        return { kind: "shadow" as const, afterMs: 0, route };
      });
      return besideFirst(first.route(walk), lanes);
    };
  },
};
