import {
  type ConfigNode,
  type Logger,
  notKnownHere,
  noWeight,
  pick,
  type Route,
  type RouteChild,
  type Strategy,
  type Walk,
  weighed,
  withoutShut,
  z,
} from "../../core/index.ts";
import { Agreement } from "./agreement.ts";
import type { Assignment, Assignments } from "./assignments.ts";
import { type Hidden, namesNothing, type StickyGroup, stickyGroup, stickyKey } from "./sticky-key.ts";

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

/** A sticky group, ready to be walked. */
interface Sticky {
  readonly group: StickyGroup;
  readonly milliseconds: number;
  readonly agreement: Agreement;
  /** Told of a group whose fields are none of a request's, with its first walk. */
  readonly mistake: Mistake | undefined;
}

/** Fields that tell no callers apart, however they are meant. The config goes on as it was kept. */
interface Mistake {
  tell(walk: Walk): void;
}

const asItIs: Hidden = (said) => said;

export function loadbalanceStrategy(
  local: Assignments,
  agreement = new Agreement(local),
  hidden = asItIs,
  log?: Pick<Logger, "warn">,
): Strategy {
  const stickyOf = (said: Options["sticky"], node: ConfigNode, children: readonly RouteChild[]): Sticky | undefined =>
    said?.enabled
      ? {
          group: stickyGroup(node, said.hash_fields, children, hidden),
          milliseconds: said.ttl * 1000,
          agreement,
          mistake: mistakeIn(said.hash_fields, node, log),
        }
      : undefined;
  return {
    mode: "loadbalance",
    schema,
    check: (_, children) => (children.some(({ weight }) => weight > 0) ? [] : [{ path: "targets", message: noWeight }]),
    compile(options, children, group) {
      const candidates = weighed(children);
      const sticky = stickyOf((options as Options).sticky, group, children);
      if (!sticky) return (walk) => loadbalance(withoutShut(candidates, walk), walk);
      return (walk) => stickily(withoutShut(candidates, walk), sticky, walk);
    },
    prepare(options, children, group) {
      const candidates = weighed(children);
      const sticky = stickyOf((options as Options).sticky, group, children);
      if (!sticky || candidates.length === 0) return undefined;
      return (walk) => (agreement.canClaim ? claim(candidates, sticky, walk) : undefined);
    },
  };
}

/** One child by weight; how it goes is how the group goes. */
const loadbalance = (candidates: readonly RouteChild[], walk: Walk): Route => drawn(candidates, walk).route(walk);

/** The child a caller was given before, as long as it may be chosen; else one by weight, to stay with from now on. */
function* stickily(candidates: readonly RouteChild[], sticky: Sticky, walk: Walk): Route {
  const { agreement, group, milliseconds, mistake } = sticky;
  mistake?.tell(walk);
  const key = stickyKey(group, walk);
  if (key === undefined) return yield* loadbalance(candidates, walk);
  const now = walk.now();
  const given = agreement.get(key, now);
  let child = candidates.find(({ index }) => index === given?.child);
  if (child) walk.note(child.node.path, "is where this caller stays");
  else {
    child = drawn(candidates, walk);
    const caller = { key, exchange: walk.exchange };
    if (!agreement.knows(caller)) walk.note(child.node.path, notKnownHere("where this caller stays"), { known: false });
    agreement.assign(caller, assigned(child, now, milliseconds), given);
  }
  return yield* child.route(walk);
}

function mistakeIn(fields: readonly string[], { path }: ConfigNode, log?: Pick<Logger, "warn">): Mistake | undefined {
  const wrong = fields.filter(namesNothing);
  if (wrong.length === 0) return undefined;
  const names = wrong.map((field) => `"${field}"`).join(", ");
  const message = `sticky.hash_fields: nothing of a request is called ${names}; write metadata.KEY, or params.KEY for what stands in the body`;
  let isTold = false;
  return {
    tell(walk) {
      walk.note(path, message);
      if (!isTold) log?.warn(message, { config: walk.config, path });
      isTold = true;
    },
  };
}

/** Before the walk, which waits for nothing: draws for a caller not known here, and lets the first process win. */
function claim(candidates: readonly RouteChild[], sticky: Sticky, walk: Walk): Promise<void> | undefined {
  const key = stickyKey(sticky.group, walk);
  if (key === undefined) return undefined;
  const now = walk.now();
  return sticky.agreement.claim({ key, exchange: walk.exchange }, now, () => {
    const open = candidates.filter((child) => !child.isShut?.(walk));
    return assigned(pick(open.length > 0 ? open : candidates, walk.random()), now, sticky.milliseconds);
  });
}

const assigned = ({ index }: RouteChild, now: number, milliseconds: number): Assignment => ({
  child: index,
  assignedAt: now,
  // However long it is, others are told a number that they can read.
  expiresAt: Math.min(Math.ceil(now + milliseconds), Number.MAX_SAFE_INTEGER),
});

function drawn(candidates: readonly RouteChild[], walk: Walk): RouteChild {
  const child = pick(candidates, walk.random());
  walk.note(child.node.path, "was drawn by weight");
  return child;
}
