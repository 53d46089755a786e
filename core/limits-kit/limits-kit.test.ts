import { describe, expect, it, vi } from "vitest";
import type { Exchange } from "../model/exchange.ts";
import type { GatewayRequest } from "../model/request.ts";
import { wireRequest } from "../pipeline/request/wire-request.ts";
import { expectedTokens } from "./expected.ts";
import { LimitFacts, type TargetFacts } from "./facts.ts";
import { readyPolicy } from "./policies.ts";
import { limitExceeded } from "./refusal.ts";

type Terms = Parameters<typeof readyPolicy>[0];
type Written = { key: string; value?: string | string[]; excludes?: string | string[] };

const policy = (conditions: Written[], groupBy: string[]): Terms => ({
  conditions: conditions.map(({ key, value = "*", excludes = [] }) => ({
    key,
    values: [value].flat(),
    excludes: [excludes].flat(),
  })),
  groupBy,
});

interface Asked {
  readonly key?: string;
  readonly identity?: string;
  readonly metadata?: Record<string, string>;
  readonly config?: string;
  readonly prompt?: string;
  readonly endpoint?: string;
  readonly at?: TargetFacts;
  readonly raw?: boolean;
  readonly operation?: string;
}

const factsOf = ({
  key = "K1",
  identity,
  metadata = {},
  config,
  prompt,
  endpoint = "chatComplete",
  at,
  raw,
  operation = "chat",
}: Asked) =>
  new LimitFacts(
    {
      principal: { id: key, organisation: "O", workspace: "W", ...(identity && { identity }) },
      metadata,
      endpoint: { type: endpoint, ...(!raw && { operation }) },
      ...(config && { config: { slug: config } }),
      ...(prompt && { request: { origin: { prompt: { slug: prompt } } } }),
    } as unknown as Exchange,
    at,
  );

const openai = (model?: string): TargetFacts => ({ provider: "openai", slug: "main-oai", model });
const claude = (model: string): TargetFacts => ({ provider: "anthropic", slug: "claude-eu", model });
const azure = (model: string): TargetFacts => ({ provider: "azure-openai", slug: "az-1", model });

const U1 = policy([{ key: "metadata._user" }], ["metadata._user"]);
const U2 = policy([{ key: "prompt", value: "pp-refund-let-91ac03" }], ["prompt"]);
const U3 = policy([{ key: "metadata.plan", value: "free" }], ["metadata._user"]);
const U5 = policy([{ key: "provider", value: "openai" }], ["metadata._user", "model"]);
const R1 = policy([{ key: "api_key", excludes: ["K9"] }], ["api_key"]);
const R2 = policy([{ key: "model", value: "@anthropic/*" }], ["provider"]);
const R3 = policy([{ key: "model", value: "@openai/*", excludes: "@openai/gpt-4.1-nano" }], ["model"]);
const R4 = policy([{ key: "endpoint_type", value: ["embed", "rerank"] }], ["workspace_id"]);
const R5 = policy(
  [
    { key: "api_key", value: ["K1", "K2"] },
    { key: "model", value: ["@openai/gpt-4o", "@anthropic/claude-a"] },
  ],
  ["api_key"],
);
const ofConfig = policy([{ key: "config", value: "pc-night-0c7d52" }], ["config"]);
const ofModel = (value: string) => policy([{ key: "model", value }], ["model"]);

