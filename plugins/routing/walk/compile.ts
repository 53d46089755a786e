import {
  type ConfigInForce,
  type ConfigNode,
  type Failed,
  failingAs,
  type Gate,
  type NamedProviders,
  type OwnRequest,
  type ProviderRegistry,
  type Route,
  type RouteChild,
  type Walk,
} from "../../../core/index.ts";
import { inherited, passedDown } from "../config/inherit.ts";
import { configNode, type ReadGroup, type ReadNode } from "../config/node.ts";
import type { OwnFields } from "../config/own-fields.ts";
import { strategyCall, strategyFailed } from "../config/strategy-call.ts";
import type { Vocabulary } from "../config/vocabulary.ts";
import { calling, namedRoute } from "../config/whose-failure.ts";
import { storedModel } from "../model-names.ts";
import { type Leaf, type LeafContext, leaf } from "./leaf.ts";
import { layMetadata } from "./metadata.ts";
import { providersToLoad } from "./providers-to-load.ts";

export interface CompileContext extends LeafContext {
  readonly providers: LeafContext["providers"] & Pick<ProviderRegistry, "load">;
  readonly vocabulary: Pick<Vocabulary, "fields" | "gates" | "requests" | "bringers">;
  /** What records call the config, where it is a saved one. */
  readonly inForce?: ConfigInForce;
}

/** A config made ready: from here on nothing in it is read again. */
export interface CompiledConfig {
  /** Its slug, or a digest of it. */
  readonly id: string;
  readonly inForce?: ConfigInForce;
  /** How its root chooses; `single` when it has no targets. */
  readonly mode: string;
  /** The leaf that is all of it, when it has no targets. */
  readonly leaf?: ConfigNode;
  readonly named: NamedProviders;
  /** Whether a request may be sent more than once. */
  readonly severalCalls: boolean;
  /** Whether it names more than one target. */
  readonly severalTargets: boolean;
  route(walk: Walk): Route;
  /** The same for what the first leaf is asked, whatever the groups above it would choose. */
  firstLeaf(walk: Walk): Route;
  /** Resolves once everything a walk could need is there; absent when it is, as it mostly is. */
  loading(walk: Walk): Promise<unknown> | undefined;
}

/** What grows while a tree is compiled. */
interface Grown {
  readonly leaves: Leaf[];
  readonly preparations: Preparation[];
}

type Preparation = (walk: Walk) => Promise<unknown> | undefined;

export function compileConfig(root: ReadNode, id: string, context: CompileContext): CompiledConfig {
  const grown: Grown = { leaves: [], preparations: [] };
  const child = compileNode(root, {}, 0, context, grown);
  const providers = providersToLoad(grown.leaves, context);
  return {
    id,
    ...(context.inForce && { inForce: context.inForce }),
    mode: root.group?.strategy.mode ?? "single",
    ...(!root.group && { leaf: child.node }),
    named: {
      fields: child.node.fields,
      slugs: [...new Set(grown.leaves.flatMap(storedSlugs))],
      chosen: root.group !== undefined || grown.leaves.some(({ fromRequest }) => !fromRequest),
      open: grown.leaves.some(({ fromRequest }) => fromRequest),
    },
    severalTargets: grown.leaves.length > 1,
    severalCalls: grown.leaves.length > 1 || grown.leaves.some(({ repeats }) => repeats),
    route: (walk) => child.route(walk),
    firstLeaf: (walk) => (grown.leaves[0] ?? child).route(walk),
    loading: allOf([(walk) => providers(walk.exchange), ...grown.preparations]),
  };
}

const storedSlugs = ({ providerNames }: Leaf): string[] =>
  providerNames.flatMap((name) => (name.startsWith("@") ? [name.slice(1)] : []));

/** What has to be waited for before a walk, all at once. */
function allOf(preparations: readonly Preparation[]): Preparation {
  const [only, ...others] = preparations;
  if (only && others.length === 0) return only;
  return (walk) => {
    const waiting = preparations.map((prepare) => prepare(walk)).filter((one) => one !== undefined);
    return waiting.length > 0 ? Promise.all(waiting) : undefined;
  };
}

