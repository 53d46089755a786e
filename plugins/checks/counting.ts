/** Which counts are let through, both ends included. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly not: boolean;
}

/** Whether a count lies within bounds, and the sentence that says so. */
export function within(count: number, { least, most, not }: Bounds, things: string) {
  const inside = count >= least && count <= most;
  return {
    verdict: inside !== not,
    explanation: `${count} ${things}, ${inside ? "inside" : "outside"} ${least}..${most}.`,
  };
}
