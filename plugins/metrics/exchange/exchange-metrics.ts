import type { Attempt, Exchange } from "../../../core/index.ts";
import type { MetricsOptions } from "../options.ts";
import type { Declarations } from "../registry/declarations.ts";
import type { Family, Shape } from "../registry/family.ts";
import { dollarsOf, tokensOf, unpricedIn } from "./amounts.ts";
import { labelReaders, modelIn, providerIn, type Subject, valuesOf } from "./labels.ts";
import { type Row, Rows } from "./rows.ts";
import { exchangeMetrics, type MetricKey, unknownCost } from "./table.ts";
import { callTime, lastByteTime, ownTime, timeAfter, timeBefore } from "./times.ts";

/** Bounds of histograms by their unit. */
export interface BucketChoice {
  readonly seconds: readonly number[];
  readonly milliseconds: readonly number[];
}

/** The status of what was given up. */
const givenUp = "499";

/** Counts exchanges when they have ended. */
export class ExchangeMetrics {
  readonly #readers: ReturnType<typeof readersOf>;
  readonly #rows: Rows;
  readonly #unknownCost: Family;
  readonly #modelLabel: boolean;

  constructor(declarations: Declarations, options: MetricsOptions, buckets: BucketChoice) {
    const readers = labelReaders(options);
    this.#readers = readersOf(readers);
    const labels = Object.keys(readers);
    const families = {} as Record<MetricKey, Family>;
    for (const [key, { name, help, type, unit }] of Object.entries(exchangeMetrics)) {
      const shape: Shape = { name, help, type, labels, ...(type === "histogram" && { buckets: buckets[unit] }) };
      families[key as MetricKey] = declarations.declare(shape);
    }
    this.#rows = new Rows(families, options.maxSeries);
    this.#modelLabel = options.modelLabel;
    const costLabels = options.modelLabel ? ["provider", "model"] : ["provider"];
    this.#unknownCost = declarations.declare({ ...unknownCost, labels: costLabels });
  }

  /** What was asked by a client counts as a request; copies of it and calls of the gateway's own only by their answers. */
  take(exchange: Exchange): void {
    const answering = exchange.attempt ?? exchange.attempts.at(-1);
    const subject: Subject = {
      exchange,
      attempt: answering,
      code: exchange.status === undefined ? givenUp : `${exchange.status}`,
    };
    const row = this.#rows.of(valuesOf(this.#readers, subject));
    if (exchange.role === undefined) {
      const { endedAt } = exchange;
      row.add("requests", 1);
      row.observe("http", endedAt === undefined ? undefined : endedAt / 1000);
      row.observe("whole", endedAt);
      row.observe("own", ownTime(exchange));
      row.observe("authentication", exchange.authenticatedAt);
      row.observe("before", timeBefore(exchange));
      row.observe("after", timeAfter(exchange, answering));
    }
    if (exchange.attempts.length === 0) spend(row, tokensOf(exchange, exchange), dollarsOf(exchange, exchange));
    for (const attempt of unpricedIn(exchange, answering)) this.#countUnpriced({ ...subject, attempt });
    for (const attempt of exchange.attempts)
      this.#takeAttempt(exchange, attempt, attempt === answering ? row : undefined);
  }

  /** Each attempt under its own provider, for what it used too; of one nobody was asked for, and that spent nothing, there is no row. */
  #takeAttempt(exchange: Exchange, attempt: Attempt, answering: Row | undefined): void {
    const { sentAt, cacheTime } = attempt;
    const tokens = tokensOf(exchange, attempt);
    const dollars = dollarsOf(exchange, attempt);
    if (!answering && sentAt === undefined && cacheTime === undefined && !tokens && !dollars) return;
    const row = answering ?? this.#rows.of(valuesOf(this.#readers, subjectOf(exchange, attempt)));
    spend(row, tokens, dollars);
    row.observe("cache", cacheTime);
    if (sentAt === undefined) return;
    row.observe("call", callTime(attempt));
    row.observe("lastByte", lastByteTime(attempt));
  }

  #countUnpriced(subject: Subject): void {
    const values = this.#modelLabel ? [providerIn(subject), modelIn(subject)] : [providerIn(subject)];
    this.#unknownCost.add(this.#unknownCost.at(values), 1);
  }
}

function spend(row: Row, tokens: number | undefined, dollars: number | undefined): void {
  row.add("tokens", tokens);
  row.add("cost", dollars);
}

const readersOf = (readers: ReturnType<typeof labelReaders>) => Object.values(readers);

const subjectOf = (exchange: Exchange, attempt: Attempt): Subject => ({
  exchange,
  attempt,
  code: attempt.outcome ? `${attempt.outcome.status}` : givenUp,
});
