import type { ConfigNode, Exchange, ProviderRegistry, Route, RouteChild, Walk } from "../../../core/index.ts";
import { inherited, passedDown } from "../config/inherit.ts";
import type { OwnFields } from "../config/own-fields.ts";
import { configNode, type ReadGroup, type ReadNode } from "../config/read-config.ts";
import type { Vocabulary } from "../config/vocabulary.ts";
import { type Leaf, type LeafContext, leaf } from "./leaf.ts";
import { layMetadata } from "./metadata.ts";
import { providersToLoad } from "./providers-to-load.ts";
import { storedModel } from "./shape.ts";

export interface CompileContext extends LeafContext {
  readonly providers: LeafContext["providers"] & Pick<ProviderRegistry, "fieldsOf">;
  readonly vocabulary: Pick<Vocabulary, "fields">;
}

/** A config made ready: from here on nothing in it is read again. */
export interface CompiledConfig {
  /** Its slug, or a digest of it. */
  readonly id: string;
  /** The leaf that is all of it, when it has no targets. */
  readonly leaf?: ConfigNode;
  route(walk: Walk): Route;
  /** Resolves once every provider a request could need is there; absent when they are, as they mostly are. */
  loading(exchange: Exchange): Promise<unknown> | undefined;
}

export function compileConfig(root: ReadNode, id: string, context: CompileContext): CompiledConfig {
  const leaves: Leaf[] = [];
  const child = compileNode(root, {}, 0, context, leaves);
  return {
    id,
    ...(!root.group && { leaf: child.node }),
    route: (walk) => child.route(walk),
    loading: providersToLoad(leaves, context),
  };
}

function compileNode(
  read: ReadNode,
  above: ConfigNode["fields"],
  index: number,
  context: CompileContext,
  leaves: Leaf[],
): RouteChild {
  const names = context.vocabulary.fields;
  const fields = inherited(above, withProviderModel(read.fields), names);
  const node = configNode(read, fields);
  if (!read.group) {
    const compiled = leaf(read, node, context);
    leaves.push(compiled);
    return { node, index, route: (walk) => compiled.route(walk) };
  }
  const down = passedDown(fields, names);
  const children = read.group.targets.map((target, at) => compileNode(target, down, at, context, leaves));
  return { node, index, route: groupRoute(read.group, children, node) };
}

/** In `provider: "@slug/model"` the model overrides what ancestors say, but not what stands beside it. */
function withProviderModel(own: OwnFields): ConfigNode["fields"] {
  const model = own.virtual_key === undefined && own.provider ? storedModel(own.provider)?.rest : undefined;
  return { ...own, ...(model !== undefined && { override_params: { model, ...own.override_params } }) };
}

function groupRoute({ strategy, options }: ReadGroup, children: readonly RouteChild[], node: ConfigNode) {
  const choose = strategy.compile(options, children, node);
  const { metadata } = node.fields as OwnFields;
  if (!metadata) return choose;
  return (walk: Walk): Route => {
    layMetadata(walk.exchange, metadata);
    return choose(walk);
  };
}
