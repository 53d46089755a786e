/** What was told of a budget, beside what is used of it and what it allows now. */
export interface ToldOfBudget<Amount extends bigint | number> {
  readonly used: Amount;
  readonly limit: Amount;
  readonly alert: Amount | null | undefined;
  /** That the threshold, and that the limit, was crossed. */
  readonly thresholdSent: boolean;
  readonly exhaustedSent: boolean;
}

/**
 * What of it still holds. A limit that was raised above what is used can be crossed again, and so can its threshold
 * (policies.md section 8.3).
 */
export function alertsStanding<Amount extends bigint | number>(told: ToldOfBudget<Amount>) {
  const { used, limit, alert, thresholdSent, exhaustedSent } = told;
  const isExhausted = used >= limit;
  const isAlerted = alert !== null && alert !== undefined && used >= alert;
  return {
    exhaustedAlertSent: exhaustedSent && isExhausted,
    thresholdAlertSent: thresholdSent && isAlerted && (isExhausted || !exhaustedSent),
  };
}
