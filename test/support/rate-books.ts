import type { RateRule } from "../../plugins/rate-limits/rules.ts";

/** What was counted in one window, and what is held in it. */
interface Cell {
  total: bigint;
  readonly holds: Map<string, { readonly amount: bigint; readonly until: number }>;
}

const lengths = { rps: 1_000, rpm: 60_000, rph: 3_600_000, rpd: 86_400_000, rpw: 604_800_000 };

/** When the window of a moment began, by the calendar: weeks on Monday. */
export function startOf(unit: RateRule["unit"], moment: number): number {
  const date = new Date(moment);
  date.setUTCMilliseconds(0);
  if (unit === "rps") return date.getTime();
  date.setUTCSeconds(0);
  if (unit === "rpm") return date.getTime();
  date.setUTCMinutes(0);
  if (unit === "rph") return date.getTime();
  date.setUTCHours(0);
  if (unit === "rpd") return date.getTime();
  while (date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1);
  return date.getTime();
}

/** The simplest account of rates: all windows there ever were. */
export class RateBook {
  readonly #cells = new Map<string, Cell>();
  readonly #sliding: boolean;

  /** Unix milliseconds: what was counted before was lost. */
  readonly begunAt: number;

  constructor(sliding: boolean, begunAt = 0) {
    this.#sliding = sliding;
    this.begunAt = begunAt;
  }

  cell({ base, unit }: RateRule, moment: number): Cell {
    const name = `${base} ${startOf(unit, moment)}`;
    const cell = this.#cells.get(name) ?? { total: 0n, holds: new Map() };
    this.#cells.set(name, cell);
    return cell;
  }

  /** What counts at a moment, by what is held then, or without it. */
  counts(rule: RateRule, moment: number, withHolds = true): bigint {
    const own = this.#sum(this.cell(rule, moment), moment, withHolds);
    if (!this.#sliding) return own;
    const start = startOf(rule.unit, moment);
    const before = this.#sum(this.cell(rule, start - 1), moment, withHolds);
    const share = 1 - (moment - start) / lengths[rule.unit];
    return own + floored(before * BigInt(Math.round(share * 1_000_000)), 1_000_000n);
  }

  hasRoom(rule: RateRule, moment: number, withHolds = true): boolean {
    const there = this.counts(rule, moment, withHolds);
    return rule.type === "requests" ? there + 1n <= rule.limit : there < rule.limit;
  }

  #sum({ total, holds }: Cell, moment: number, withHolds: boolean): bigint {
    let sum = total;
    if (withHolds) for (const { amount, until } of holds.values()) if (until > moment) sum += amount;
    return sum;
  }
}

const floored = (amount: bigint, by: bigint): bigint =>
  amount < 0n && amount % by !== 0n ? amount / by - 1n : amount / by;
