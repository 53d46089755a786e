import fc from "fast-check";
import type { Limits } from "./held-fleet.ts";

export const types = ["cost", "tokens", "requests"] as const;
export const limits: fc.Arbitrary<Limits> = fc.record({
  type: fc.constantFrom(...types),
  limit: fc.integer({ min: 1, max: 120 }),
  alert: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
  at: fc.constantFrom("key", "main", "spare"),
  hard: fc.boolean(),
});

const kinds = [
  ...(["retry", "fail", "fail", "answer", "answer", "abort", "flush", "sync"] as const),
  ...(["limit", "alert", "hardness", "reset", "crash", "reload", "wait", "remake"] as const),
  ...(["period", "period", "conditions"] as const),
  ...(["look", "away", "back", "mute", "lose", "read"] as const),
];
const what = fc.record({
  process: fc.nat({ max: 1 }),
  which: fc.nat({ max: 5 }),
  tokens: fc.integer({ min: 1, max: 40 }),
  amount: fc.integer({ min: 0, max: 60 }),
});
/** Each walk chooses what may happen in it: what it takes two of comes together more often than where all may. */
export const walk = fc
  .tuple(
    fc.subarray(kinds, { minLength: 2 }),
    fc.array(fc.tuple(fc.nat({ max: 99 }), what), { maxLength: 40, size: "max" }),
  )
  .map(([chosen, steps]) => {
    const all: readonly Kind[] = ["ask", "ask", "go on", "go on", "answer", ...chosen];
    return steps.map(([at, more]): Step => ({ kind: all[at % all.length] ?? "ask", ...more }));
  });
export type Kind = (typeof kinds)[number] | "ask" | "go on";
export type Step = { readonly kind: Kind } & (typeof what extends fc.Arbitrary<infer Value> ? Value : never);

const one = (kind: Kind, more: Partial<Step> = {}): Step => ({
  ...{ kind, process: 0, which: 0, tokens: 1, amount: 1, ...more },
});
const of = (more: Partial<Limits> = {}): Limits => ({ type: "cost", limit: 1, at: "key", hard: true, ...more });
/** Walks that were found to be counted wrongly. */
export const found: [Limits[], Step[]][] = [
  // Its answer comes in another period than the one it was let in in.
  [[of({ hard: false })], [one("ask"), one("wait", { which: 2 }), one("go on")]],
  // It holds room in what is soft when its answer comes.
  [[of()], [one("ask"), one("go on"), one("hardness")]],
  // It takes longer than what nobody else uses is kept in mind.
  [[of({ type: "tokens", limit: 8, hard: false })], [one("ask"), one("wait", { which: 1 }), one("wait"), one("go on")]],
  // Its gateway ends, and hears no answer twice.
  [
    [of({ type: "requests", at: "spare", hard: false })],
    [
      ...[one("ask"), one("go on", { which: 3 }), one("ask", { process: 1 }), one("mute", { which: 4 })],
      ...[one("hardness"), one("reload", { process: 1 }), one("go on", { which: 3 }), one("answer"), one("answer")],
    ],
  ],
  // It was let in by a soft budget, and what it used is kept at once when that is hard.
  [
    [of({ limit: 2, hard: false }), of({ hard: false })],
    [
      ...[one("ask", { process: 1 }), one("go on"), one("hardness"), one("crash"), one("answer")],
      ...[one("crash", { process: 1 }), one("lose")],
    ],
  ],
  // The file is read with another period by one gateway, and with a third by the other one.
  [
    [of({ hard: false })],
    [
      ...[one("ask"), one("go on", { amount: 26 }), one("answer"), one("read", { amount: 4 })],
      ...[one("read", { process: 1, amount: 0 }), one("wait", { which: 5 }), one("ask")],
    ],
  ],
  // Counters that were lost, and do not answer, are asked for the first time.
  [
    [of({ at: "spare", hard: false }), of({ limit: 2, hard: false })],
    [
      ...[one("ask"), one("go on", { which: 3 }), one("reload"), one("answer"), one("lose"), one("ask")],
      ...[one("mute", { which: 1 }), one("go on", { which: 3 })],
    ],
  ],
  // It takes longer than its budget is looked after, and its gateway ends while the counters are away.
  [
    [of()],
    [
      ...[one("ask", { process: 1 }), one("wait"), one("wait"), one("reload", { process: 1 }), one("go on")],
      ...[one("away"), one("answer")],
    ],
  ],
  // What was left untold, and is told with what was used since, uses it up.
  [
    [of({ type: "tokens", limit: 2, hard: false })],
    [one("away"), one("ask"), one("go on"), one("answer"), one("reload"), one("ask"), one("go on")],
  ],
  // Its gateway is owed an answer, and ends, when others have heard what it was about.
  [
    [of()],
    [
      ...[one("ask"), one("go on"), one("mute", { which: 1 }), one("ask"), one("answer"), one("reload"), one("ask")],
      ...[one("away"), one("answer", { amount: 0 })],
    ],
  ],
  // Counters that were lost do not answer, and say as much as they would if they had not been lost, and not been asked.
  [
    [of({ type: "requests", limit: 2, hard: false })],
    [
      ...[one("ask"), one("go on"), one("answer"), one("ask"), one("lose"), one("mute", { which: 2 })],
      ...[one("go on"), one("hardness"), one("ask"), one("go on", { process: 1 })],
    ],
  ],
  // Its threshold was taken away, as its gateway has heard of others, and a request of before takes a month.
  [
    [of()],
    [
      ...[one("lose"), one("alert", { amount: 13 }), one("ask", { process: 1 }), one("go on")],
      ...[one("alert", { which: 3, amount: 0 }), one("wait", { which: 2 })],
    ],
  ],
];

/** What the periods of its budgets become while the first requests of them are under way. */
export const edited: [Limits[], Step[]][] = [
  // Room is made by one gateway, before the other one learns of the budget with another end.
  [[of()], [one("ask"), one("period", { process: 1 }), one("go on"), one("crash")]],
  // What is used after the edit is told under the name of before it, and its gateway ends.
  [
    [of({ hard: false }), of({ type: "requests", limit: 2, hard: false })],
    [
      ...[one("ask", { process: 1 }), one("period", { which: 3 }), one("go on"), one("answer")],
      ...[one("period", { process: 1, amount: 0 }), one("crash", { process: 1 })],
    ],
  ],
  // A week ends with the month that was made shorter.
  [
    [of({ hard: false })],
    [
      ...[one("ask"), one("go on"), one("wait", { which: 5 }), one("answer"), one("read")],
      ...[one("wait", { which: 5 })],
    ],
  ],
  // It is used up, and the answer to that is not heard, when its period is edited.
  [
    [of({ limit: 2, hard: false })],
    [
      ...[one("ask"), one("go on"), one("answer"), one("period", { amount: 14 }), one("ask")],
      ...[one("mute", { which: 2 }), one("go on"), one("answer"), one("period", { process: 1, amount: 24 })],
    ],
  ],
  // The file is read by one gateway after an edit, and the other one hears of both at once.
  [
    [of()],
    [
      ...[one("ask"), one("go on"), one("period", { amount: 1 }), one("wait", { which: 2 })],
      ...[one("read", { amount: 0 })],
    ],
  ],
  // Nobody asks for it before the period of before the edit ends.
  [
    [of({ hard: false })],
    [one("ask"), one("go on"), one("period", { amount: 4 }), one("answer"), one("wait", { which: 5 })],
  ],
];
