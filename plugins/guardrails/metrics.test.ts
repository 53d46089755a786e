import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../test/support/calm.ts";
import { VerdictMetrics } from "./run/verdict-metrics.ts";
import { chat, startGuarded } from "./testing.ts";

const surface = new URL("../../core/index.ts", import.meta.url).href;
const channelName = "test.guardrails.metrics";

/** Where numbers go, in place of the plugin that shows them. */
const metricsPlugin = `
import { channel } from "node:diagnostics_channel";
import { definePlugin, Metrics, z } from "${surface}";
const counted = channel("${channelName}");
const tell = ({ name, labels }) => (value, ...values) => {
  if (values.length !== labels.length) throw new Error("labels without values");
  counted.publish({ name, value, labels: values });
};
export default definePlugin({
  name: "metrics-of-tests",
  summary: "Tells what is counted; for tests.",
  options: z.strictObject({}),
  provides: [Metrics],
  setup({ provide }) {
    provide(Metrics, { counter: (metric) => ({ add: tell(metric) }), histogram: (metric) => ({ observe: tell(metric) }) });
  },
});
`;

interface Told {
  readonly name: string;
  readonly value: number;
  readonly labels: readonly string[];
}

let told: Told[] = [];
const listen = (one: unknown) => void told.push(one as Told);
beforeEach(() => {
  told = [];
  subscribe(channelName, listen);
});
afterEach(() => void unsubscribe(channelName, listen));

const of = (name: string) => told.filter((one) => one.name === name);
const verdicts = () => of("guardrail_verdict_count").map(({ labels }) => labels.join(" "));
const start = (more: { options?: string } = {}) =>
  startGuarded({
    ...more,
    plugins: "  metrics-of-tests: { use: ./metrics.ts }",
    files: { "metrics.ts": metricsPlugin },
  });

const noTea = { contains: { words: ["tea"], operator: "none" } };
const digits = { "test.digits": {} };
const odd = (does: string) => ({ "test.odd": { does } });
const [before, after] = ["beforeRequestHook", "afterRequestHook"];

describe("verdicts are counted", () => {
  it.each<[string, object, boolean, string[]]>([
    ["of what passes", { input_guardrails: [noTea] }, false, [`default.contains ${before} pass allow`]],
    [
      "of what is denied",
      { input_guardrails: [{ ...noTea, deny: true }] },
      true,
      [`default.contains ${before} fail deny`],
    ],
    ["of what is noted", { output_guardrails: [noTea] }, true, [`default.contains ${after} fail observe`]],
    ["of what is changed", { input_mutators: [digits] }, true, [`test.digits ${before} pass transform`]],
    [
      "of what goes wrong",
      { output_guardrails: [{ ...odd("throw"), deny: true }] },
      true,
      [`test.odd ${after} error observe`],
    ],
    [
      "of what nobody waits for, which denies nothing",
      { input_guardrails: [{ ...noTea, deny: true, async: true }] },
      true,
      [`default.contains ${before} fail observe`],
    ],
    [
      "of each check and each answer",
      {
        input_mutators: [digits],
        output_guardrails: [noTea],
        retry: { attempts: 1, on_status_codes: [246] },
      },
      true,
      [
        `test.digits ${before} pass transform`,
        `default.contains ${after} fail observe`,
        `default.contains ${after} fail observe`,
      ],
    ],
  ])("%s", async (_, config, says, expected) => {
    const { ask } = await start();
    await ask(config, chat(says ? "tea 12" : "milk"));
    await eventually(() => expect(verdicts()).toEqual(expected));
    const durations = of("guardrail_check_duration_milliseconds");
    expect(durations.map(({ labels }) => labels[0])).toEqual(expected.map((one) => one.split(" ")[0]));
    expect(durations.every(({ value }) => value >= 0 && value < 5_000)).toBe(true);
    expect(of("guardrail_stream_delay_milliseconds")).toEqual([]);
  });

  it.each<[string, object, string, string]>([
    ["denied while it passes", { ...noTea, deny: true }, "{}", "default.contains afterRequestHook fail deny"],
    ["changed while it passes", digits, "{}", "test.digits afterRequestHook pass transform"],
    [
      "put together first",
      { "test.odd": { does: "", verdict: false }, deny: true },
      "{}",
      "test.odd afterRequestHook fail deny",
    ],
    [
      "only reported on, which denies nothing",
      { ...noTea, deny: true },
      "{ streams: report }",
      "default.contains afterRequestHook fail observe",
    ],
  ])("of a stream that is %s, with how long it was held back", async (_, guardrail, options, expected) => {
    const { ask } = await start({ options });
    await ask({ output_guardrails: [guardrail] }, chat("milk and then some tea 12", { stream: true }));
    await eventually(() => expect(verdicts()).toEqual([expected]));
    expect(of("guardrail_check_duration_milliseconds")).toHaveLength(1);
    const delays = of("guardrail_stream_delay_milliseconds");
    expect(delays).toHaveLength(options === "{}" ? 1 : 0);
    for (const { value } of delays) expect(value).toBeGreaterThanOrEqual(0);
  });
});

it("has one name for all checks that are none of the deployment's", () => {
  const labels: string[] = [];
  const tell = { add: () => {}, observe: (_: number, label = "") => void labels.push(label) };
  const metrics = new VerdictMetrics({ counter: () => tell, histogram: () => tell }, { named: () => undefined });
  for (const id of ["made.up", "made.up2"]) metrics.ran(id, 1);
  expect(labels).toEqual(["unknown", "unknown"]);
});
