import type { z } from "zod";
import type { Exchange, RouteNote } from "./exchange.ts";
import type { Principal } from "./principal.ts";
import type { GatewayRequest } from "./request.ts";
import type { Outcome, Route, Target } from "./route.ts";

/**
 * A field of the routing config object (`retry`, `cache`, …), contributed by the plugin that owns it: the schema of the
 * object is the sum of what the loaded plugins contribute.
 */
export interface ConfigField {
  /** snake_case. The camelCase spelling is understood too. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /**
   * What the value looks like; its output is what `ConfigNode.fields` holds. Maps in it are best strict: a config of
   * the file is then refused for a mistyped key, and a caller's loses what nobody knows.
   */
  readonly schema: z.ZodType;
  /**
   * What a node has when its ancestors say something: the nearest one's value, objects merged key by key (deeper wins),
   * lists joined (ancestors first), or nothing.
   */
  readonly inherit: "nearest" | "merge" | "join" | "none";
  /** Fields that share this word are inherited together: a node that has one of them inherits none. */
  readonly together?: string;
  /** The keys inside the value are the user's own: they are not translated from camelCase. */
  readonly opaque?: boolean;
  /**
   * Names in a value that was understood that are probably meant for others, by place in it: a config that is declared, made
   * or changed is refused for them. One that is kept runs as it did before anybody looked.
   */
  readonly misspelt?: (value: unknown) => readonly Misspelt[];
}

