import { describe, expect, it } from "vitest";
import type { Attempt, BoundProvider, Cost, Exchange, Usage } from "../../../core/index.ts";
import { totalCost } from "../../../core/index.ts";
import { centsOf, credentialDigests, unitsOf } from "./amounts.ts";
import { withoutVectors } from "./bodies.ts";
import { captureRule, undecided } from "./capture.ts";
import { groupsOf, retriesOf } from "./groups.ts";
import { headerRedaction, namesIn } from "./headers.ts";
import { rowMetadata } from "./metadata.ts";
import { tracePlace } from "./trace.ts";

/** `0`, `0r` a retry of it, `1` another target; `*` is the one that answered, `!` one that failed, `g` one judged, `?` one given up. */
function exchangeOf(written: string): Pick<Exchange, "attempts" | "attempt"> {
  let answering: Attempt | undefined;
  const attempts = written.split(" ").map((one): Attempt => {
    const status = one.includes("!") ? 503 : one.includes("g") ? 246 : 200;
    const outcome = { status, ok: !one.includes("!"), exception: false, headers: {} };
    const attempt: Attempt = {
      target: {
        path: `config.targets[${one[0]}]`,
        provider: { name: "p" } as BoundProvider,
        ...(one.includes("r") && { retry: true }),
      },
      startedAt: 0,
      ...(one.includes("b") && { lane: "rival" as const }),
      ...(!one.includes("?") && { outcome }),
    };
    if (one.includes("*")) answering = attempt;
    return attempt;
  });
  return { attempts, ...(answering && { attempt: answering }) };
}

describe("attempts", () => {
  it.each<[string, string, string[]]>([
    ["one", "0*", ["0 of 1, 0 retries"]],
    ["a target that failed, and another", "0! 1*", ["0 of 1, 0 retries", "1 of 1, 0 retries"]],
    ["a retry that helped", "0! 0r! 0r*", ["0 of 3, 2 retries"]],
    ["retries that did not help, and another target", "0! 0r! 1! 1r*", ["0 of 2, -1 retries", "1 of 2, 1 retries"]],
    ["one that was given up beside the one that answered", "0? 1b*", ["0 of 1, 0 retries", "1 of 1, 0 retries"]],
    ["the one that answered began first", "0* 1b?", ["1 of 1, 0 retries", "0 of 1, 0 retries"]],
    ["retries of two lanes side by side", "0! 1b! 0r* 1rb?", ["1 of 2, -1 retries", "0 of 2, 1 retries"]],
    [
      "answers that guardrails did not pass are one each",
      "0! 0rg 0rg 0r! 0r*",
      ["0 of 2, 1 retries", "0 of 1, 0 retries", "0 of 2, 1 retries"],
    ],
    ["the same target once more, which is no retry", "0! 0*", ["0 of 1, 0 retries", "0 of 1, 0 retries"]],
  ])("are grouped by target: %s", (_, written, wanted) => {
    const groups = groupsOf(exchangeOf(written)).map((group) => {
      const [, target] = /\[(\d)\]/.exec(group.last.target.path) ?? [];
      return `${target} of ${group.attempts.length}, ${retriesOf(group)} retries`;
    });
    expect(groups).toEqual(wanted);
  });

  it("are none where the request was refused", () => expect(groupsOf({ attempts: [] })).toEqual([]));
});

it.each<[Usage | undefined, number | null, number | null, number | null]>([
  [undefined, null, null, null],
  [{}, null, null, null],
  [{ inputTokens: 0 }, 0, null, 0],
  [{ inputTokens: 5, cacheReadTokens: 7, cacheWriteTokens: 1, inputAudioTokens: 2 }, 15, null, 15],
  [{ inputTokens: 5, outputTokens: 3, reasoningTokens: 4, outputAudioTokens: 1 }, 5, 8, 13],
  [{ images: 2 }, null, null, null],
])("counts the tokens of %j", (usage, req_units, res_units, total_units) =>
  expect(unitsOf([{ usage }])).toEqual({ req_units, res_units, total_units }),
);

it("sums the tokens and the cost of all calls of a target, exactly, and knows nothing where one is not known", () => {
  const usd = (amount?: string): Cost => ({ currency: "USD", source: "test", ...(amount !== undefined && { amount }) });
  const calls = [
    { usage: { inputTokens: 5 }, cost: usd("0.1") },
    { cost: usd("0") },
    { usage: { inputTokens: 2, outputTokens: 1 }, cost: usd("0.2") },
  ];
  expect(unitsOf(calls)).toEqual({ req_units: 7, res_units: 1, total_units: 8 });
  expect(centsOf(totalCost(calls))).toBe(30);
  expect(centsOf(totalCost([...calls, { cost: usd() }]))).toBeNull();
  expect(centsOf(totalCost([...calls, {}]))).toBeNull();
});

