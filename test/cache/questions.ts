import fc from "fast-check";
import type { Behaviour, Maker } from "./vendor.ts";
import { asked, type FormatName, formats, type Wire, type Words } from "./wire.ts";

/** What a config says of the cache. */
export type CacheField = "simple" | "semantic" | { readonly mode: "simple" | "semantic"; readonly max_age: number };

/** Guardrails by what they do with the words they look for: before, and after. */
export type Guard = "denies" | "masks" | "doubts" | "redacts" | "denies-answer" | "doubts-answer";

export interface Leaf {
  readonly maker: Maker;
  readonly behaviour: Behaviour;
  readonly cache: CacheField | undefined;
  readonly guards: readonly Guard[];
  readonly model: string | undefined;
  readonly stream: boolean | undefined;
  /** Whether a header of the client goes on. */
  readonly forwards: boolean;
  readonly retries: boolean;
}

export interface Tree {
  readonly mode: "single" | "fallback" | "hedge" | "shadow";
  readonly cache: CacheField | undefined;
  readonly leaves: readonly Leaf[];
}

export interface Question {
  readonly who: number;
  readonly client: FormatName;
  readonly stream: boolean;
  /** Whether a chat client is to be told the usage of its stream. */
  readonly tells: boolean;
  readonly words: Words;
  readonly reversed: boolean;
  readonly namespace: string | undefined;
  readonly plan: string | undefined;
  readonly region: string | undefined;
  readonly lenient: boolean;
  readonly refresh: boolean;
}

/** Callers: the first two share a workspace. */
export const workspaces = ["one", "one", "two"] as const;

/** One of these, or mostly nothing. */
const maybe = <Value>(...values: readonly Value[]): fc.Arbitrary<Value | undefined> =>
  fc.constantFrom<(Value | undefined)[]>(undefined, undefined, undefined, ...values);

const words: fc.Arbitrary<Words> = fc.record({
  model: fc.constantFrom("m", "m", "n"),
  system: maybe("Be kind.", "Be brief."),
  user: fc.constantFrom("0 what", "0 what", "10 what", "40 secret", "40 [x]", "70 forbidden", "100 odd", "130 bad"),
  tools: fc.constantFrom([], [], [], ["look"], ["look", "listen"]),
  temperature: maybe(0.5),
});

export const question: fc.Arbitrary<Question> = fc.record({
  who: fc.nat(workspaces.length - 1),
  client: fc.constantFrom("chat" as const, ...formats),
  stream: fc.boolean(),
  tells: fc.boolean(),
  words,
  reversed: fc.boolean(),
  namespace: maybe("a"),
  plan: maybe("gold"),
  region: maybe("eu", "us", "eu"),
  lenient: fc.constantFrom(false, false, false, true),
  refresh: fc.constantFrom(false, false, false, false, true),
});

const cacheField: fc.Arbitrary<CacheField | undefined> = fc.constantFrom<CacheField | undefined>(
  undefined,
  "simple",
  "simple",
  "semantic",
  { mode: "simple", max_age: 10 },
  { mode: "semantic", max_age: 600 },
);

const guards = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Guard[]>([]) },
  fc.subarray<Guard>(["denies", "masks", "doubts", "redacts", "denies-answer", "doubts-answer"], { maxLength: 2 }),
);

/** What breaks in the middle is not guarded: how much of it comes to light depends on what a guard holds back. */
const isBefore = (guard: Guard): boolean => guard === "denies" || guard === "masks" || guard === "doubts";
const sound: readonly Behaviour[] = ["ok", "long", "flaky"];

const leaf: fc.Arbitrary<Leaf> = fc
  .record<Leaf>({
    maker: fc.constantFrom("oai", "oai", "claude", "google"),
    behaviour: fc.constantFrom(
      "ok",
      "ok",
      "ok",
      "ok",
      "ok",
      "long",
      "fail",
      "flaky",
      "cut",
      "garbled",
      "babble",
      "failed",
    ),
    cache: cacheField,
    guards,
    model: maybe("o"),
    stream: maybe(true, false),
    forwards: fc.boolean(),
    retries: fc.boolean(),
  })
  .map((one) => ({
    ...one,
    guards: sound.includes(one.behaviour) ? one.guards : one.guards.filter(isBefore),
    // A connection that breaks is waited for.
    retries: one.retries && one.behaviour !== "cut",
  }));

const several = fc.array(leaf, { minLength: 2, maxLength: 3 });

