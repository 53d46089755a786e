import { expect } from "vitest";
import type { Asked, Read, SecretPlace } from "./world.ts";

const minute = 60_000;
const unresolved = "Unable to resolve secret";

/** The last one before a moment. */
const lastBefore = <One extends { order: number }>(all: readonly One[], order: number): One | undefined =>
  all.filter((one) => one.order < order).at(-1);

const isGood = (read: Read): read is Read & { value: string } => read.value !== undefined;

/** Whether the vendor had refused a value by then that was read. */
const isRefused = ({ asked }: SecretPlace, { order, value }: Read, until: number): boolean =>
  asked.some(
    ({ shown }) => shown?.status === 401 && shown.value === value && shown.answered > order && shown.answered < until,
  );

/** Each request was sent with a value that the rules allow (operations.md section 10.5). */
export function expectGoodValues(place: SecretPlace): void {
  const good = place.reads.filter(isGood);
  for (const asked of place.asked) {
    const { shown, status, began } = asked;
    if (!shown) {
      expectNothingToShow(place, asked);
      continue;
    }
    expect(status).toBe(shown.status);
    const read = lastBefore(
      good.filter(({ value }) => value === shown.value),
      shown.order,
    );
    expect(read, `${shown.value} was never read`).toBeDefined();
    if (!read) continue;
    const age = shown.at - read.at;
    expect(age, "no value serves for longer than an hour").toBeLessThan(60 * minute);
    const isTried = place.reads.some(({ order }) => order > read.order && order < shown.order);
    if (age >= 5 * minute) expect(isTried, "a value of five minutes is renewed, where that does not fail").toBe(true);
    const newest = lastBefore(good, began.order);
    if (newest && newest.order > read.order) expect(shown.value, "what was read last is shown").toBe(newest.value);
    // An answer and the next request may cross: what a client has heard of, the gateway has.
    const heard = place.asked.some(
      (other) =>
        other.shown?.status === 401 &&
        other.shown.value === shown.value &&
        other.began.order > read.order &&
        other.ended.order < began.order,
    );
    expect(heard, "a value that was refused is not shown again before it was read anew").toBe(false);
  }
}

/** Who could not be served: no value was there that serves. */
function expectNothingToShow(place: SecretPlace, { began, ended, status, text }: Asked): void {
  expect([status, text]).toEqual([500, expect.stringContaining(unresolved)]);
  const good = place.reads.filter(isGood);
  const newest = lastBefore(good, began.order);
  if (!newest || lastBefore(good, ended.order)?.value === "") return;
  const isOld = began.at - newest.at >= 60 * minute;
  expect(isOld || isRefused(place, newest, ended.order), `${newest.value} could have served`).toBe(true);
}

/** A value that is at hand is read again when it is to be renewed, when it was refused, and after a reload, once each. */
export function expectFewReads(place: SecretPlace): void {
  const good = place.reads.filter(isGood);
  for (const [at, read] of good.entries()) {
    const before = good[at - 1];
    if (!before || read.at - before.at >= 4 * minute) continue;
    const isReloaded = place.reloads.some((order) => order > before.order && order < read.order);
    expect(isReloaded || isRefused(place, before, read.order), `${read.value} was read twice without need`).toBe(true);
  }
}
