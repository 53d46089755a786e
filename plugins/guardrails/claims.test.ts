import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, it } from "vitest";
import { json, startUpstream } from "../../test/support/upstream.ts";
import { chat, startGuarded } from "./testing.ts";

/** A gateway whose input guardrail takes the subject out of tokens, and whose output guardrail tells a webhook of it. */
async function startClaiming() {
  const hook = await startUpstream((_, response) => json(response, 200, { verdict: true }));
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const signed = new SignJWT({ sub: "u1" }).setProtectedHeader({ alg: "RS256", kid: "1" }).setIssuedAt();
  const token = await signed.setExpirationTime("1h").sign(privateKey);
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "1" }] };
  const jwt = { "default.jwt": { jwks, headerKey: "x-token", extractClaims: ["sub"] }, deny: true };
  const claiming = {
    provider: "@openai",
    forward_headers: ["x-jwt-sub"],
    input_guardrails: [jwt],
    output_guardrails: [{ "default.webhook": { webhookURL: hook.url, forwardHeaders: ["x-jwt-sub"] } }],
  };
  const unguarded = { provider: "@openai", forward_headers: ["x-jwt-sub"] };
  const keeping = { provider: "@openai", input_guardrails: [jwt] };
  const { ask, received } = await startGuarded({ configs: { claiming, unguarded, keeping } });
  const headers = { "x-token": token, "x-jwt-sub": "whoever" };
  const through = (config: string, body: object, path?: string) =>
    ask({}, body, path, { ...headers, "x-gateway-config": config });
  return { hook, received, through };
}

it("claims of a token go on in place of what the client says of itself, where the config forwards them", async () => {
  const { hook, received, through } = await startClaiming();
  for (const config of ["claiming", "unguarded", "keeping"])
    expect((await through(config, chat("tea"))).status).toBe(200);
  expect(received.map(({ headers }) => headers["x-jwt-sub"])).toEqual(["u1", "whoever", undefined]);
  expect(hook.received.map(({ headers }) => headers["x-jwt-sub"])).toEqual(["u1"]);
});

it("claims are taken out of tokens of embeddings, too: the text stays as it is", async () => {
  const { received, through } = await startClaiming();
  const { status, json } = await through("claiming", { model: "m", input: "x" }, "/v1/embeddings");
  expect(status).toBe(200);
  const [check] = json.hook_results?.before_request_hooks[0]?.checks ?? [];
  expect([check?.verdict, check?.error]).toEqual([true, undefined]);
  expect(received[0]?.headers["x-jwt-sub"]).toBe("u1");
});

it("a webhook that denies is heard, though nobody can send on what it makes of the text", async () => {
  const answer = (verdict: boolean) => ({ verdict, transformedData: { request: { json: { no: "request" } } } });
  const hook = await startUpstream(({ url }, response) => json(response, 200, answer(url.endsWith("/pass"))));
  const guardrail = (path: string) => ({ "default.webhook": { webhookURL: `${hook.url}/${path}` }, deny: true });
  const configs = Object.fromEntries(
    ["pass", "deny"].map((path) => [path, { provider: "@openai", input_guardrails: [guardrail(path)] }]),
  );
  const { ask } = await startGuarded({ configs });
  const through = (config: string) => ask({}, chat("tea"), undefined, { "x-gateway-config": config });
  const passed = await through("pass");
  expect([passed.status, passed.json.hook_results?.before_request_hooks[0]?.checks[0]?.error?.name]).toEqual([
    200,
    "Check error",
  ]);
  const denied = await through("deny");
  expect([denied.status, denied.json.hook_results?.before_request_hooks[0]?.checks[0]?.verdict]).toEqual([446, false]);
});

it("a webhook behind the answer is told whether the request was changed before it was sent", async () => {
  const hook = await startUpstream((_, response) => json(response, 200, { verdict: true }));
  const told = {
    provider: "@openai",
    input_guardrails: [{ "test.digits": {} }],
    output_guardrails: [{ "default.webhook": { webhookURL: hook.url } }],
  };
  const { ask } = await startGuarded({ configs: { told } });
  for (const text of ["tea", "tea 12"]) await ask({}, chat(text), undefined, { "x-gateway-config": "told" });
  const bodies = hook.received.map(({ body }) => JSON.parse(`${body}`));
  expect(bodies.map(({ request, response }) => [request.isTransformed, response.isTransformed])).toEqual([
    [false, false],
    [true, false],
  ]);
});

