import {
  type Attempt,
  type Exchange,
  type Fields,
  type Format,
  isRecord,
  jsonOr,
  type PricesService,
  tenantOf,
  tokenCount,
  type Usage,
  type Witness,
  wholeWitness,
} from "../../core/index.ts";
import { named } from "./asked.ts";
import { JobMeter } from "./job-meter.ts";
import type { Job, KnownJobs } from "./known-jobs.ts";
import { linesWitness } from "./lines-witness.ts";

export interface JobBillsInput {
  readonly jobs: KnownJobs;
  readonly formats: Pick<ReadonlyMap<string, Format>, "get" | "values">;
  readonly prices: PricesService | undefined;
}

/** Statuses after which a job uses nothing more. */
const over: ReadonlySet<unknown> = new Set(["completed", "failed", "expired", "cancelled"]);

/** Bytes of a batch as it is told that are looked into at most. */
const mostBytes = 1024 * 1024;

/**
 * Bills batch jobs of providers when the gateway learns what they used, each once (policies.md section 5.4): from the
 * lines of its output while they pass, or from the job itself where that says it.
 */
export class JobBills {
  readonly #input: JobBillsInput;

  constructor(input: JobBillsInput) {
    this.#input = input;
  }

  /** Looks at the output of a job. */
  readonly ofOutput = (exchange: Exchange, attempt: Attempt): Witness | undefined => {
    const job = jobIn(exchange, attempt);
    if (!job) return undefined;
    const meter = this.#meter(exchange, attempt);
    return linesWitness(meter, (whole) => this.#bill(attempt, meter, whole ? job : undefined));
  };

  /** Looks at a file that may be the output of a job: until it is known to be none, it is taken for one. */
  readonly ofFile = (exchange: Exchange, attempt: Attempt): Witness | undefined => {
    const file = jobIn(exchange, attempt);
    const asked = file && this.#input.jobs.jobOf(file);
    if (asked === undefined) return undefined;
    let meter: JobMeter | undefined = this.#meter(exchange, attempt);
    const finding = Promise.resolve(asked).then((job) => {
      if (!job) meter = undefined;
      return job;
    });
    const reader = {
      line: (text: string) => meter?.line(text),
      unreadable: () => meter?.unreadable(),
      get over() {
        return meter === undefined;
      },
    };
    return linesWitness(reader, async (whole) => {
      const job = await finding;
      if (meter) await this.#bill(attempt, meter, whole ? job : undefined);
    });
  };

  /** Looks at what a job is told to be. */
  readonly ofJob = (exchange: Exchange, attempt: Attempt): Witness | undefined => {
    const job = jobIn(exchange, attempt);
    if (!job) return undefined;
    return wholeWitness(mostBytes, async (bytes) => {
      const wire = jsonOr(bytes.toString());
      if (isRecord(wire)) await this.#told(exchange, attempt, job, wire);
    });
  };

  async #told(exchange: Exchange, attempt: Attempt, job: Job, wire: Fields): Promise<void> {
    if (typeof wire.output_file_id === "string") await this.#input.jobs.learn(job, wire.output_file_id);
    const usage = over.has(wire.status) ? this.#usageIn(wire) : undefined;
    if (!usage) return;
    const meter = this.#meter(exchange, attempt);
    const counts = isRecord(wire.request_counts) ? wire.request_counts : {};
    meter.add(usage, typeof wire.model === "string" ? wire.model : undefined, tokenCount(counts.completed) || 1);
    await this.#bill(attempt, meter, job);
  }

  /** Vendors say zero where they have not counted. */
  #usageIn({ usage }: Fields): Usage | undefined {
    if (!isRecord(usage)) return undefined;
    const name = "input_tokens" in usage ? "openai-responses" : "openai-chat";
    const read = this.#input.formats.get(name)?.readUsage({ usage });
    return read && Object.values(read).some((count) => Number(count) > 0) ? read : undefined;
  }

  async #bill(attempt: Attempt, meter: JobMeter, job: Job | undefined): Promise<void> {
    const total = job && (await meter.total());
    if (!job || !total || !(await this.#input.jobs.claim(job))) return;
    attempt.usage = total.usage;
    attempt.job = true;
    if (total.cost) attempt.cost = total.cost;
    if (total.model !== undefined) attempt.model ??= total.model;
  }

  #meter(exchange: Exchange, attempt: Attempt): JobMeter {
    const { formats, prices } = this.#input;
    return new JobMeter({ exchange, attempt, formats, prices });
  }
}

/**
 * What the URL names, at the provider that is asked. A name that is not escaped well is the vendor's to judge; the gateway's
 * own batches, and what it asks vendors for them, are counted as they are done.
 */
function jobIn({ url, principal, role }: Exchange, { target }: Attempt): Job | undefined {
  if (role === "internal" || target.provider.itself) return undefined;
  const tenant = principal?.organisation ?? (principal ? tenantOf(principal) : "nobody");
  try {
    return { tenant, provider: target.provider.slug, id: named({ url }).id };
  } catch {
    return undefined;
  }
}
