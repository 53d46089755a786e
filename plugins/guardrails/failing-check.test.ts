import { expect, it, onTestFinished } from "vitest";
import { defineCheck, z } from "../../core/index.ts";
import { startGateway } from "../../core/test-kit/index.ts";

const failing = defineCheck({
  id: "team.failing",
  summary: "Fails by a mistake of its own.",
  parameters: z.object({}),
  window: 3,
  run() {
    throw new TypeError("boom");
  },
});

it.each([
  ["input", false],
  ["output", false],
  ["output", true],
])("a check that fails by itself is told in the log (%s, stream: %s)", async (side, stream) => {
  const gateway = await startGateway({
    plugins: [failing],
    config: {
      plugins: {
        "auth-open": {},
        checks: {},
        "team-failing": {},
        guardrails: {},
        routing: {
          configs: { watched: { provider: "simulator", [`${side}_guardrails`]: [{ "team.failing": {}, deny: true }] } },
        },
        "format-openai-chat": {},
      },
      providers: { simulator: {} },
    },
  });
  onTestFinished(gateway.close);
  const answer = await gateway.fetch("/v1/chat/completions", {
    headers: { "x-gateway-config": "watched" },
    json: { model: "m", stream, messages: [{ role: "user", content: "Hello there, all of you" }] },
  });
  expect(await answer.text()).not.toContain("boom");
  await gateway.settled();
  const told = gateway.log.lines.filter(({ message }) => message === "a check failed");
  expect(told).toEqual([
    { level: "warn", message: "a check failed", fields: { check: "team.failing", error: new TypeError("boom") } },
  ]);
});