function compileNode(
  read: ReadNode,
  above: ConfigNode["fields"],
  index: number,
  context: CompileContext,
  grown: Grown,
): RouteChild {
  const names = context.vocabulary.fields;
  const own = withTotal(read.fields);
  const fields = inherited(above, read.group ? own : withProviderModel(own), names);
  if (!read.group) {
    const node = configNode(read, fields, read.options);
    const request = ownRequest(node, context.vocabulary.requests);
    const compiled = leaf(read, node, context, request);
    grown.leaves.push(compiled);
    if (request) grown.preparations.push(preparationOf(request, compiled, context));
    return { node, index, route: (walk) => compiled.route(walk), ...gateOf(node, context.vocabulary.gates) };
  }
  const down = passedDown(fields, names);
  const { group } = read;
  const { targets, strategy, options } = group;
  const children = targets.map((target, at) => compileNode(target, down, at, context, grown));
  const node = { ...configNode(read, fields), targets: children.map((child) => child.node) };
  const position = { mode: strategy.mode, place: read.place, config: context.inForce?.slug };
  const prepare = strategyCall("prepare", position, context.vocabulary, () =>
    strategy.prepare?.(options, children, node),
  );
  if (prepare) grown.preparations.push(failingAs(strategyFailed("preparing", position, context.vocabulary), prepare));
  const choose = strategyCall("compile", position, context.vocabulary, () => chooser(group, children, node));
  const walked = namedChooser(choose, strategyFailed("walking", position, context.vocabulary));
  return { node, index, route: groupRoute(walked, node), ...groupGate(children) };
}

/** What a leaf asks is looked up, and then whom it asks. */
const preparationOf = (
  own: OwnRequest,
  { fromRequest }: Leaf,
  { selector, providers }: CompileContext,
): Preparation => {
  const loading = (walk: Walk) => {
    const choice = fromRequest ? selector.saved(own.about(walk)) : undefined;
    return choice && providers.load(choice.name, walk.exchange);
  };
  return (walk) => own.prepare(walk)?.then(() => loading(walk)) ?? loading(walk);
};

function ownRequest(node: ConfigNode, requests: Vocabulary["requests"]): OwnRequest | undefined {
  for (const request of requests) {
    const own = request(node);
    if (own) return own;
  }
  return undefined;
}

/** A leaf is shut by any gate. */
function gateOf(node: ConfigNode, gates: readonly Gate[]): Pick<RouteChild, "isShut"> {
  if (gates.length === 0) return {};
  return { isShut: (walk) => gates.some((gate) => gate(node, walk)) };
}

/** A group is shut when all its leaves are. */
function groupGate(children: readonly RouteChild[]): Pick<RouteChild, "isShut"> {
  if (!children.some(({ isShut }) => isShut)) return {};
  return { isShut: (walk) => children.every(({ isShut }) => isShut?.(walk)) };
}

/**
 * `request_timeout` is the reference's name of the total of `timeouts`: where a node says both, it counts, and of several nodes
 * the nearest one, by whichever name it says it.
 */
function withTotal(own: ReadNode["fields"]): ReadNode["fields"] {
  const { request_timeout: total, timeouts } = own;
  return total === undefined ? own : { ...own, timeouts: { ...timeouts, total } };
}

/** In a leaf's `provider: "@slug/model"` the model overrides what ancestors say, but not what stands beside it. */
function withProviderModel(own: OwnFields): ConfigNode["fields"] {
  const model = own.virtual_key === undefined && own.provider ? storedModel(own.provider)?.rest : undefined;
  return { ...own, ...(model !== undefined && { override_params: { model, ...own.override_params } }) };
}

/** How a group chooses. Whoever writes JavaScript may forget to give it. */
function chooser({ strategy, options }: ReadGroup, children: readonly RouteChild[], node: ConfigNode) {
  const choose = strategy.compile(options, children, node);
  if (typeof choose === "function") return choose;
  throw new Error("gave no function: that is one which makes a route of a walk");
}

/** Its choice is made at once, as without this. */
const namedChooser =
  (choose: (walk: Walk) => Route, failed: Failed) =>
  (walk: Walk): Route =>
    namedRoute(
      calling(failed, () => choose(walk)),
      failed,
    );

/** Before it chooses, what was there for a sibling that was tried has to be gone, also where it has no metadata itself. */
function groupRoute(choose: (walk: Walk) => Route, node: ConfigNode): (walk: Walk) => Route {
  const { metadata } = node.fields as OwnFields;
  return (walk: Walk): Route => {
    layMetadata(walk.exchange, metadata);
    return choose(walk);
  };
}