export const tree: fc.Arbitrary<Tree> = fc.oneof(
  { weight: 3, arbitrary: leaf.map((one): Tree => ({ mode: "single", cache: undefined, leaves: [one] })) },
  { weight: 2, arbitrary: fc.record<Tree>({ mode: fc.constant("fallback"), cache: cacheField, leaves: several }) },
  fc.record<Tree>({
    mode: fc.constant("hedge"),
    cache: cacheField,
    // Whoever asks again calls the next one.
    leaves: several.map((leaves) => leaves.map((one) => ({ ...one, retries: false }))),
  }),
  fc.record<Tree>({
    mode: fc.constant("shadow"),
    cache: cacheField,
    leaves: fc
      .tuple(leaf, leaf)
      .map(([one, other]) => [one, { ...other, behaviour: "ok", guards: [], retries: false }]),
  }),
);

const contains = (word: string, deny: boolean) => ({
  id: `no ${word}`,
  deny,
  contains: { words: [word], operator: "none" },
});
const replaces = (rule: string, redactText: string) => ({ regexReplace: { rule, redactText } });

/** Where a guardrail stands in a config, and how. */
const written: Readonly<Record<Guard, readonly [list: string, entry: object]>> = {
  denies: ["input_guardrails", contains("forbidden", true)],
  masks: ["input_mutators", replaces("secret", "[x]")],
  doubts: ["input_guardrails", contains("odd", false)],
  redacts: ["output_mutators", replaces("saw=", "SAW=")],
  "denies-answer": ["output_guardrails", contains("bad", true)],
  "doubts-answer": ["output_guardrails", contains("odd", false)],
};

export const slugOf = ({ maker, behaviour }: Leaf): string => `${maker}-${behaviour}`;

function leafConfig(one: Leaf): object {
  const lists: Record<string, object[]> = {};
  for (const guard of one.guards) {
    const [list, entry] = written[guard];
    lists[list] = [...(lists[list] ?? []), entry];
  }
  const overrides = { ...(one.model && { model: one.model }), ...(one.stream !== undefined && { stream: one.stream }) };
  return {
    provider: `@${slugOf(one)}`,
    ...(one.cache && { cache: one.cache }),
    ...lists,
    ...(Object.keys(overrides).length > 0 && { override_params: overrides }),
    ...(one.forwards && { forward_headers: ["x-region"] }),
    ...(one.retries && { retry: { attempts: 2, on_status_codes: [429], use_retry_after_header: true } }),
  };
}

export function configOf({ mode, cache, leaves }: Tree): object {
  const targets = leaves.map(leafConfig);
  if (mode === "single") return targets[0] ?? {};
  return { strategy: { mode, ...(mode === "hedge" && { delay: 3_600_000 }) }, targets, ...(cache && { cache }) };
}

const reversed = (value: Wire): Wire =>
  Array.isArray(value)
    ? value.map(reversed)
    : value !== null && typeof value === "object"
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, one]) => [key, reversed(one)]),
        )
      : value;

const paths: Readonly<Record<FormatName, (one: Question) => string>> = {
  chat: () => "/v1/chat/completions",
  messages: () => "/v1/messages",
  responses: () => "/v1/responses",
  gemini: ({ words: { model }, stream }) =>
    `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
};

/** A question as it is sent; `config` is a slug or a config. */
export function sent(one: Question, run: string, config: string): { path: string; init: RequestInit } {
  const { client, words, stream, tells, who, namespace, plan, region, lenient, refresh } = one;
  const body = {
    ...asked(client, words),
    ...(client !== "gemini" && stream && { stream }),
    ...(client === "chat" && stream && tells && { stream_options: { include_usage: true } }),
  };
  const headers = {
    "content-type": "application/json",
    "x-test-principal": JSON.stringify({ id: `key-${who}`, organisation: run, workspace: workspaces[who] }),
    "x-gateway-config": config,
    ...(namespace && { "x-gateway-cache-namespace": namespace }),
    ...(plan && { "x-gateway-metadata": JSON.stringify({ plan }) }),
    ...(region && { "x-region": region }),
    ...(lenient && { "x-gateway-strict-open-ai-compliance": "false" }),
    ...(refresh && { "x-gateway-cache-force-refresh": "true" }),
  };
  return {
    path: paths[client](one),
    init: { method: "POST", headers, body: JSON.stringify(one.reversed ? reversed(body) : body) },
  };
}
