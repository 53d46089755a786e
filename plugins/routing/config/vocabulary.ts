import {
  type ConfigField,
  type Failed,
  failingAs,
  type Gate,
  type LeafRequest,
  type LeafWrapper,
  type RoutingContributions,
  type Strategy,
  type Walk,
} from "../../../core/index.ts";
import { ownFields } from "./own-fields.ts";
import { opaqueFields, snakeCase } from "./spelling.ts";
import { calling, failedIn } from "./whose-failure.ts";

/** What configs may say: the sum of what the loaded plugins contribute. */
export interface Vocabulary {
  /** By name, and by every alias of it. */
  readonly fields: ReadonlyMap<string, ConfigField>;
  readonly strategies: ReadonlyMap<string, Strategy>;
  /** The plugin that brings a strategy, by its mode. */
  readonly bringers: ReadonlyMap<string, string>;
  /** Fields whose content is not translated from camelCase. */
  readonly opaque: ReadonlySet<string>;
  /** Around a leaf, and around its calls; the first of each is outermost. */
  readonly wrappers: { readonly leaf: readonly NamedWrapper[]; readonly calls: readonly NamedWrapper[] };
  readonly gates: readonly Gate[];
  /** Who gives leaves requests of their own. */
  readonly requests: readonly LeafRequest[];
}

/** A wrapper, and how it is told that it fails. */
export interface NamedWrapper {
  readonly wrap: LeafWrapper;
  readonly failed: Failed;
}

/** A vocabulary that grows while plugins are set up, and nothing of it may be changed afterwards. */
export function vocabulary(strategies: readonly Strategy[]): {
  readonly words: Vocabulary;
  /** What a plugin adds with. */
  service(plugin: string): RoutingContributions;
  close(): void;
} {
  const fields = new Map<string, ConfigField>();
  const modes = new Map<string, Strategy>();
  const bringers = new Map<string, string>();
  const opaque = new Set(opaqueFields);
  const wrappers = { leaf: [] as NamedWrapper[], calls: [] as NamedWrapper[] };
  const gates: Gate[] = [];
  const requests: LeafRequest[] = [];
  let open = true;
  const check = () => {
    if (!open) throw new Error("the routing config is fixed once the gateway has started");
  };
  const service = (plugin: string): RoutingContributions => ({
    field(field) {
      check();
      for (const name of [field.name, ...(field.aliases ?? [])].map(snakeCase)) {
        if (fields.has(name)) throw new Error(`the routing config has a field "${name}" already`);
        fields.set(name, field);
        if (field.opaque) opaque.add(name);
      }
    },
    strategy(strategy) {
      check();
      const { mode, schema, compile } = strategy as Partial<typeof strategy>;
      if (typeof mode !== "string" || typeof schema?.safeParse !== "function" || typeof compile !== "function")
        throw new Error("a routing strategy is { mode, schema, compile }: a name, a schema of zod, and a function");
      if (modes.has(strategy.mode)) throw new Error(`there is a routing strategy "${strategy.mode}" already`);
      modes.set(strategy.mode, strategy);
      bringers.set(strategy.mode, plugin);
    },
    leaf(wrap) {
      check();
      wrappers.leaf.push({ wrap, failed: failedIn(plugin, "a wrapper of leaves") });
    },
    calls(wrap) {
      check();
      wrappers.calls.push({ wrap, failed: failedIn(plugin, "a wrapper of calls") });
    },
    gate(gate) {
      check();
      gates.push(failingAs(failedIn(plugin, "a gate"), gate));
    },
    request(request) {
      check();
      requests.push(namedRequest(failedIn(plugin, "a request of a leaf's own"), request));
    },
  });
  const own = service("routing");
  for (const field of ownFields) own.field(field);
  for (const strategy of strategies) own.strategy(strategy);
  return {
    words: { fields, strategies: modes, bringers, opaque, wrappers, gates, requests },
    service,
    close: () => {
      open = false;
    },
  };
}

/** What a plugin gives a leaf to ask, each function of it named. */
const namedRequest =
  (failed: Failed, request: LeafRequest): LeafRequest =>
  (node) => {
    const own = calling(failed, () => request(node));
    return (
      own && {
        prepare: failingAs(failed, (walk: Walk) => own.prepare(walk)),
        about: failingAs(failed, (walk: Walk) => own.about(walk)),
        of: failingAs(failed, (walk: Walk) => own.of(walk)),
      }
    );
  };
