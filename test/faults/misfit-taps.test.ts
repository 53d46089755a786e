import { describe, expect, it } from "vitest";
import { ask, startWayward } from "./wayward.ts";

const principal = "a principal with an id";
const route = "a route: what a generator function gives when it is called";
const request = "the request as it is, what withBody() makes of it, or an Answer with a status";
const answer = "an Answer with a status";
const chunks = "a list of chunks";

/** What a tap may give that the road can do nothing with, and what is said of it. */
const cells = [
  ["auth", "'ana'", "a string", principal],
  ["auth", "true", "a boolean", principal],
  ["auth", "({ name: 'ana' })", "another object", principal],
  ["routeSelect", "({ provider: 'x' })", "another object", route],
  ["routeSelect", "[]", "a list", route],
  ["beforeRequest", "({ ...value, model: 'cheap' })", "another object", request],
  ["beforeRequest", "value.body", "another object", request],
  ["beforeRequest", "null", "null", request],
  ["beforeRequest", "({ kind: 'answer' })", "another object", request],
  ["beforeRequest", "({ status: 403, body: {} })", "another object", request],
  ["beforeRequest", "({ kind: 'answer', status: 9999, body: {} })", "another object", request],
  ["beforeRequest", "({ kind: 'answer', status: 100, body: {} })", "another object", request],
  ["afterRequest", "({ kind: 'answer', status: 0 })", "another object", answer],
  ["afterRequest", "'fine'", "a string", answer],
  ["afterRequest", "value.response", "another object", answer],
  ["afterRequest", "null", "null", answer],
  ["streamChunk", "value[0]", "another object", chunks],
  ["streamChunk", "['text']", "a list", chunks],
  ["streamChunk", "[{ type: 'text' }]", "a list", chunks],
  ["streamChunk", "null", "null", chunks],
] as const;

const waysOf = (hook: string, value: string) => ({
  tap: `hooks.${hook}.tap("own", (value) => ${value});`,
  tapPromise: `hooks.${hook}.tapPromise("own", async (value) => ${value});`,
  tapAsync: `hooks.${hook}.tapAsync("own", (value, ...rest) => rest.at(-1)(null, ${value}));`,
});

describe.each(cells)("a tap on %s that gives %s", (hook, value, given, due) => {
  const ways = hook === "streamChunk" ? (["tap"] as const) : (["tap", "tapPromise", "tapAsync"] as const);

  it.each(ways)("is named in a 500 with what it has to give (%s)", async (way) => {
    const gateway = await startWayward({ taps: waysOf(hook, value)[way] });
    const { status, text } = await ask(gateway, { client: "openai", stream: hook === "streamChunk" });
    expect(status).toBe(500);
    expect(JSON.parse(text).message).toBe(`[plugin wayward] ${hook}: a tap gave ${given}; it has to give ${due}`);
  });
});

it("a tap on streamChunk that gives a promise is named, and what the promise fails with ends nothing", async () => {
  const taps = 'hooks.streamChunk.tap("own", async () => { throw new Error("unheard"); });';
  const gateway = await startWayward({ taps });
  const { status, text } = await ask(gateway, { client: "openai", stream: true });
  expect(status).toBe(500);
  expect(JSON.parse(text).message).toBe(
    "[plugin wayward] streamChunk: a tap() gave a promise: it has to answer at once",
  );
});

it("streamChunk says how it is tapped", async () => {
  const start = startWayward({ taps: 'hooks.streamChunk.tapPromise("own", async (chunks) => chunks);' });
  await expect(start).rejects.toThrow("streamChunk is synchronous: tap it with tap()");
});

it("a route that fails is named with what it failed with", async () => {
  const gateway = await startWayward({
    taps: `hooks.routeSelect.tap({ name: "own", stage: -1 }, () => (function* () { throw new Error("lost"); })());`,
  });
  const { status, text } = await ask(gateway, { client: "openai", stream: false });
  expect(status).toBe(500);
  expect(JSON.parse(text).message).toMatch(/^(?:\[plugin wayward\] )?routeSelect: a route failed: lost$/);
});
