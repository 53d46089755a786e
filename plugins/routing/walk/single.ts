import { type Route, type Strategy, type Target, withoutShut, z } from "../../../core/index.ts";

/** The shortest route there is: one target, and whatever comes of it. */
export function* one(target: Target): Route {
  return yield target;
}

/** The first target; the others are there for later. */
export const single: Strategy = {
  mode: "single",
  schema: z.strictObject({}),
  compile: (_options, children, group) => (walk) => {
    const [first] = withoutShut(children, walk);
    if (!first) throw new Error("a group without targets was compiled");
    walk.note(group.path, "single: the first target");
    return first.route(walk);
  },
};
