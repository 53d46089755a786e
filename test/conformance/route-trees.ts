import type {
  ConfigField,
  ConfigNode,
  LeafWrapper,
  PluginContext,
  Route,
  RouteChild,
  RoutingContributions,
  RoutingService,
  Strategy,
  Target,
  Walk,
} from "../../core/index.ts";
import retry from "../../plugins/retry/index.ts";
import conditional from "../../plugins/strategy-conditional/index.ts";
import fallback from "../../plugins/strategy-fallback/index.ts";
import loadbalance from "../../plugins/strategy-loadbalance/index.ts";
import { node, target } from "../support/walks.ts";

/** A routing config, as far as strategies and retries go. */
export interface TreeNode {
  readonly name?: string;
  readonly weight?: number;
  readonly retry?: object;
  readonly strategy?: { readonly mode: string; readonly [option: string]: unknown };
  readonly targets?: readonly TreeNode[];
}

/** What the plugins contribute to the routing config, collected by a service that only takes it down. */
function contributions() {
  const strategies = new Map<string, Strategy>();
  const fields = new Map<string, ConfigField>();
  const wrappers: LeafWrapper[] = [];
  const routing: RoutingContributions & Pick<RoutingService, "hidden"> = {
    field: (field) => void fields.set(field.name, field),
    strategy: (strategy) => void strategies.set(strategy.mode, strategy),
    leaf: (wrapper) => void wrappers.unshift(wrapper),
    calls: (wrapper) => void wrappers.push(wrapper),
    gate: () => undefined,
    request: () => undefined,
    hidden: (said) => said,
  };
  const nothing = () => undefined;
  const kept = (_: unknown, make: () => unknown) => make();
  const given = {
    service: () => routing,
    offered: nothing,
    kept,
    onServing: nothing,
    onLeaving: nothing,
    onClose: nothing,
  };
  const context = given as unknown as PluginContext;
  for (const plugin of [fallback, conditional, retry]) plugin.setup(context, {});
  loadbalance.setup(context, { assignments: 1000 });
  strategies.set("single", {
    mode: "single",
    schema: conditional.options,
    compile: (_, [first]) => first?.route ?? (() => never()),
  });
  return { strategies, fields, wrappers };
}

// biome-ignore lint/correctness/useYield: a route that is never walked.
function* never(): Route {
  throw new Error("a group without targets");
}

/** Compiles a tree with the plugins' own strategies and wrappers; leaves call targets named by their paths. */
export function treeRoute(tree: TreeNode): (walk: Walk) => Route {
  const { strategies, fields, wrappers } = contributions();

  const compile = (written: TreeNode, path: string, index: number, above: ConfigNode["fields"]): RouteChild => {
    const own = written.retry && { retry: fields.get("retry")?.schema.parse(written.retry) };
    const { name, weight = 1 } = written;
    const made = node(path, { weight, fields: { ...above, ...own }, ...(name !== undefined && { name }) });
    if (!written.strategy) return { node: made, index, route: (walk) => wrapped(made, walk) };
    const { mode, ...options } = written.strategy;
    const strategy = strategies.get(mode);
    if (!strategy) throw new Error(`no strategy ${mode}`);
    const children = (written.targets ?? []).map((child, at) =>
      compile(child, `${path}.targets[${at}]`, at, made.fields),
    );
    return { node: made, index, route: strategy.compile(strategy.schema.parse(options), children, made) };
  };

  const wrapped = (leaf: ConfigNode, walk: Walk): Route => {
    const call = wrappers.reduceRight<(one: Target) => Route>(
      (inner, wrap) => (one) => wrap(one, leaf, walk, inner),
      function* (one) {
        return yield one;
      },
    );
    return call(target(leaf.path));
  };

  return compile(tree, "config", 0, {}).route;
}
