import { describe, expect, it } from "vitest";
import { openLibrary, text } from "./testing.ts";

const { here, make } = await openLibrary({ checks: {}, guardrails: {} });

const chat = await make({ string: text("Tea for {{name}}") });
const completion = await make({ string: "Tea for {{name}}", template_metadata: { template_type: "completion" } });

const complete = (ref: string, guardrail: object, stream = false) =>
  here(
    "POST",
    `/prompts/${ref}/completions`,
    { variables: { name: "Ana" }, stream },
    { "x-gateway-config": JSON.stringify({ provider: "@simulator", input_guardrails: [guardrail] }) },
  );

describe("a prompt is to guardrails the request it was rendered to", () => {
  it.each([
    ["chatComplete", chat.slug, false, 446],
    ["stream-chatComplete", chat.slug, true, 446],
    ["stream-chatComplete", chat.slug, false, 200],
    ["complete", chat.slug, false, 200],
    ["complete", completion.slug, false, 446],
    ["chatComplete", completion.slug, false, 200],
  ])("where %s is blocked, %s, stream %s: %i", async (type, ref, stream, status) => {
    const guardrail = { allowedRequestTypes: { blockedTypes: [type] }, deny: true };
    expect((await complete(ref, guardrail, stream)).status).toBe(status);
  });

  it.each([chat.slug, completion.slug])("where something is put before what is said: %s", async (ref) => {
    const { body } = await complete(ref, { addPrefix: { prefix: "Milk, not " } });
    expect(JSON.stringify(body.choices)).toContain("Milk, not Tea for Ana");
  });
});
