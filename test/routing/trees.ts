import fc from "fast-check";
import { conditionsTo } from "./conditions.ts";
import { type Guarded, guarded } from "./guards.ts";

/** A routing config as a user writes it, as far as it is made here. */
export interface Tree extends Guarded {
  readonly name?: string;
  readonly weight?: number;
  readonly provider?: string;
  readonly virtual_key?: string;
  readonly api_key?: string;
  readonly passthrough?: boolean;
  readonly custom_host?: string;
  readonly override_params?: Fields;
  readonly default_params?: Fields;
  readonly drop_params?: readonly string[];
  readonly retry?: {
    readonly attempts: number;
    readonly on_status_codes?: readonly number[];
    readonly use_retry_after_headers?: boolean;
  };
  readonly request_timeout?: number;
  readonly forward_headers?: readonly (string | { readonly from: string; readonly to: string })[];
  readonly metadata?: Readonly<Record<string, string>>;
  /** Without an effect: it makes a config another one. */
  readonly allow_subdomain?: string;
  readonly on_status_codes?: readonly number[];
  readonly priority?: number;
  readonly price?: { readonly input: number; readonly output?: number };
  readonly strict_open_ai_compliance?: boolean;
  readonly cb_config?: {
    readonly cooldown_interval: number;
    readonly failure_threshold?: number;
    readonly failure_threshold_percentage?: number;
    readonly minimum_requests?: number;
    readonly failure_status_codes?: readonly number[];
    readonly half_open_requests?: number;
  };
  readonly cache?: string | { readonly mode: string; readonly max_age?: number };
  readonly strategy?: {
    readonly mode: string;
    readonly cb_config?: Tree["cb_config"];
    readonly on_status_codes?: readonly number[];
    readonly conditions?: readonly Fields[];
    readonly default?: string;
    readonly explore?: number;
    readonly sticky?: { readonly enabled: boolean; readonly hash_fields: readonly string[]; readonly ttl?: number };
  };
  readonly targets?: readonly Tree[];
}

export type Fields = Readonly<Record<string, unknown>>;

export const slugs = ["p0", "p1", "p2", "p3"];
const names = ["a", "b", "c", "d"];
export const codes = fc.uniqueArray(fc.constantFrom(200, 246, 400, 404, 408, 429, 446, 500, 502, 503, 529), {
  maxLength: 5,
});
export const some = <Value>(arbitrary: fc.Arbitrary<Value>, freq = 2) => fc.option(arbitrary, { nil: undefined, freq });

const labels = fc.dictionary(fc.constantFrom("plan", "region", "_user"), fc.constantFrom("gold", "free", "eu"), {
  maxKeys: 2,
});

/** What clients say of a request, which need not be texts. */
const said = fc
  .tuple(
    labels,
    fc.record({
      level: some(fc.constantFrom(12, "12", 0.5, true)),
      team: some(fc.constantFrom(null, "gold")),
      tags: some(fc.constantFrom(["x"], [], { n: "1" }), 4),
    }),
  )
  .map(([texts, others]) => JSON.stringify({ ...texts, ...others }));

/** A field of a body, and what it may be: nothing in it is of any vendor's own. */
const model = fc.oneof(fc.constantFrom("m1", "m2"), fc.constantFrom("@p2/m3", "@p3/m/4"));
const bodyMetadata = fc.dictionary(
  fc.constantFrom("k", "l"),
  fc.oneof(fc.constantFrom("v", "w"), fc.record({ n: fc.constantFrom("1", "2") }), fc.record({ o: fc.constant("3") })),
  { maxKeys: 2 },
);

const params = (withModel: boolean) =>
  fc
    .record({
      ...(withModel && { model: some(model) }),
      temperature: some(fc.constantFrom(0, 0.5, 1)),
      max_tokens: some(fc.constantFrom(10, 20)),
      user: some(fc.constantFrom("u1", "u2")),
      metadata: some(bodyMetadata),
      logprobs: some(fc.constantFrom(true, null)),
      stream: some(fc.boolean(), 7),
      stop: some(fc.constantFrom(null, "x")),
    })
    .map(written);

const drops = fc.uniqueArray(
  fc.constantFrom(
    "logprobs",
    "user",
    "metadata.k",
    "metadata.k.n",
    "metadata",
    "messages[1]",
    "messages[0].name",
    "messages[*].name",
    "tools[*].function.strict",
    "tools[0].function.strict",
    "temperature.x",
    "stop[0]",
    "nothing",
    "stream",
    "max_tokens",
  ),
  { maxLength: 3 },
);

const retry = fc
  .record({ attempts: fc.nat(6), on_status_codes: some(codes), use_retry_after_headers: some(fc.boolean()) })
  .map(written);

const forwarded = fc.uniqueArray(
  fc.constantFrom<string | { from: string; to: string }>(
    "x-a",
    "X-B",
    { from: "x-c", to: "x-d" },
    { from: "X-A", to: "x-e" },
  ),
  { maxLength: 3 },
);

/** What passes down. */
const behaviour = {
  override_params: some(params(true), 3),
  default_params: some(params(true), 4),
  drop_params: some(drops, 4),
  retry: some(retry),
  priority: some(fc.constantFrom(0, 1, 2), 3),
  request_timeout: some(fc.constantFrom(1000, 2500, 7000), 3),
  forward_headers: some(forwarded, 4),
  metadata: some(labels, 4),
  strict_open_ai_compliance: some(fc.boolean(), 4),
  // Of a provider, and so of the node it stands on alone.
  custom_host: some(fc.constantFrom("h0", "h1"), 9),
};

