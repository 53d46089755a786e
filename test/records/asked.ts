import fc from "fast-check";
import { allBehaviours, type Behaves } from "./vendor.ts";
import type { Slug } from "./world.ts";

/** What clients ask for: where, by whom it can be answered, and how the body says it. */
interface Asking {
  readonly path: string;
  readonly slugs: readonly Slug[];
  readonly streams: boolean;
  /** A form is made when it is sent. */
  readonly body: object | "a form";
}

const messages = [{ role: "user", content: "What is the time?" }];
const chats: readonly Slug[] = ["alpha", "beta", "claude", "nobody"];
const openAis: readonly Slug[] = ["alpha", "beta", "nobody"];

export const askings = {
  chat: { path: "/v1/chat/completions", slugs: chats, streams: true, body: { messages } },
  messages: { path: "/v1/messages", slugs: chats, streams: true, body: { max_tokens: 50, messages } },
  responses: { path: "/v1/responses", slugs: chats, streams: true, body: { input: "What is the time?" } },
  completions: { path: "/v1/completions", slugs: openAis, streams: true, body: { prompt: "What is the time?" } },
  embeddings: { path: "/v1/embeddings", slugs: openAis, streams: false, body: { input: "What is the time?" } },
  images: { path: "/v1/images/generations", slugs: openAis, streams: false, body: { prompt: "A clock." } },
  rerank: { path: "/v1/rerank", slugs: ["ranks"], streams: false, body: { query: "time", documents: ["clock"] } },
  speech: { path: "/v1/audio/speech", slugs: openAis, streams: false, body: { input: "Tea time.", voice: "alloy" } },
  transcription: { path: "/v1/audio/transcriptions", slugs: openAis, streams: true, body: "a form" },
  raw: { path: "/v1/proxy/chat/completions", slugs: openAis, streams: true, body: { messages } },
} as const satisfies Record<string, Asking>;
export type Kind = keyof typeof askings;

/** Guardrails that deny: what is asked, or what is answered; or nobody waits for what they say of what is asked. */
export type Guard = "before" | "after" | "beside";

/** A routing config, where each leaf asks for a model of its own. */
export interface Tree {
  readonly slug?: Slug;
  readonly behaves?: Behaves;
  readonly retry?: { readonly attempts: number };
  readonly cache?: { readonly mode: string };
  readonly guard?: Guard | undefined;
  readonly strategy?: "fallback" | "loadbalance" | "hedge" | "shadow" | "conditional" | "restart";
  readonly targets?: readonly Tree[];
}

/** One exchange, or two where the same is asked again. */
export interface Step {
  readonly kind: Kind;
  readonly stream: boolean;
  readonly tree: Tree;
  /** How often it is asked: again, a cache may know it. */
  readonly times: number;
  /** The client leaves with the first bytes of a stream. */
  readonly leaves: boolean;
  readonly walker: number;
  readonly plan: string | undefined;
  /** A mistake of the client's. */
  readonly wrong: "config" | "body" | "provider" | undefined;
}

/** What metadata says of requests. */
export const plans = ["gold", "free", "a|b%"] as const;

