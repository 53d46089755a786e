import type { ConfigNode, RouteChild, Walk } from "../model/routing.ts";

/** The children a group may use: those with no gate shut, or all of them when every one is shut. */
export function withoutShut(children: readonly RouteChild[], walk: Walk): readonly RouteChild[] {
  if (!children.some(isShut, walk)) return children;
  const left = children.filter((child) => !child.isShut?.(walk));
  if (left.length === 0) return children;
  for (const child of children) if (!left.includes(child)) leaveOut(child.node, walk);
  return left;
}

/** Also told to the client, in `x-gateway-circuit-open`: the paths left out, comma-separated. */
function leaveOut({ path }: ConfigNode, walk: Walk): void {
  walk.note(path, "is left out: its circuit is open");
  const { exchange } = walk;
  exchange.told ??= {};
  const before = exchange.told["circuit-open"];
  exchange.told["circuit-open"] = before === undefined ? path : `${before},${path}`;
}

function isShut(this: Walk, { isShut: shut }: RouteChild): boolean {
  return shut?.(this) === true;
}
