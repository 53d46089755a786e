import { describe, expect, it } from "vitest";
import { chat, startGuarded } from "./testing.ts";

const noTea = { contains: { words: ["tea"], operator: "none" } };

/** Bodies that vendors might take, and nobody here can read. */
const bodies: [string, string, object, RegExp][] = [
  ["chat completions", "/v1/chat/completions", { ...chat("tea"), max_tokens: "5" }, /max_tokens/],
  ["chat completions of nobody", "/v1/chat/completions", { model: "m", messages: [] }, /messages/],
  ["responses", "/v1/responses", { model: "m", input: "tea", temperature: "0.5" }, /temperature/],
  ["embeddings", "/v1/embeddings", { model: "m", input: "tea", dimensions: "5" }, /dimensions/],
];

describe.each(bodies)("a body of %s that cannot be read", (name, path, body, why) => {
  const provider = "@openai";

  it.each(["input", "output"].filter((side) => side === "input" || name !== "embeddings"))(
    "is refused where guardrails are to look at the %s, and nobody is called",
    async (side) => {
      const { ask, received } = await startGuarded();
      for (const more of [{}, { deny: true }]) {
        const { status, json } = await ask({ provider, [`${side}_guardrails`]: [{ ...noTea, ...more }] }, body, path);
        expect([status, json.error?.message]).toEqual([400, expect.stringMatching(why)]);
      }
      expect(received).toEqual([]);
    },
  );

  it("goes on as it came where nothing looks into it, or nobody waits for what does", async () => {
    const { ask, received } = await startGuarded();
    const unread = { allowedRequestTypes: { blockedTypes: ["rerank"] }, deny: true };
    for (const guardrail of [unread, { ...noTea, deny: true, async: true }])
      await ask({ provider, input_guardrails: [guardrail] }, body, path);
    expect(received.map((one) => JSON.parse(String(one.body)))).toEqual([body, body]);
  });
});

it("another target may be tried, which asks something that can be read", async () => {
  const { ask } = await startGuarded();
  const targets = [{ provider: "@openai" }, { provider: "@openai", drop_params: ["max_tokens"] }];
  const config = { strategy: { mode: "fallback" }, targets, input_guardrails: [{ contains: { words: ["tea"] } }] };
  expect((await ask(config, { ...chat("tea"), max_tokens: "5" })).status).toBe(200);
});