describe("policies and requests (policies.md section 12.2)", () => {
  it.each<[string, Terms, Asked, string | undefined]>([
    ["1: a user", U1, { metadata: { _user: "ana" } }, "metadata._user:ana"],
    ["2: no user anywhere", U1, {}, undefined],
    ["3: the user of a key", U1, { metadata: { _user: "ana@example.org" } }, "metadata._user:ana@example.org"],
    ["4: any key", R1, { key: "K1" }, "api_key:K1"],
    ["5: but that one", R1, { key: "K9" }, undefined],
    ["6: a token", R1, { key: "jwt:3f9c", identity: "u-5" }, "api_key:jwt:u-5"],
    ["a token of nobody", R1, { key: "jwt:3f9c" }, "api_key:jwt:3f9c"],
    ["7: all models of a provider", R2, { at: claude("claude-a") }, "provider:anthropic"],
    ["8: of another one", R2, { at: openai("gpt-4o") }, undefined],
    ["9: all but one model", R3, { at: openai("gpt-4o-mini") }, "model:@openai/gpt-4o-mini"],
    ["10: that one", R3, { at: openai("gpt-4.1-nano") }, undefined],
    ["11: the same model elsewhere", R3, { at: azure("gpt-4.1") }, undefined],
    ["12: key and model", R5, { at: openai("gpt-4o") }, "api_key:K1"],
    ["13: another key", R5, { key: "K9", at: openai("gpt-4o") }, undefined],
    [
      "14: two groups",
      U5,
      { metadata: { _user: "ana" }, at: openai("gpt-4o") },
      "metadata._user:ana|model:@openai/gpt-4o",
    ],
    ["15: one of them missing", U5, { at: openai("gpt-4o") }, "metadata._user:__unset__|model:@openai/gpt-4o"],
    ["16: the only one missing", U3, { metadata: { plan: "free" } }, "metadata._user:__unset__"],
    ["17: an endpoint", R4, { endpoint: "embed" }, "workspace_id:W"],
    ["18: another one", R4, {}, undefined],
    ["19: a config that was not saved", ofConfig, {}, undefined],
    ["a config that was", ofConfig, { config: "pc-night-0c7d52" }, "config:pc-night-0c7d52"],
    ["22: a model by the slug of a provider", ofModel("@main-oai/*"), { at: openai("gpt-4o") }, "model:@openai/gpt-4o"],
    ["a prompt", U2, { prompt: "pp-refund-let-91ac03" }, "prompt:pp-refund-let-91ac03"],
    ["a model wherever it is", ofModel("gpt-4o"), { at: azure("gpt-4o") }, "model:@azure-openai/gpt-4o"],
    ["the beginning of a model", ofModel("@openai/gpt-4*"), { at: openai("gpt-4o") }, "model:@openai/gpt-4o"],
    ["no beginning without a provider", ofModel("gpt-4*"), { at: openai("gpt-4o") }, undefined],
    ["a model with a slash", ofModel("@openai/a/b"), { at: openai("a/b") }, "model:@openai/a/b"],
    ["a raw call", ofModel("@openai/gpt-4o"), { raw: true, at: openai() }, "model:__unset__"],
    ["a prompt of the vendor's", ofModel("@openai/gpt-4o"), { at: openai() }, "model:__unset__"],
    ["the same, written anew", ofModel("@openai/gpt-4o"), { at: openai("") }, "model:__unset__"],
    ["no raw call, and no chat", ofModel("@openai/gpt-4o"), { operation: "image", at: openai() }, undefined],
    [
      "a provider in any case",
      policy([{ key: "provider", value: "OpenAI" }], ["provider"]),
      { at: openai("m") },
      "provider:openai",
    ],
    ["a key in its own case", policy([{ key: "api_key", value: "k1" }], ["api_key"]), {}, undefined],
    ["nothing where all is excluded", policy([{ key: "api_key", excludes: "*" }], ["api_key"]), {}, undefined],
    ["an empty text is none", U1, { metadata: { _user: "" } }, undefined],
    ["bars and percents", U1, { metadata: { _user: "a|b%c" } }, "metadata._user:a%7Cb%25c"],
    ["a value that says it is none", U1, { metadata: { _user: "__unset__" } }, "metadata._user:%5F_unset__"],
    ["a value that says that one is", U1, { metadata: { _user: "%5F_unset__" } }, "metadata._user:%255F_unset__"],
    ["a long label is cut", U1, { metadata: { _user: "x".repeat(500) } }, `metadata._user:${"x".repeat(128)}`],
  ])("%s", (_, terms, asked, expected) => {
    const ready = readyPolicy(terms);
    const facts = factsOf(asked);
    expect(ready.isInForce(facts) ? ready.valueKey(facts) : undefined).toBe(expected);
  });

  it("digests what is too long for a key", () => {
    const key = readyPolicy(ofConfig).valueKey(factsOf({ config: "x".repeat(300) }));
    expect(key).toMatch(/^config:sha256:[0-9a-f]{64}$/);
  });

  it.each<[Terms, string]>([
    [U1, "admission"],
    [R4, "admission"],
    [ofConfig, "admission"],
    [R2, "target"],
    [U5, "target"],
    [policy([{ key: "metadata.team" }], ["virtual_key"]), "target"],
  ])("is looked at where all it speaks of is known", (terms, phase) => {
    expect(readyPolicy(terms).phase).toBe(phase);
  });
});

