import { z } from "zod";
import { type Route, type RouteChild, type Strategy, type Walk, withoutShut } from "../../core/index.ts";
import type { Assignments } from "./assignments.ts";
import { noWeight, pick, weighed } from "./pick.ts";
import { stickyKey } from "./sticky-key.ts";

const stickySchema = z
  .strictObject({
    enabled: z.boolean().default(false),
    hash_fields: z
      .array(z.string())
      .default([])
      .describe("What tells callers apart: `metadata.<key>`, `params.<key>`."),
    ttl: z.number().positive().default(3600).describe("Seconds a caller stays with its target."),
  })
  .refine(({ enabled, hash_fields }) => !enabled || hash_fields.length > 0, {
    path: ["hash_fields"],
    message: "must name at least one field when sticky is enabled",
  });

const schema = z.object({ sticky: stickySchema.optional() });

type Options = z.output<typeof schema>;
type Sticky = z.output<typeof stickySchema>;

export const loadbalanceStrategy = (assignments: Assignments): Strategy => ({
  mode: "loadbalance",
  schema,
  check: (_, children) => (children.some(({ weight }) => weight > 0) ? [] : [{ path: "targets", message: noWeight }]),
  compile(options, children, { path }) {
    const { sticky } = options as Options;
    const candidates = weighed(children);
    return sticky?.enabled
      ? (walk) => stickily(withoutShut(candidates, walk), path, sticky, assignments, walk)
      : (walk) => loadbalance(withoutShut(candidates, walk), walk);
  },
});

/** One child by weight; how it goes is how the group goes. */
function* loadbalance(candidates: readonly RouteChild[], walk: Walk): Route {
  return yield* drawn(candidates, walk).route(walk);
}

/** The child a caller was given before, as long as it may be chosen; else one by weight, to stay with from now on. */
function* stickily(
  candidates: readonly RouteChild[],
  group: string,
  { hash_fields, ttl }: Sticky,
  assignments: Assignments,
  walk: Walk,
): Route {
  const key = stickyKey(group, hash_fields, walk);
  if (key === undefined) return yield* loadbalance(candidates, walk);
  const now = walk.now();
  const given = assignments.get(key, now);
  let child = candidates.find(({ index }) => index === given);
  if (child) walk.note(child.node.path, "is where this caller was before");
  else {
    child = drawn(candidates, walk);
    assignments.set(key, child.index, now, ttl * 1000);
  }
  return yield* child.route(walk);
}

function drawn(candidates: readonly RouteChild[], walk: Walk): RouteChild {
  const child = pick(candidates, walk.random());
  walk.note(child.node.path, "was drawn by weight");
  return child;
}
