import type { Outcome } from "../../core/index.ts";

/** In this order; the first that is there counts, even when it cannot be read. Units in milliseconds. */
const sources = [
  ["retry-after-ms", 1],
  ["x-ms-retry-after-ms", 1],
  ["retry-after", 1000],
] as const;

/** How long an upstream asks to be left alone, in milliseconds; undefined when it does not say so intelligibly. */
export function retryAfterOf({ headers }: Outcome, now: number): number | undefined {
  for (const [name, unit] of sources) {
    const value = [headers[name]].flat()[0]?.trim();
    if (value === undefined) continue;
    const wait = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * unit : dateIn(value) - now;
    return wait > 0 ? Math.ceil(wait) : undefined;
  }
  return undefined;
}

/** The three forms of a date in HTTP begin with the day of the week; the oldest leaves out that it means GMT. */
const dateIn = (value: string): number =>
  /^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(value)
    ? Date.parse(value.endsWith("GMT") ? value : `${value} GMT`)
    : Number.NaN;
