import type { RouteChild, Walk } from "../model/routing.ts";

/** The children a group may use: those with no gate shut, or all of them when every one is shut. */
export function withoutShut(children: readonly RouteChild[], walk: Walk): readonly RouteChild[] {
  if (!children.some(isShut, walk)) return children;
  const left = children.filter((child) => !child.isShut?.(walk));
  if (left.length === 0) return children;
  for (const child of children)
    if (!left.includes(child)) walk.note(child.node.path, "is left out: its circuit is open");
  return left;
}

function isShut(this: Walk, { isShut: shut }: RouteChild): boolean {
  return shut?.(this) === true;
}
