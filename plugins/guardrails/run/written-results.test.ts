import { expect, it } from "vitest";
import type { CheckEntry, HookEntry } from "./results.ts";
import { writtenResults } from "./written-results.ts";

const check: CheckEntry = {
  data: { explanation: 'It says "no".', words: ["a", "é"], rest: null },
  verdict: true,
  id: "default.contains",
  execution_time: 0,
  transformed: false,
  created_at: "2026-01-05T10:00:00.123Z",
  log: null,
  fail_on_error: false,
};
const hook: HookEntry = {
  verdict: true,
  id: "words",
  transformed: false,
  checks: [check],
  feedback: null,
  execution_time: 1,
  async: false,
  type: "guardrail",
  created_at: "2026-01-05T10:00:00.122Z",
  deny: false,
};

/** A new field has to go somewhere: into the outcome, among what is new each time, or into what is left to JSON.stringify. */
type Dealt = "outcome" | "new" | "left";
const _checkFields: Readonly<Record<keyof CheckEntry, Dealt>> = {
  data: "new",
  verdict: "outcome",
  id: "outcome",
  error: "left",
  execution_time: "new",
  transformed: "outcome",
  created_at: "new",
  log: "left",
  fail_on_error: "outcome",
};
const _hookFields: Readonly<Record<keyof HookEntry, Dealt>> = {
  verdict: "outcome",
  id: "outcome",
  transformed: "outcome",
  checks: "new",
  feedback: "left",
  execution_time: "new",
  async: "outcome",
  type: "outcome",
  created_at: "new",
  deny: "outcome",
  stream_delay: "left",
};

const checks: readonly Partial<CheckEntry>[] = [
  {},
  { data: null },
  { data: undefined },
  { data: () => "none" },
  { data: "text", execution_time: 12_345, created_at: "2026-01-05T10:00:01.000Z" },
  { verdict: false },
  { transformed: true },
  { fail_on_error: true },
  { verdict: false, error: { name: "TimeoutError", message: "It took too long." } },
  { log: { calls: [{ method: "POST", url: "https://a.example/", status: 200, duration: 3 }] } },
  { id: 'odd "id", \\ with \n all kinds of signs' },
  { id: "__proto__" },
];
const hooks: readonly Partial<HookEntry>[] = [
  {},
  { checks: [] },
  { checks: [check, { ...check, data: 1 }] },
  { verdict: false, deny: true },
  { verdict: false },
  { transformed: true },
  { async: true },
  { type: "mutator" },
  { execution_time: 12_345, created_at: "2026-01-05T10:00:01.000Z" },
  { feedback: { value: 1, weight: 0.5, metadata: { successfulChecks: "default.contains" } } },
  { stream_delay: 7 },
  { id: 'odd "id", \\ with \n all kinds of signs' },
  { id: "constructor" },
];
const entries = [
  ...checks.map((one): HookEntry => ({ ...hook, checks: [{ ...check, ...one }] })),
  ...hooks.map((one): HookEntry => ({ ...hook, ...one })),
];

it.each(entries)("writes what JSON.stringify would, however often: %j", (entry) => {
  for (let time = 0; time < 2; time++)
    for (const [before, after] of [
      [[entry], []],
      [[], [entry]],
      [[hook, entry], [entry]],
      [[], []],
    ] as const)
      expect(writtenResults(before, after)).toBe(
        JSON.stringify({ before_request_hooks: before, after_request_hooks: after }),
      );
});

it("tells outcomes of the same guardrail apart", () => {
  const told = entries.map((entry) => writtenResults([entry], []));
  for (const [at, entry] of entries.entries()) expect(writtenResults([entry], [])).toBe(told[at]);
  expect(new Set(told).size).toBe(new Set(entries.map((entry) => JSON.stringify(entry))).size);
});
