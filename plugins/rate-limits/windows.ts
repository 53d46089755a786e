import type { RateLimit } from "../../core/index.ts";

/** A window of a rate, in Unix milliseconds; its end is not in it. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

const second = 1_000;
const day = 86_400_000;

type Unit = RateLimit["unit"];

const lengths: Readonly<Record<Unit, number>> = {
  rps: second,
  rpm: 60 * second,
  rph: 3_600 * second,
  rpd: day,
  rpw: 7 * day,
};

/** The first Monday of 1970. */
const firstMonday = 4 * day;

/** The fixed window a moment lies in, aligned to UTC; weeks begin on Monday (policies.md section 6). */
export function windowAt(unit: Unit, now: number): Window {
  const length = lengths[unit];
  const offset = unit === "rpw" ? firstMonday : 0;
  const start = Math.floor((now - offset) / length) * length + offset;
  return { start, end: start + length };
}

export const lengthOf = (unit: Unit): number => lengths[unit];

export const unitNames: Readonly<Record<Unit, string>> = {
  rps: "second",
  rpm: "minute",
  rph: "hour",
  rpd: "day",
  rpw: "week",
};
