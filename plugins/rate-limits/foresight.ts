import { type CountersService, type Exchange, groupOf, limitExceeded } from "../../core/index.ts";
import { placed } from "./claims.ts";
import { type RateRule, wordingOf } from "./rules.ts";

/** Tells which rates a request would meet and how much of each is used, and throws what it would be refused with. */
export async function foresee(
  exchange: Exchange,
  rules: readonly RateRule[],
  counters: CountersService,
): Promise<void> {
  if (rules.length === 0) return;
  const now = counters.now();
  const places = rules.map((rule) => placed(rule, now));
  const totals = await counters.read(
    groupOf(exchange),
    places.map(({ key }) => key),
  );
  exchange.routeNotes ??= [];
  let refused: Error | undefined;
  for (const [at, { rule, window }] of places.entries()) {
    const current = totals[at] ?? 0n;
    const { limit, type, level, subject, policy } = rule;
    const full = type === "requests" ? current + 1n > limit : current >= limit;
    const counter = policy ? ` as ${policy.valueKey}` : "";
    const verdict = full ? "would be refused" : "lets it through";
    exchange.routeNotes.push({
      path: exchange.attempt?.target.path ?? "limits",
      message: `rate limit of ${level} ${subject} (${wordingOf(rule)}): ${current} counted${counter}, ${verdict}`,
    });
    if (full)
      refused ??= limitExceeded(
        {
          kind: "rate",
          level,
          subject,
          wording: wordingOf(rule),
          type,
          unit: rule.unit,
          limit: Number(limit),
          current: Number(current),
          resetsAt: window.end,
          ...(policy && { policy }),
        },
        now,
      );
  }
  if (refused) throw refused;
}
