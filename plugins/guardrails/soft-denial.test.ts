import { expect, it } from "vitest";
import { jsonEvents, startGuarded } from "./testing.ts";

const soft = { contains: { words: ["tea"], operator: "none" }, deny: true, soft_deny_200: true };

it.each(["input", "output"])(
  "a denial that looks like an answer is no failure to Cohere's clients: %s",
  async (side) => {
    const { ask } = await startGuarded({ plugins: "  format-cohere-chat: {}" });
    const config = { [`${side}_guardrails`]: [soft] };
    const body = { model: "m", messages: [{ role: "user", content: "tea" }] };
    const whole = await ask(config, body, "/v2/chat");
    expect([whole.status, whole.json]).toMatchObject([200, { finish_reason: "COMPLETE" }]);
    const streamed = await ask(config, { ...body, stream: true }, "/v2/chat");
    expect(jsonEvents(streamed.text).at(-1)).toMatchObject({ delta: { finish_reason: "COMPLETE" } });
  },
);
