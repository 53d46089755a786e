import fc from "fast-check";

/** What a config file says, as far as walks change it. */
export interface Said {
  /** Each file has another one: it begins the names of headers, and is what vendors are told. */
  readonly name: string;
  readonly base: number;
  readonly key: number;
  /** Which provider `plain` leads to. */
  readonly first: "one" | "two";
  /** Requests a day of who is limited; undefined: nobody looks. */
  readonly limit: number | undefined;
  readonly guards: boolean;
  readonly cacheBytes: number;
  /** Setting it up takes until it is told to go on. */
  readonly waits: boolean;
  readonly fails?: "setup" | "ready";
}

export type Change = Omit<Said, "name" | "fails">;

export const changes: fc.Arbitrary<Change> = fc.record({
  base: fc.constantFrom(0, 0, 1),
  key: fc.constantFrom(0, 0, 1),
  first: fc.constantFrom("one", "two"),
  limit: fc.constantFrom(undefined, 2, 5, 9),
  guards: fc.boolean(),
  cacheBytes: fc.constantFrom(1_000_000, 1_000_000, 2_000_000),
  waits: fc.constantFrom(false, false, true),
});

export const keyOf = ({ key }: Pick<Said, "key">): string => `key-number-${key}-0123456789`;

export const forbidden = "unspeakable";

/** The file, an option a line. */
export function textOf(said: Said, vendor: string): string {
  const { name, base, first, limit, guards, cacheBytes, waits, fails } = said;
  const configs = {
    plain: { provider: `@${first}`, override_params: { user: name } },
    cached: { provider: "@one", cache: { mode: "simple" } },
    breaks: {
      strategy: { mode: "fallback" },
      cb_config: { failure_threshold: 2, cooldown_interval: 30_000 },
      targets: [{ provider: "@one" }, { provider: "@two" }],
    },
    sticky: {
      strategy: { mode: "loadbalance", sticky: { enabled: true, hash_fields: ["params.user"] } },
      targets: [{ provider: "@one" }, { provider: "@two" }],
    },
    ...(guards && {
      guarded: {
        provider: `@${first}`,
        override_params: { user: name },
        input_guardrails: [
          { id: "no", "default.contains": { words: [forbidden], operator: "none" }, deny: true, async: false },
        ],
      },
    }),
  };
  const file = {
    server: { headers: { prefix: `x-${name}-`, aliases: ["x-gateway-"] } },
    plugins: {
      witness: { as: name, limit: limit ?? 0, waits, ...(fails && { fails }) },
      "counters-memory": {},
      ...(limit !== undefined && { "rate-limits": {} }),
      "cache-memory": { maxBytes: cacheBytes },
      cache: {},
      "strategy-fallback": {},
      "strategy-loadbalance": {},
      "circuit-breaker": {},
      ...(guards && { checks: {}, guardrails: {} }),
      routing: { configs },
      "format-openai-chat": {},
    },
    providers: {
      simulator: {},
      one: { use: "openai", apiKey: keyOf(said), baseUrl: `${vendor}/one/${base}` },
      two: { use: "openai", apiKey: keyOf(said), baseUrl: `${vendor}/two/${base}` },
    },
  };
  return JSON.stringify(file, undefined, 1);
}

/** A mistake that keeps a file from being used, and what is said of it. */
export interface Mistake {
  readonly what: string;
  /** What is written instead of what in the file; absent: it is right as a file. */
  readonly write?: readonly [from: string, to: string];
  /** Stands at the line that is told. */
  readonly at?: string;
  readonly says: RegExp;
  readonly fails?: Said["fails"];
}

export const mistakes: readonly Mistake[] = [
  { what: "no YAML", write: ['"cache": {}', '"cache": {]'], at: '"cache": {]', says: /test\.yaml/ },
  {
    what: "an unknown plugin",
    write: ['"cache": {}', '"cahce": {}'],
    at: '"cahce"',
    says: /plugins\.cahce: unknown plugin "cahce"; did you mean "cache"\?/,
  },
  {
    what: "an option of the wrong type",
    write: ['"maxBytes": ', '"maxBytes": "many", "maxEntryBytes": '],
    at: '"many"',
    says: /plugins\.cache-memory\.maxBytes: expected .*number/,
  },
  {
    what: "an unknown option",
    write: ['"baseUrl"', '"baseUlr"'],
    at: '"baseUlr"',
    says: /providers\.one: unknown option "baseUlr"; did you mean "baseUrl"\?/,
  },
  {
    what: "a variable that is not set",
    write: ['"key-number-', '"${NOT_SET}key-number-'],
    at: "NOT_SET",
    says: /providers\.one\.apiKey: .*NOT_SET.*not set/,
  },
  {
    what: "a provider that there is not",
    write: ['"provider": "@one"', '"provider": "@onne"'],
    at: '"@onne"',
    says: /"@onne".*did you mean "@one"\?/,
  },
  { what: "nothing", write: ["{", ""], says: /test\.yaml:1:1 .*empty/ },
  { what: "a plugin that fails in setup", fails: "setup", says: /\[plugin witness\] setup: no luck today/ },
  { what: "a plugin that fails when all are ready", fails: "ready", says: /\[plugin witness\] start: no luck today/ },
];

/** What is there of a file with a mistake in it, and the line of that. */
export function spoilt(text: string, { write, at }: Mistake): { readonly text: string; readonly line?: number } {
  if (!write) return { text };
  const [from, to] = write;
  const wrong = to === "" ? "" : text.replace(from, to);
  if (at === undefined) return { text: wrong };
  return { text: wrong, line: wrong.slice(0, wrong.indexOf(at)).split("\n").length };
}