const source = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...slugs).map((slug): Fields => ({ provider: `@${slug}` })) },
  fc.constantFrom<Fields>(
    { provider: "@p1/m5" },
    { provider: "@p1/a/m6" },
    { virtual_key: "p2" },
    { virtual_key: "@p3" },
    { provider: "openai" },
    { provider: "openai", api_key: "leaf-key-0123456789" },
    { provider: "@p0", api_key: "leaf-key-0123456789" },
    { virtual_key: "p1", provider: "@p2/m7" },
    { passthrough: true },
    {},
    {},
  ),
);

const leaf = fc
  .record({ ...behaviour, weight: some(fc.constantFrom(0, 0, 1, 2, 0.5)), source, guarded })
  .map(({ source, guarded: guards, ...one }) => written({ ...source, ...one, ...guards }));

const named = fc.constantFrom(...names, "nobody");
const conditions = conditionsTo(named);
const sticky = fc
  .record({
    enabled: fc.constantFrom(true, true, false),
    hash_fields: fc.uniqueArray(fc.constantFrom("metadata.plan", "metadata._user", "params.user", "params.tools"), {
      minLength: 1,
      maxLength: 2,
    }),
    // Not a time that waits add up to.
    ttl: some(fc.constant(60.5)),
  })
  .map((one) => written(one));
const strategy = fc.oneof(
  { weight: 1, arbitrary: fc.record({ mode: fc.constant("single") }) },
  { weight: 4, arbitrary: fc.record({ mode: fc.constant("fallback"), on_status_codes: some(codes) }) },
  { weight: 2, arbitrary: fc.record({ mode: fc.constant("loadbalance"), sticky: some(sticky, 1) }) },
  { weight: 1, arbitrary: fc.record({ mode: fc.constant("priority"), on_status_codes: some(codes) }) },
  { weight: 2, arbitrary: fc.record({ mode: fc.constant("conditional"), conditions, default: some(named, 9) }) },
);

const { any } = fc.letrec<{ any: Tree; leaf: Tree; group: Tree }>((tie) => ({
  any: fc.oneof({ depthSize: "small", withCrossShrink: true, maxDepth: 4 }, tie("leaf"), tie("group")),
  leaf,
  group: fc
    .record({
      ...behaviour,
      weight: some(fc.constantFrom(0, 1, 2)),
      on_status_codes: some(codes, 9),
      strategy,
      guarded,
      targets: fc.array(tie("any"), { minLength: 1, maxLength: names.length }),
    })
    .map(({ targets, guarded: guards, ...rest }) =>
      written({ ...rest, ...guards, targets: targets.map((one, at) => ({ ...one, name: names[at] ?? "" })) }),
    ),
}));

export const trees: fc.Arbitrary<Tree> = any;

/** Where a caller's config may lead is a matter of its own: hosts are named in the file. */
export const withoutHosts = ({ custom_host: _, targets, ...node }: Tree): Tree => ({
  ...node,
  ...(targets && { targets: targets.map(withoutHosts) }),
});

/** As it would be written: what is not said is not there. */
export function written(value: object): Fields & Tree {
  return JSON.parse(JSON.stringify(value));
}

/** A request of a client. */
export interface Asked {
  /** Where it is sent; to chat completions unless it says so. */
  readonly path?: string;
  readonly body: Fields;
  readonly headers: Readonly<Record<string, string>>;
}

const clientBody = fc
  .record({
    model: some(model, 9),
    fields: params(false),
    name: some(fc.constant("n")),
    second: fc.boolean(),
    strict: some(fc.boolean()),
  })
  .map(({ model, fields, name, second, strict }) =>
    written({
      model,
      messages: [{ role: "user", content: "Hi", name }, ...(second ? [{ role: "user", content: "there" }] : [])],
      ...fields,
      tools: strict === undefined ? undefined : [{ type: "function", function: { name: "f", parameters: {}, strict } }],
    }),
  );

const headers = fc
  .record({
    "x-gateway-provider": some(fc.constantFrom("@p0", "@p1", "openai", "@p3/m8"), 3),
    "x-gateway-virtual-key": some(fc.constantFrom("p1", "@p2"), 5),
    "x-gateway-request-timeout": some(fc.constantFrom("1500", "0", "soon"), 4),
    "x-gateway-forward-headers": some(fc.constantFrom("x-b", "['X-A', 'x-c']", "[]"), 4),
    "x-gateway-metadata": some(said),
    "x-gateway-strict-open-ai-compliance": some(fc.constantFrom("false", "FALSE", "true", "0"), 4),
    authorization: some(fc.constant("Bearer caller-key-0123456789")),
    "x-a": some(fc.constant("1")),
    "x-b": some(fc.constant("2")),
    "x-c": some(fc.constant("3")),
  })
  .map((all) => written(all) as Readonly<Record<string, string>>);

export const requests: fc.Arbitrary<Asked> = fc.record({ body: clientBody, headers });

/** The same config in camelCase, except where keys are the user's own. */
export function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      opaque.has(key) ? inner : inCamelCase(inner),
    ]),
  );
}

const opaque = new Set([
  "cb_config",
  "override_params",
  "default_params",
  "drop_params",
  "conditions",
  "metadata",
  "input_guardrails",
  "output_guardrails",
]);
