import { expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { call } from "../support/raw-call.ts";
import { json, startUpstream } from "../support/upstream.ts";

const both = { strategy: { mode: "fallback" }, targets: [{ provider: "@alpha" }, { provider: "@beta" }] };
const messages = [{ role: "user", content: "Hi" }];

/** Requests in the format the vendor speaks itself, and the field every answer to them has. */
const requests: readonly (readonly [string, object, string, unknown])[] = [
  ["/v1/chat/completions", { messages }, "choices", []],
  ["/v1/chat/completions", { messages, stream: true }, "choices", []],
  ["/v1/completions", { prompt: "Hi" }, "choices", []],
  ["/v1/responses", { input: "Hi" }, "output", []],
  ["/v1/embeddings", { input: "Hi" }, "data", []],
  ["/v1/images/generations", { prompt: "a cat" }, "data", []],
  ["/v1/moderations", { input: "Hi" }, "results", []],
];

async function start(answer: object, use = "openai") {
  const upstream = await startUpstream(({ url }, response) =>
    json(response, 200, url.startsWith("/alpha") ? answer : { [asked[2]]: asked[3], from: "beta" }),
  );
  let asked = requests[0] as (typeof requests)[number];
  const provider = (slug: string) => ({ use, apiKey: `${slug}-key-0123`, baseUrl: `${upstream.url}/${slug}` });
  const formats = ["chat", "completions", "responses", "embeddings", "images", "moderations"];
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        "auth-open": {},
        routing: {},
        "strategy-fallback": {},
        ...Object.fromEntries(formats.map((name) => [`format-openai-${name}`, {}])),
      },
      providers: { alpha: provider("alpha"), beta: provider("beta") },
    }),
  );
  return async (request: (typeof requests)[number], config: object) => {
    asked = request;
    const headers = {
      "content-type": "application/json",
      "x-gateway-provider": "",
      "x-gateway-config": JSON.stringify(config),
    };
    const body = JSON.stringify({ model: "m", ...request[1] });
    const { status, body: bytes } = await call(`${gateway.url}${request[0]}`, { method: "POST", headers }, body);
    return { status, text: bytes.toString() };
  };
}

it.each(requests)("JSON that is no answer to %s %j is no success, and the next target is asked", async (...request) => {
  const ask = await start({ foo: 1 });
  const { status, text } = await ask(request, { provider: "@alpha" });
  expect([status, JSON.parse(text)]).toEqual([
    502,
    {
      error: { message: 'Invalid response received from openai: {"foo":1}', type: null, param: null, code: null },
      provider: "openai",
    },
  ]);
  if (!("stream" in request[1])) expect(JSON.parse((await ask(request, both)).text)).toMatchObject({ from: "beta" });
});

it.each([
  [{ choices: null }, 502],
  [{ id: "c", choices: null, error: { message: "too busy", type: "rate_limit_error" } }, 429],
  [{ detail: "not ready" }, 502],
  [{ id: "choices", said: '"choices": []' }, 502],
])("%j is none either", async (answer, status) => {
  const ask = await start(answer);
  expect(await ask(requests[0] as (typeof requests)[number], { provider: "@alpha" })).toMatchObject({ status });
});

it("an answer without anything in it is one", async () => {
  const ask = await start({ object: "chat.completion", choices: [] });
  expect(await ask(requests[0] as (typeof requests)[number], { provider: "@alpha" })).toMatchObject({ status: 200 });
});

it("a refusal that comes with status 200 says why", async () => {
  const ask = await start(
    { choices: null, base_resp: { status_code: 1008, status_msg: "insufficient balance" } },
    "minimax",
  );
  const { status, text } = await ask(requests[0] as (typeof requests)[number], { provider: "@alpha" });
  expect([status, JSON.parse(text).error]).toEqual([
    502,
    { message: "minimax error: insufficient balance", type: null, param: null, code: 1008 },
  ]);
});
