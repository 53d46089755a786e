import { afterAll, beforeAll, expect, it } from "vitest";
import { type Recording, startRecording } from "../../plugins/request-log/testing.ts";
import { startTellingVendor } from "../support/telling-vendor.ts";

let vendor: Awaited<ReturnType<typeof startTellingVendor>>;
let recording: Recording;

beforeAll(async () => {
  vendor = await startTellingVendor();
  const { baseUrl } = vendor;
  recording = await startRecording(
    {},
    {
      plugins: { checks: {}, guardrails: {}, pricing: { models: { "@own/*": { input: 10, output: 100 } } } },
      providers: { own: { use: "openai", apiKey: "own-key-0123", baseUrl } },
    },
  );
});

afterAll(async () => {
  await recording.stop();
  vendor.stop();
});

const target = (model: string) => ({ provider: "@own", override_params: { model } });
/** Holds back nine sentences, which none of these comes to. */
const contains = { words: ["never"], operator: "none", hold: { sentences: 9 } };
const holding = { output_guardrails: [{ contains, deny: true }] };

async function rowsOf(config: object, trace: string, count: number) {
  await recording.ask(
    { model: "m", stream: true, messages: [{ role: "user", content: "What is the time?" }] },
    { headers: { "x-gateway-config": JSON.stringify(config), "x-gateway-trace-id": trace } },
  );
  return recording.trace(trace, count);
}

const told = { req_units: 1000, res_units: 100, cost: 2 };
const counted = { usage_source: "estimated", cost: 0.021 };

it.each([
  ["what its vendor had said of it", "cuts-with-usage", told],
  ["what had come of it, counted here", "cuts", counted],
  ["what had come of it, where it fails with an error", "fails-inside", counted],
  ["nothing, where nothing had come", "cuts-at-once", { cost: 0 }],
])("a stream that a guardrail held back when it broke off costs %s", async (_, model, row) => {
  const [found] = await rowsOf({ ...target(model), ...holding }, `held-${model}`, 1);
  expect(found).toMatchObject(row);
});

it("a stream that a guardrail stops costs what had come of it, where its vendor had said less by then", async () => {
  const denying = { output_guardrails: [{ contains: { words: ["tea"], operator: "none" }, deny: true }] };
  const [found] = await rowsOf({ ...target("cuts-after-the-first-token-told"), ...denying }, "stopped", 1);
  expect(found).toMatchObject({ req_units: 1000, res_units: 5, cost: 1.05, usage_source: "estimated" });
});

it("and so it does where another target answers in its place", async () => {
  const targets = [target("cuts"), target("streams")];
  const rows = await rowsOf({ strategy: { mode: "fallback" }, targets, ...holding }, "held-elsewhere", 2);
  const costs = rows.map(({ cost }) => Number(cost)).sort();
  expect(costs[0]).toBeGreaterThan(0);
  expect(costs[1]).toBe(2);
});