it.each<[string | undefined, number | null]>([
  [undefined, null],
  ["0", 0],
  ["1", 100],
  ["0.01", 1],
  ["0.0123456789", 1.23456789],
  ["12.5", 1250],
  ["-0.5", -50],
  ["0.07", 7],
  ["nonsense", null],
])("knows $%s in cents", (amount, cents) => {
  const cost: Cost = { currency: "USD", source: "test", ...(amount !== undefined && { amount }) };
  expect(centsOf(cost)).toBe(cents);
});

it("tells providers' credentials apart without keeping one", () => {
  const digestOf = credentialDigests();
  const provider = (...secrets: string[]) => ({ secrets }) as unknown as BoundProvider;
  expect(digestOf(provider())).toBeNull();
  expect(digestOf(provider("abc"))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const renewed = { secrets: ["one"] } as unknown as BoundProvider & { secrets: string[] };
  const before = digestOf(renewed);
  renewed.secrets[0] = "two";
  expect(digestOf(renewed)).not.toBe(before);
});

const headersOf = (own: Record<string, string>, other: Record<string, string> = {}) =>
  ({
    gatewayHeaders: { get: (name: string) => own[name], nameOf: (name: string) => `x-gateway-${name}` },
    headers: {
      ...other,
      ...Object.fromEntries(Object.entries(own).map(([name, value]) => [`x-gateway-${name}`, value])),
    },
    principal: { id: "p", organisation: "o", workspace: "w1" },
    traceId: "t",
    method: "POST",
    url: "/v1/chat/completions?x=1",
  }) as unknown as Exchange;

describe("what is kept of a request", () => {
  const metrics = { capture: "metrics_only" };
  const organisation = { logging: "metrics_only" };
  it.each<[string, object, object, string | undefined, string]>([
    ["everything unless somebody says otherwise", {}, {}, undefined, "full"],
    ["as little as the client wants", {}, {}, "false", "metrics_only"],
    ["in any spelling", {}, {}, "FALSE", "metrics_only"],
    ["no less for another word", {}, {}, "0", "full"],
    ["as little as the operator says", metrics, {}, undefined, "metrics_only"],
    ["as little as the organisation says", {}, organisation, undefined, "metrics_only"],
    ["no more for a client's asking", metrics, {}, "true", "metrics_only"],
    ["no more for a client's asking its organisation", {}, organisation, "true", "metrics_only"],
    ["what the operator enforces, whatever the client says", { enforceCapture: true }, {}, "false", "full"],
    ["what the organisation enforces, whatever the client says", {}, { loggingEnforced: true }, "false", "full"],
    ["the stricter one of two", metrics, { loggingEnforced: true }, "true", "metrics_only"],
  ])("is %s", (_, settings, decided, debug, mode) => {
    const rule = captureRule({ capture: "full", enforceCapture: false, ...settings });
    expect(rule(headersOf(debug === undefined ? {} : { debug }), { ...undecided, ...decided })).toBe(mode);
  });
});

describe("headers", () => {
  const { headers, gatewayHeaders } = headerRedaction(["x-customer"]);
  const hidden = {
    digested: namesIn('["X-Tenant", "x-other"]'),
    masked: new Set(["x-forwarded-key"]),
    secrets: ["vendor-secret"],
  };
  it.each([
    ["authorization", "Bearer sk-abcdefghijk", "Be********ijk"],
    ["x-api-key", "short", "********"],
    ["set-cookie", "session=abcdefgh; Path=/", "se********h=/"],
    ["x-gateway-my-secret-thing", "abcdefghijklmnop", "ab********nop"],
    ["x-customer", "abc", "sha256:ba7816bf8f01cfea"],
    ["x-tenant", "abc", "sha256:ba7816bf8f01cfea"],
    ["x-forwarded-key", "abcdefghijklmnop", "ab********nop"],
    ["x-anything", "prefix vendor-secret suffix", "pr********fix"],
    ["x-ratelimit-remaining-tokens", "1000", "1000"],
    ["content-type", "application/json", "application/json"],
  ])("%s is kept as it may be", (name, value, shown) => {
    expect(headers({ [name]: value }, hidden)[name]).toBe(shown);
  });

  it("of several values and numbers are texts", () =>
    expect(headers({ a: ["1", "2"], b: 3, c: undefined }, hidden)).toEqual({ a: "1, 2", b: "3" }));

  it("of the gateway's own are shown without the credentials in a config", () => {
    const config = JSON.stringify({
      api_key: "sk-abcdefghijk",
      targets: [{ aws_secret_access_key: "abcdefghijklmnop" }],
    });
    expect(
      gatewayHeaders(headersOf({ config, "api-key": "abcdefghijklmnop", "trace-id": "t" }, { other: "x" }), hidden),
    ).toEqual({
      "x-gateway-config": '{"api_key":"sk********ijk","targets":[{"aws_secret_access_key":"ab********nop"}]}',
      "x-gateway-api-key": "ab********nop",
      "x-gateway-trace-id": "t",
    });
    const webhookURL = "https://hooks.slack.com/services/T012/B034/abcdefghijk";
    const addressed = {
      input_guardrails: [{ "default.webhook": { webhookURL } }],
      custom_host: "https://h.example?sig=abc",
    };
    expect(gatewayHeaders(headersOf({ config: JSON.stringify(addressed) }), hidden)).toEqual({
      "x-gateway-config": JSON.stringify({
        input_guardrails: [{ "default.webhook": { webhookURL: "https://hooks.slack.com/services/T0********ijk" } }],
        custom_host: "https://h.example?sig=********",
      }),
    });
    expect(gatewayHeaders(headersOf({ config: "pc-slug" }), hidden)).toEqual({ "x-gateway-config": "pc-slug" });
    expect(gatewayHeaders(headersOf({ config: '{"api_key":"broken' }), hidden)).toEqual({
      "x-gateway-config": "********",
    });
  });
});

it.each([
  ["a b, C-d", ["a b", "c-d"]],
  ['["A", "b"]', ["a", "b"]],
  ["['x']", ["x"]],
])("reads the header names %s", (written, names) => expect([...(namesIn(written) ?? [])]).toEqual(names));

it("cuts metadata, and gives some keys columns of their own", () => {
  const long = "x".repeat(200);
  expect(
    rowMetadata([
      ["plan", long],
      ["_user", long],
      ["_other", "o"],
      ["_prompt", "p"],
    ]),
  ).toEqual({
    "metadata.key": ["plan", "_other"],
    "metadata.value": ["x".repeat(128), "o"],
    special: { _user: "x".repeat(128), _prompt: "p" },
  });
});

describe("the place in a trace", () => {
  const trace = "0af7651916cd43dd8448eb211c80319c";
  const traceparent = `00-${trace}-b7ad6b7169203331-01`;
  const hex = expect.stringMatching(/^[0-9a-f]{16}$/);
  it.each<[string, Record<string, string>, object, object]>([
    ["is made where nobody says it", {}, {}, { traceId: "t", spanId: hex, parentSpanId: null, spanName: null }],
    [
      "is what the gateway's own headers say",
      { "span-id": "s", "parent-span-id": "p", "span-name": "n" },
      { traceparent },
      { traceId: "t", spanId: "s", parentSpanId: "p", spanName: "n" },
    ],
    [
      "goes on from a W3C parent",
      {},
      { traceparent, traceId: trace },
      { traceId: trace, spanId: hex, parentSpanId: "b7ad6b7169203331", spanName: "POST /v1/chat/completions" },
    ],
    ["has no parent of another trace", {}, { traceparent }, { traceId: "t", parentSpanId: null, spanName: null }],
    ["has no parent that is none", {}, { traceparent: "00-x-y-01" }, { traceId: "t", parentSpanId: null }],
  ])("%s", (_, own, { traceId = "t", ...other }: { traceId?: string }, wanted) => {
    const exchange = { ...headersOf(own, other as Record<string, string>), traceId };
    expect(tracePlace(exchange)).toMatchObject(wanted);
  });
});

it.each([
  [
    "lists of numbers",
    { data: [{ index: 0, embedding: [0.1, -2] }], usage: { total: 3 } },
    { data: [{ index: 0, embedding: [] }], usage: { total: 3 } },
  ],
  [
    "base64",
    { data: [{ object: "embedding", embedding: "AAAA" }] },
    { data: [{ object: "embedding", embedding: [] }] },
  ],
  [
    "several kinds",
    { embeddings: { float: [[1, 2]], base64: ["AA"] }, texts: ["t"] },
    { embeddings: { float: [[]], base64: [[]] }, texts: ["t"] },
  ],
  ["values", { embedding: { values: [1] }, model: "m" }, { embedding: { values: [] }, model: "m" }],
])("leaves %s out of answers with vectors", (_, answer, kept) =>
  expect(JSON.parse(withoutVectors(Buffer.from(JSON.stringify(answer))).toString())).toEqual(kept),
);

it("leaves an answer that cannot be read as it is", () => {
  const bytes = Buffer.from("{ no json");
  expect(withoutVectors(bytes)).toBe(bytes);
});