it("a webhook that replaces a request neither chooses whether its answer is streamed, nor loses its model", async () => {
  const answer = (stream: boolean) => ({ request: { json: { ...chat("new 12"), model: undefined, stream } } });
  const hook = await startUpstream(({ url }, response) =>
    json(response, 200, { verdict: true, transformedData: answer(url.endsWith("/streams")) }),
  );
  const { ask, received } = await startGuarded();
  for (const stream of [false, true]) {
    const { status, text } = await ask(
      {
        input_guardrails: [{ "default.webhook": { webhookURL: `${hook.url}/${stream ? "whole" : "streams"}` } }],
        output_guardrails: [{ "test.digits": { fail: true }, deny: true }],
      },
      chat("tea", { stream }),
    );
    expect([status, text.includes("new 12")]).toEqual([446, false]);
  }
  const sent = received.map(({ body }) => JSON.parse(`${body}`));
  expect(sent.map(({ model, stream = false }) => [model, stream])).toEqual([
    ["m", false],
    ["m", true],
  ]);
});

it("a webhook names the model as the client did, with the provider in front", async () => {
  const hook = await startUpstream(({ url, body }, response) => {
    const { json: asked } = JSON.parse(`${body}`).request;
    const model = url.endsWith("/other") ? asked.model.replace("small", "large") : asked.model;
    json(response, 200, { verdict: true, transformedData: { request: { json: { ...asked, model } } } });
  });
  const { ask, received } = await startGuarded();
  const told = [];
  for (const path of ["same", "other"])
    for (const before of ["@openai/", "openai/"]) {
      const config = {
        provider: undefined,
        input_guardrails: [{ "default.webhook": { webhookURL: `${hook.url}/${path}` } }],
      };
      const { status } = await ask(config, { ...chat("tea"), model: `${before}gpt-small` });
      told.push([status, JSON.parse(`${received.at(-1)?.body}`).model]);
    }
  expect(told).toEqual([...["gpt-small", "gpt-small"], ...["gpt-large", "gpt-large"]].map((model) => [200, model]));
});

it.each([
  ["of the provider that was chosen", "@openai/gpt-large", "gpt-large", undefined],
  ["of another one", "@deepseek/gpt-large", "gpt-small", { name: "OtherProvider" }],
  ["with a slash in its name", "acme/gpt-large", "acme/gpt-large", undefined],
])("a webhook names a model %s", async (_, model, sent, error) => {
  const answer = { verdict: true, transformedData: { request: { json: { ...chat("new"), model } } } };
  const hook = await startUpstream((_, response) => json(response, 200, answer));
  const { ask, received } = await startGuarded();
  const config = { input_guardrails: [{ "default.webhook": { webhookURL: hook.url }, deny: true }] };
  const { status, json: answered } = await ask(config, { ...chat("tea"), model: "gpt-small" });
  expect([status, JSON.parse(`${received.at(-1)?.body}`).model]).toEqual([200, sent]);
  const [check] = answered.hook_results?.before_request_hooks[0]?.checks ?? [];
  if (error) expect(check).toMatchObject({ verdict: false, error });
  else expect(check).not.toHaveProperty("error");
});

it("a webhook may leave the model out where a request has to have one", async () => {
  const answer = { verdict: true, transformedData: { request: { json: { prompt: "new 12", model: null } } } };
  const hook = await startUpstream((_, response) => json(response, 200, answer));
  const { ask, received } = await startGuarded();
  const config = { provider: undefined, input_guardrails: [{ "default.webhook": { webhookURL: hook.url } }] };
  await ask(config, { model: "@openai/openai/gpt-small", prompt: "tea" }, "/v1/completions");
  expect(received.map(({ body }) => JSON.parse(`${body}`))).toMatchObject([
    { model: "openai/gpt-small", prompt: "new 12" },
  ]);
});