describe("refusals (policies.md section 10.2)", () => {
  const now = Date.parse("2026-09-02T10:00:40Z");

  it("of a rate says when to come back", () => {
    const error = limitExceeded(
      {
        kind: "rate",
        level: "policy",
        subject: "Two a minute",
        wording: "2 requests per minute",
        type: "requests",
        unit: "rpm",
        limit: 2,
        current: 2,
        resetsAt: Date.parse("2026-09-02T10:01:00Z"),
        policy: { id: "p", valueKey: "api_key:K1" },
      },
      now,
    );
    expect(error.message).toBe("Gateway Error: rate limit exceeded for policy Two a minute (2 requests per minute).");
    expect(error).toMatchObject({
      status: 429,
      details: {
        retryAfterSeconds: 20,
        limit: { reason: "policy_rate_limit_exceeded", value_key: "api_key:K1", resets_at: "2026-09-02T10:01:00.000Z" },
      },
    });
  });

  it("of a budget says when it begins anew", () => {
    const error = limitExceeded(
      {
        kind: "usage",
        level: "provider",
        subject: "azure-claims-staging",
        wording: "20 USD, weekly",
        type: "cost",
        limit: 20,
        current: 20.41,
        resetsAt: Date.parse("2026-09-06T00:00:00Z"),
      },
      now,
    );
    expect(error.message).toBe(
      "Gateway Error: usage limit reached for provider azure-claims-staging (20 USD, weekly). Resets at 2026-09-06T00:00:00.000Z.",
    );
    expect(error).toMatchObject({ status: 412, details: { limit: { reason: "provider_usage_limit_exceeded" } } });
  });
});

describe("expected tokens", () => {
  it.each<[string, string, number]>([
    ["a bound no answer reaches", '{"max_tokens":1e28}', Number.MAX_SAFE_INTEGER],
    ["a bound beyond all numbers", '{"max_tokens":1e999,"n":2}', Number.MAX_SAFE_INTEGER],
    ["more answers than anybody counts", '{"max_tokens":10,"n":1e300}', Number.MAX_SAFE_INTEGER],
    ["endless empty answers", '{"max_tokens":0,"n":1e999}', 0],
  ])("of %s can be counted with", (_, body, output) => {
    const request = { json: JSON.parse(body) as unknown } as GatewayRequest;
    expect(expectedTokens(request)).toEqual({ input: 0, output });
  });

  it.each<[string, object, number]>([
    ["beside the rest", { max_tokens: 40, n: 2 }, 80],
    ["in settings of answers", { generationConfig: { maxOutputTokens: 40, candidateCount: 2 } }, 80],
    ["in snake case", { generation_config: { max_output_tokens: 40, candidate_count: 2 } }, 80],
    ["in settings of the inference", { inferenceConfig: { maxTokens: 40 } }, 40],
    ["of which the best is given", { max_tokens: 40, n: 2, best_of: 5 }, 200],
    ["for each of several texts", { max_tokens: 40, prompt: ["a", "b", "c"] }, 120],
    ["for each of several lists of tokens", { max_tokens: 40, n: 2, prompt: [[1, 2], [3]] }, 160],
    ["for one list of tokens", { max_tokens: 40, prompt: [1, 2, 3] }, 40],
    ["for no text", { max_tokens: 40, prompt: [] }, 40],
    ["nowhere", { generationConfig: null, inferenceConfig: { maxTokens: "40" } }, 500],
  ])("are bounded by what the body says %s", (_, json, output) => {
    expect(expectedTokens({ json } as GatewayRequest)).toEqual({ input: 0, output });
  });

  it.each<[string, number, boolean]>([
    ['{"model":"m","messages":[{"role":"user","content":"max_tokens"}]}', 500, false],
    ['{"model":"m","max_tokens":40}', 40, true],
    ['{"model":"m","max\\u005ftokens":40}', 40, true],
    ['{"model":"m","generationConfig":{"maxOutputTokens":40}}', 40, true],
  ])("of %s are %i, the body being parsed for it: %j", (body, output, parsed) => {
    const request = wireRequest(Buffer.from(body), undefined);
    const parse = vi.spyOn(JSON, "parse");
    expect(expectedTokens(request as unknown as GatewayRequest).output).toBe(output);
    expect(parse.mock.calls.some(([text]) => text === body)).toBe(parsed);
    parse.mockRestore();
  });
});
