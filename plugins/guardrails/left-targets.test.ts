import { beforeAll, expect, it } from "vitest";
import { question, type Recording, startRecording } from "../request-log/testing.ts";

let recording: Recording;
beforeAll(async () => {
  recording = await startRecording({ capture: "full" }, { plugins: { checks: {}, guardrails: {}, metrics: {} } });
  return () => recording.stop();
});

/** Says so much of whatever is asked. */
const remarks = (id: string, value: number, more: object = {}) => ({
  id,
  contains: { words: ["no such word"], operator: "none" },
  on_success: { feedback: { value } },
  ...more,
});

const target = (model: string, guardrails: readonly object[], more: object = {}) => ({
  provider: "@simulator",
  override_params: { model },
  input_guardrails: guardrails,
  ...more,
});

const failed = "fault-status-503";
const later = { async: true };

interface Row {
  readonly strategy: object;
  readonly targets: readonly object[];
  /** What is said in each record, the one the client was answered from last. */
  readonly said: readonly (readonly string[])[];
  /** What all of it comes to, each of it once. */
  readonly mean: number;
}

const fallback = { mode: "fallback" };
const rows: Readonly<Record<string, Row>> = {
  "a target that failed before one without guardrails": {
    ...{ strategy: fallback, targets: [target(failed, [remarks("a", 1)]), target("m", [])] },
    ...{ said: [["a"], []], mean: 1 },
  },
  "each target that was tried": {
    strategy: fallback,
    targets: [target(failed, [remarks("a", 1)]), target("m", [remarks("b", 2), remarks("c", 6)])],
    ...{ said: [["a"], ["b", "c"]], mean: 3 },
  },
  "a target that was asked again, once": {
    strategy: fallback,
    targets: [target("fault-flaky-1:left", [remarks("a", 1)], { retry: { attempts: 1 } }), target("m", [])],
    ...{ said: [["a"]], mean: 1 },
  },
  "a target that failed, though nobody waited for it": {
    strategy: fallback,
    targets: [target(failed, [remarks("a", 1, later), remarks("b", 2)]), target("m", [remarks("c", 6, later)])],
    ...{ said: [["b", "a"], ["c"]], mean: 3 },
  },
  "a race, though nobody waited for it": {
    strategy: { mode: "hedge", delay: 1 },
    targets: [target(failed, [remarks("a", 1, later)]), target("m", [remarks("b", 2), remarks("c", 6, later)])],
    ...{ said: [["a"], ["b", "c"]], mean: 3 },
  },
  "a copy, by the copy": {
    strategy: { mode: "shadow" },
    targets: [target("m", [remarks("a", 1)]), target("copied", [remarks("b", 2), remarks("c", 6, later)])],
    ...{ said: [["a"], ["b", "c"]], mean: 3 },
  },
};

it.each(Object.entries(rows))("what is said of %s is recorded, and is feedback", async (name, row) => {
  const { strategy, targets, said, mean } = row;
  const trace = `trace-${Object.keys(rows).indexOf(name)}`;
  const { status } = await recording.ask(question, {
    config: { strategy, targets },
    headers: { "x-gateway-trace-id": trace },
  });
  expect(status).toBe(200);
  const records = await recording.trace(trace, said.length);
  const shown = await Promise.all(records.map(({ id }) => recording.record(id)));
  const ids = shown.map(({ hook_results }) =>
    (hook_results?.before_request_hooks ?? []).map(({ id }: { id: string }) => id),
  );
  expect(ids.sort()).toEqual([...said].sort());
  const query = new URLSearchParams({
    ...{ trace_id: trace, weighted_feedback_min: `${mean}`, weighted_feedback_max: `${mean}` },
  });
  await expect
    .poll(async () => (await recording.admin("GET", `/logs?${query}`)).body.total, { timeout: 5_000 })
    .toBe(said.length);
});
