import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Answering, json } from "../../test/support/upstream.ts";
import { answer, messages, setUp } from "./testing.ts";

/** Of each test another one: what is known of a profile stays known, and ports come again. */
let tests = 0;
let arn = "";
let inPath = "";
beforeEach(() => {
  arn = `arn:aws:bedrock:eu-west-1:111122223333:application-inference-profile/ab12cd${++tests}`;
  inPath = encodeURIComponent(arn);
});

const sonnet = "anthropic.claude-sonnet-4-5-20250929-v1:0";
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: sonnet,
  content: [{ type: "text", text: "Hi." }],
  stop_reason: "end_turn",
  /** What older models answer instead. */
  completion: "Hi.",
  usage: { input_tokens: 3, output_tokens: 2 },
};

/** A Bedrock that knows one profile. */
const vendor =
  (profile: Answering): Answering =>
  (request, response, incoming) => {
    if (request.method === "GET") return profile(request, response, incoming);
    json(response, 200, request.url.endsWith("/invoke") ? message : answer);
  };
const profileOf = (model: string) =>
  vendor((_, response) =>
    json(response, 200, {
      inferenceProfileArn: arn,
      models: [{ modelArn: `arn:aws:bedrock:eu-west-1::foundation-model/${model}` }],
    }),
  );
const refusing = vendor((_, response) => json(response, 403, { message: "not authorized" }));

afterEach(() => {
  vi.useRealTimers();
});

describe("a profile whose name does not say its model", () => {
  it("is looked up once, signed, and served in the format of its model under its own name", async () => {
    const { ask, upstream } = await setUp(profileOf(sonnet));
    const body = { model: arn, max_tokens: 9, messages };
    for (let time = 0; time < 2; time++) expect((await ask("/v1/messages", body)).status).toBe(200);
    const calls = upstream.received.map(({ method, url }) => `${method} ${url}`);
    const invoked = `POST /model/${inPath}/invoke`;
    expect(calls).toEqual([`GET /inference-profiles/${inPath}`, invoked, invoked]);
    expect(upstream.received[0]?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDFILE\//);
  });

  it("is asked in one call by many who come at once", async () => {
    const { chat, upstream } = await setUp(profileOf(sonnet));
    await Promise.all(Array.from({ length: 5 }, () => chat({ model: arn })));
    expect(upstream.received.filter(({ method }) => method === "GET")).toHaveLength(1);
  });

  it("is written to as its model is, in chats and in completions", async () => {
    const { chat, ask, sent } = await setUp(profileOf(sonnet));
    await chat({ model: arn, reasoning_effort: "low", max_tokens: 20_000 });
    expect(JSON.parse(`${sent()?.body}`).additionalModelRequestFields).toMatchObject({ thinking: { type: "enabled" } });
    expect(sent()?.url).toBe(`/model/${inPath}/converse`);
    const completed = await ask("/v1/completions", { model: arn, prompt: "Hello" });
    expect(await completed.json()).toMatchObject({ model: arn, choices: [{ text: "Hi." }] });
    expect(sent()?.url).toBe(`/model/${inPath}/invoke`);
    expect(JSON.parse(`${sent()?.body}`)).toMatchObject({ prompt: expect.stringContaining("Human: Hello") });
  });

  it("is counted for as its model, and not where nobody knows that", async () => {
    const counting: Answering = (request, response, incoming) =>
      request.url.endsWith("/count-tokens")
        ? json(response, 200, { inputTokens: 4 })
        : profileOf(sonnet)(request, response, incoming);
    const { ask, sent } = await setUp(counting);
    const counted = await ask("/v1/messages/count_tokens", { model: arn, messages });
    expect([counted.status, await counted.json()]).toEqual([200, { input_tokens: 4 }]);
    expect(sent()?.url).toBe(`/model/${encodeURIComponent(sonnet)}/count-tokens`);

    const unknown = await setUp(refusing);
    const refused = await unknown.ask("/v1/messages/count_tokens", { model: arn, messages });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("bedrock:GetInferenceProfile"),
    ]);
    expect(unknown.upstream.received.map(({ method }) => method)).toEqual(["GET"]);
  });

  it("is asked by Converse where it may not be looked up, and not asked for again soon", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { ask, upstream } = await setUp(refusing);
    // Of a profile of its own: another upstream may have had this one's port, and what it said is still known.
    const model = `${arn}ef56`;
    const body = { model, max_tokens: 9, messages };
    const lookUps = () => upstream.received.filter(({ method }) => method === "GET").length;
    for (let time = 0; time < 2; time++) expect((await ask("/v1/messages", body)).status).toBe(200);
    expect(upstream.received.at(-1)?.url).toBe(`/model/${encodeURIComponent(model)}/converse`);
    expect(lookUps()).toBe(1);
    vi.setSystemTime(Date.now() + 300_000);
    await ask("/v1/messages", body);
    expect(lookUps()).toBe(2);
  });

  it("is looked up by the next one where the first one leaves before it is told", async () => {
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let lookUps = 0;
    const { gateway, ask, upstream } = await setUp(
      vendor((request, response, incoming) => {
        // Nobody tells the first one.
        if (lookUps++ === 0) return begin();
        return profileOf(sonnet)(request, response, incoming);
      }),
    );
    const leaving = new AbortController();
    const body = { model: arn, max_tokens: 9, messages };
    const first = fetch(`${gateway.url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: leaving.signal,
    }).catch(() => undefined);
    await begun;
    const second = ask("/v1/messages", body);
    leaving.abort();
    await first;
    expect((await second).status).toBe(200);
    expect(upstream.received.at(-1)?.url).toBe(`/model/${inPath}/invoke`);
  });

  it("stays known by one credential where another one may not look it up", async () => {
    const { ask, upstream } = await setUp(
      vendor((request, response, incoming) => {
        const known = request.headers.authorization?.includes("AKIDFILE");
        return known ? profileOf(sonnet)(request, response, incoming) : json(response, 403, { message: "no" });
      }),
    );
    const body = { model: arn, max_tokens: 9, messages };
    const keys = { "x-gateway-aws-access-key-id": "AKIDOTHER", "x-gateway-aws-secret-access-key": "other-secret" };
    await ask("/v1/messages", body, keys);
    expect(upstream.received.at(-1)?.url).toBe(`/model/${inPath}/converse`);
    await ask("/v1/messages", body);
    expect(upstream.received.at(-1)?.url).toBe(`/model/${inPath}/invoke`);
  });

  it("is looked up again after a day", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { chat, upstream } = await setUp(profileOf(sonnet));
    await chat({ model: arn });
    vi.setSystemTime(Date.now() + 86_400_000 - 1);
    await chat({ model: arn });
    vi.setSystemTime(Date.now() + 1);
    await chat({ model: arn });
    expect(upstream.received.filter(({ method }) => method === "GET")).toHaveLength(2);
  });

  it.each([
    "arn:aws:bedrock:eu-west-1:111122223333:inference-profile/eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "arn:aws:bedrock:eu-west-1::foundation-model/anthropic.claude-sonnet-4-5-20250929-v1:0",
    "arn:aws:bedrock:eu-west-1:111122223333:provisioned-model/ab12",
    sonnet,
  ])("is not %s", async (model) => {
    const { chat, upstream } = await setUp(profileOf(sonnet));
    await chat({ model });
    expect(upstream.received.map(({ method }) => method)).toEqual(["POST"]);
  });
});