/** Once in so many times; undefined otherwise. */
const seldom = <Value>(often: number, value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: often - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const kinds = Object.keys(askings) as Kind[];

/** Only who says when to ask again is asked again at once. */
const withoutPauses = ({ retry, ...leaf }: Tree): Tree => ({
  ...leaf,
  ...(retry && leaf.behaves?.startsWith("fails") && { retry }),
});

/** Raw calls say the model themselves, whoever answers. */
const treeOf = (kind: Kind): fc.Arbitrary<Tree> => {
  const ties = fc.letrec<{ tree: Tree; leaf: Tree; group: Tree }>((tie) => ({
    tree: fc.oneof({ maxDepth: 2 }, { weight: 2, arbitrary: tie("leaf") }, { weight: 3, arbitrary: tie("group") }),
    leaf: fc
      .record(
        {
          slug: fc.constantFrom<Slug>(...askings[kind].slugs),
          behaves: fc.constantFrom<Behaves>("tells", "keeps", "fails", "cuts", ...allBehaviours),
          retry: fc.constant({ attempts: 2 }),
          cache: fc.constant({ mode: "simple" }),
          guard: fc.constantFrom(undefined, undefined, undefined, "before", "after", "beside"),
        },
        { requiredKeys: ["slug", "behaves"] },
      )
      .map(withoutPauses) as fc.Arbitrary<Tree>,
    group: fc.record({
      strategy: fc.constantFrom("fallback", "fallback", "restart", "loadbalance", "hedge", "shadow", "conditional"),
      targets: fc.array(tie("tree"), { minLength: 2, maxLength: 3 }),
    }) as fc.Arbitrary<Tree>,
  }));
  return kind === "raw" ? ties.leaf : ties.tree;
};

export const steps: fc.Arbitrary<Step> = fc.constantFrom<Kind>(...kinds, "chat", "chat").chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    stream: askings[kind].streams ? fc.boolean() : fc.constant(false),
    tree: treeOf(kind),
    times: fc.constantFrom(1, 1, 2),
    leaves: seldom(3, fc.constant(true)).map((leaves) => leaves === true),
    walker: fc.nat({ max: 3 }),
    plan: fc.option(fc.constantFrom(...plans), { freq: 4, nil: undefined }),
    wrong: seldom(12, fc.constantFrom("config", "body", "provider")),
  }),
);

/** The leaf at a path of the config, as `config.targets[1].targets[0]`. */
export function leafAt(tree: Tree, path: string): Tree | undefined {
  let at: Tree | undefined = tree;
  for (const [, index] of path.matchAll(/\[(\d+)\]/g)) at = at?.targets?.[Number(index)];
  return at;
}

/** What is remarked where they pass, and where they do not. */
export const remarks = {
  on_success: { feedback: { value: 4, weight: 0.5 } },
  on_fail: { feedback: { value: -3, weight: 0.25 } },
} as const;

const denies = (word: string) => ({ contains: { words: [word], operator: "none" }, deny: true, ...remarks });
const guards = {
  before: { input_guardrails: [denies("time")] },
  beside: { input_guardrails: [{ ...denies("time"), async: true }] },
  after: { output_guardrails: [denies("tea")] },
} as const satisfies Record<Guard, object>;

const onlyGold = (second: string) => ({
  ...{ mode: "conditional", default: "t0" },
  // biome-ignore lint/suspicious/noThenProperty: a word of routing configs
  conditions: [{ query: { "metadata.plan": "gold" }, then: second }],
});

/** The config as it is sent. Each leaf asks for a model of its own, as `modelOf` says. */
export function configOf(tree: Tree, modelOf: (leaf: Tree) => string, name?: string): object {
  const { slug, retry, cache, guard, strategy, targets = [] } = tree;
  const named = name === undefined ? {} : { name };
  if (!strategy)
    return {
      ...named,
      provider: `@${slug}`,
      override_params: { model: modelOf(tree) },
      ...(retry && { retry: { ...retry, use_retry_after_headers: true } }),
      ...(cache && { cache }),
      ...(guard && guards[guard]),
    };
  const within = targets.map((one, at) => configOf(one, modelOf, strategy === "conditional" ? `t${at}` : undefined));
  const strategies = {
    fallback: { strategy: { mode: "fallback" } },
    restart: { strategy: { mode: "fallback" }, stream_resume: "restart" },
    loadbalance: { strategy: { mode: "loadbalance" } },
    hedge: { strategy: { mode: "hedge", delay: 1 } },
    shadow: { strategy: { mode: "shadow" } },
    conditional: { strategy: onlyGold("t1") },
  };
  return { ...named, ...strategies[strategy], targets: within };
}
