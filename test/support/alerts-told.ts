import { expect } from "vitest";
import type { Budget } from "../../plugins/usage-limits/budgets.ts";
import type { Crossed } from "../../plugins/usage-limits/written-account.ts";

type Alert = Exclude<Crossed, "period">;
type Limits = Pick<Budget, "limit" | "alert">;

/** What was told of one budget in its period, and what may have been: each alert once, and once more after each edit that takes it back. */
export class AlertsTold {
  #told: Record<Alert, number> = { threshold: 0, exhausted: 0 };
  #most: Record<Alert, number> = { threshold: 1, exhausted: 1 };

  begin(): void {
    this.#told = { threshold: 0, exhausted: 0 };
    this.#most = { threshold: 1, exhausted: 1 };
  }

  /** A limit that is raised takes back both, a threshold that is raised, or taken away, its own (policies.md section 8.3). */
  edit({ limit, alert }: Limits, before: Limits): void {
    const isRaised = limit > before.limit;
    if (isRaised) this.#most.exhausted++;
    if (isRaised || (before.alert !== undefined && (alert === undefined || alert > before.alert)))
      this.#most.threshold++;
  }

  tell(what: Alert): void {
    this.#told[what]++;
    expect(this.#told[what], `${what}, told too often`).toBeLessThanOrEqual(this.#most[what]);
  }

  /** What is due once all has been told and kept. */
  isDue(used: bigint, { limit, alert }: Limits): boolean {
    const isMissing = { threshold: this.#told.threshold === 0, exhausted: this.#told.exhausted === 0 };
    return (alert !== undefined && used >= alert && isMissing.threshold) || (used >= limit && isMissing.exhausted);
  }
}

/** Whether an alert is so. */
export const isSo = (what: Alert, used: bigint, { limit, alert }: Limits): boolean =>
  what === "exhausted" ? used >= limit : alert !== undefined && used >= alert;
