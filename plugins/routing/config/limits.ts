import type { Problem } from "./problems.ts";
import { isMap } from "./spelling.ts";

/** How large a config may be (routing-config.md section 15). */
export interface Limits {
  readonly maxRootTargets: number;
  readonly maxConditionalRootTargets: number;
  /** All nodes below one target of the root. */
  readonly maxNestedTargets: number;
}

/** How deep targets may stand inside targets. */
const maxDepth = 10;

/** What is too much about a config, before anything else is looked at in it. */
export function sizeProblem(config: unknown, limits: Limits): Problem | undefined {
  const targets = targetsOf(config);
  const conditional = isMap(config) && isMap(config.strategy) && config.strategy.mode === "conditional";
  const [limit, variable] = conditional
    ? [limits.maxConditionalRootTargets, "MAX_CONDITIONAL_ROOT_CONFIG_TARGETS"]
    : [limits.maxRootTargets, "MAX_ROOT_CONFIG_TARGETS"];
  if (targets.length > limit)
    return {
      path: ["targets"],
      message: `has ${targets.length} targets at the root; at most ${limit} are allowed (${variable})`,
    };
  for (const [index, target] of targets.entries()) {
    const { count, depth } = sizeBelow(target, 1);
    if (depth > maxDepth)
      return { path: ["targets", index], message: `is nested more than ${maxDepth} targets deep; that is the limit` };
    if (count > limits.maxNestedTargets)
      return {
        path: ["targets", index],
        message:
          `has ${count} targets below it; at most ${limits.maxNestedTargets} are allowed ` +
          "(MAX_NESTED_CONFIG_TARGETS)",
      };
  }
  return undefined;
}

const targetsOf = (node: unknown): readonly unknown[] =>
  isMap(node) && Array.isArray(node.targets) ? node.targets : [];

function sizeBelow(node: unknown, depth: number): { count: number; depth: number } {
  if (depth > maxDepth) return { count: 0, depth };
  let count = 0;
  let deepest = depth;
  for (const target of targetsOf(node)) {
    const below = sizeBelow(target, depth + 1);
    count += 1 + below.count;
    deepest = Math.max(deepest, below.depth);
  }
  return { count, depth: deepest };
}

/** No config is as deep, bodies in `override_params` included; what is could only exhaust whoever reads it. */
const deepest = 64;

export const isTooDeep = (value: unknown, levels = deepest): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1)));