/** A name that is none, with what would be right. */
export interface Misspelt {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A node of a config, read: what it says and what its ancestors pass down. */
export interface ConfigNode {
  /** Where it stands in the config as written: `config`, `config.targets[1]`. */
  readonly path: string;
  readonly name?: string;
  /** Its share under a weighing parent; 1 unless it says otherwise. */
  readonly weight: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /**
   * What a leaf says of its provider in the vendor's own words (`aws_region`), credentials in the clear: good for
   * comparing, and never to be printed. Absent where it says nothing.
   */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Of a group, what it chooses among; absent on leaves. */
  readonly targets?: readonly ConfigNode[];
}

/** What a strategy knows of a walk through a tree. */
export interface Walk {
  readonly exchange: Exchange;
  /** Counts the walks of this process: what a later one finds, of configs and stored providers, is as new or newer. */
  readonly number: number;
  /** Which config is walked: its slug, or a digest of an inline one; absent where nobody named one. */
  readonly config?: string;
  /** Whether something else will be tried when what is being walked fails. */
  readonly alternatives: boolean;
  /** In [0, 1). */
  random(): number;
  /** Unix milliseconds. */
  now(): number;
  /** Why the walk went where it went, for `sluice explain` and records; `known: false` where it says that it cannot say. */
  note(path: string, message: string, more?: Pick<RouteNote, "known">): void;
}

/** A child of a group. */
export interface RouteChild {
  readonly node: ConfigNode;
  /** Its position in the config as written. */
  readonly index: number;
  /** Whether a gate is shut for it: for a group, for all its leaves. Absent where no plugin has gates. */
  readonly isShut?: (walk: Walk) => boolean;
  route(walk: Walk): Route;
}

/** Says that a leaf is not to be called for now (a circuit breaker). Asked often: it answers from memory. */
export type Gate = (node: ConfigNode, walk: Walk) => boolean;

/** A mistake in a config. `path` is dotted, relative to the group: `strategy.conditions.0.then`. */
export interface ConfigProblem {
  readonly path: string;
  readonly message: string;
  /** What stands there instead, where that may be told: `the number -1`. */
  readonly found?: string;
}

/**
 * A way to choose among children: a small generator, made once when a config is read; those of the file when all plugins
 * are ready. A `GatewayError` of its functions says that the config is wrong; what else they throw is its plugin's failure.
 */
export interface Strategy {
  /** `strategy.mode` in a config. */
  readonly mode: string;
  /** The other fields of the `strategy` object; which keys it knows, its shape says. */
  readonly schema: z.ZodObject;
  /**
   * Mistakes that only show with the children at hand. Asked of configs of the file only: a caller's config is refused
   * for them when it is walked, by the walk.
   */
  check?(options: Readonly<Record<string, unknown>>, children: readonly ConfigNode[]): readonly ConfigProblem[];
  compile(
    options: Readonly<Record<string, unknown>>,
    children: readonly RouteChild[],
    group: ConfigNode,
  ): (walk: Walk) => Route;
  /**
   * Fetches what a walk will need to know of a request, since a walk waits for nothing. Made once per group; undefined
   * where there is nothing to fetch.
   */
  prepare?(
    options: Readonly<Record<string, unknown>>,
    children: readonly RouteChild[],
    group: ConfigNode,
  ): ((walk: Walk) => Promise<unknown> | undefined) | undefined;
}

/**
 * Something done around a leaf (a breaker, which judges how it ended) or around its calls (retries, which make several
 * of one). `inner` yields the target it is given.
 */
export type LeafWrapper = (target: Target, node: ConfigNode, walk: Walk, inner: (target: Target) => Route) => Route;

/**
 * What plugins add to the config object, while they are set up. Wrappers of leaves are around those of calls; of the same
 * kind, one added earlier is around those added later. A target that is refused before it is called is not wrapped.
 */
export interface RoutingContributions {
  field(field: ConfigField): void;
  strategy(strategy: Strategy): void;
  leaf(wrapper: LeafWrapper): void;
  calls(wrapper: LeafWrapper): void;
  gate(gate: Gate): void;
  request(request: LeafRequest): void;
}

/**
 * Says what a leaf asks in place of the request itself (a saved prompt of its own); asked once, when a config is read.
 * Undefined for leaves that have nothing of their own.
 */
export type LeafRequest = (node: ConfigNode) => OwnRequest | undefined;

export interface OwnRequest {
  /** Fetches what the others will need, since a walk waits for nothing; undefined where nothing has to be fetched. */
  prepare(walk: Walk): Promise<unknown> | undefined;
  /** What of the request says whom it is for, without making it. */
  about(walk: Walk): Pick<GatewayRequest, "model" | "origin"> | undefined;
  /** Undefined: this time the leaf asks what everybody asks. What it throws is how the leaf ends. */
  of(walk: Walk): GatewayRequest | undefined;
}

/** What the routing plugin offers: a config object to contribute to, and its reading of configs. */
export interface RoutingService extends RoutingContributions {
  /** Says who finds configs that are kept elsewhere than in the file; one plugin does. The file's own win. */
  saved(finder: SavedConfigFinder): void;
  /** The configs of the file by slug, with their credentials hidden. */
  readonly declared: Readonly<Record<string, unknown>>;
  /** A copy of a config in which what is a credential is a `Secret`. */
  hidden(config: unknown): unknown;
  /**
   * Reads a config that somebody wants to keep, as strictly as one of the file is read; what is misspelt in the one that it
   * replaces may stay so. From `onReady` on.
   */
  check(config: unknown, before?: unknown): Promise<CheckedConfig>;
  /** What the config of a request says of providers; undefined where the request has none. Rejects like its route would. */
  named(exchange: Exchange): Promise<NamedProviders | undefined>;
}

/** A routing config that is kept elsewhere than in the file. The same object stands for it until it changes. */
export interface SavedConfig {
  readonly id: string;
  readonly slug: string;
  /** The id of this version of it. */
  readonly version: string;
  /** As it was written. Its hosts are held to the rules for those of callers: it is not the operator's word. */
  readonly config: unknown;
}

/**
 * Finds a config by id or slug for somebody who may use it. A promise only where it has to be read first; rejects with a
 * `GatewayError` where that is not possible.
 */
export type SavedConfigFinder = (
  principal: Principal,
  ref: string,
) => SavedConfig | undefined | Promise<SavedConfig | undefined>;

/** What reading a config came to. */
export interface CheckedConfig {
  /** Paths are those of the config as it was written: `targets.1.virtual_key`. */
  readonly problems: readonly ConfigProblem[];
  /** What it names that is not in the config file, and has to be somewhere else. */
  readonly references: readonly ConfigReference[];
}

export interface ConfigReference {
  readonly kind: "providers" | "guardrails" | "prompts";
  /** An id or a slug. */
  readonly ref: string;
  readonly path: string;
}

/** What a config says of providers, before anybody is called. */
export interface NamedProviders {
  /** The fields at its root. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Of the stored providers it names. */
  readonly slugs: readonly string[];
  /** Whether it chooses providers itself. */
  readonly chosen: boolean;
  /** Whether some target takes its provider from the request. */
  readonly open: boolean;
}

/** How an outcome looks to whoever decides whether to go on: used by strategies and wrappers alike. */
export type OutcomeTest = (outcome: Outcome) => boolean;
