import { tenantOf } from "../access/tenant.ts";
import { isRecord, jsonOr } from "../codec-kit/records.ts";
import type { Attempt } from "../model/attempt.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Format } from "../model/format.ts";
import type { JobPlace, ToldJob } from "../model/job-wire.ts";
import type { Witness } from "../model/witness.ts";
import { plainPath } from "../percent-decoded.ts";
import { wholeWitness } from "../pipeline/reply/raw-usage.ts";
import type { PricesService } from "../services/prices.ts";
import { JobMeter } from "./job-meter.ts";
import type { Job, KnownJobs } from "./known-jobs.ts";
import { linesWitness } from "./lines-witness.ts";

export interface JobBillsInput {
  readonly jobs: KnownJobs;
  readonly formats: Pick<ReadonlyMap<string, Format>, "values">;
  readonly prices: PricesService | undefined;
}

/** Bytes of a job as it is told that are looked into at most: results may stand in it. */
const mostBytes = 32 * 1024 * 1024;

/** What stands before the path that vendors know: the gateway's own places, and versions. */
const before = /^(?:\/v1)*(?:\/proxy)?(?:\/v\d\w*)?(?=\/)/;

/** The path as vendors know it. Ids in it stay as they are escaped. */
const placeIn = (url: string): string => plainPath(url).replace(/\/$/, "").replace(before, "");

/** Whether an answer is all there is: a client may ask for any part of a file. */
function isAll({ outcome }: Attempt): boolean {
  if (outcome?.status !== 206) return outcome?.ok === true;
  const [, last, size] = /^bytes 0-(\d+)\/(\d+)$/.exec(String(outcome.headers["content-range"])) ?? [];
  return size !== undefined && Number(last) + 1 === Number(size);
}

/**
 * Bills batch jobs of providers when the gateway learns what they used, each once (policies.md section 5.4): from the
 * lines of its results while they pass, or from the job itself where that says it. Where that is, formats say (`Format.jobs`).
 */
export class JobBills {
  readonly #input: JobBillsInput;
  #places: readonly JobPlace[] | undefined;

  constructor(input: JobBillsInput) {
    this.#input = input;
  }

  /** Looks at what is read, where that may tell of a job. */
  readonly witness = (exchange: Exchange, attempt: Attempt): Witness | undefined => {
    const asked = placeIn(exchange.url);
    // All formats are there once anybody asks.
    this.#places ??= [...this.#input.formats.values()].flatMap(({ jobs }) => jobs?.places ?? []);
    const found = this.#places.filter(({ path }) => path.test(asked));
    const job = jobNamed(found[0]?.path.exec(asked)?.[1], exchange, attempt);
    if (!job) return undefined;
    switch (found[0]?.is) {
      case "results":
        return this.#ofResults(exchange, attempt, job);
      case "file":
        return this.#ofFile(exchange, attempt, job);
      default:
        return this.#ofJob(exchange, attempt, job, found);
    }
  };

  #ofResults(exchange: Exchange, attempt: Attempt, job: Job): Witness {
    const meter = this.#meter(exchange, attempt);
    return linesWitness(meter, (whole) => this.#bill(attempt, meter, whole ? job : undefined));
  }

  /** Until it is known to be no output of a job, it is taken for one. */
  #ofFile(exchange: Exchange, attempt: Attempt, file: Job): Witness | undefined {
    const asked = this.#input.jobs.jobOf(file);
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
  }

  #ofJob(exchange: Exchange, attempt: Attempt, job: Job, places: readonly JobPlace[]): Witness {
    return wholeWitness(mostBytes, async (bytes) => {
      const wire = jsonOr(bytes.toString());
      if (!isRecord(wire)) return;
      for (const place of places) {
        const told = place.told?.(wire);
        if (told) return this.#told(exchange, attempt, job, told);
      }
    });
  }

  async #told(
    exchange: Exchange,
    attempt: Attempt,
    job: Job,
    { output, model, used, answers }: ToldJob,
  ): Promise<void> {
    if (output !== undefined) await this.#input.jobs.learn(job, output);
    if (!used && !answers) return;
    const meter = this.#meter(exchange, attempt);
    if (used) meter.add(used.usage, model, used.calls);
    else for (const answer of answers ?? []) meter.answer(answer, model);
    await this.#bill(attempt, meter, job);
  }

  async #bill(attempt: Attempt, meter: JobMeter, job: Job | undefined): Promise<void> {
    const total = job && isAll(attempt) && (await meter.total());
    const { jobs } = this.#input;
    if (!job || !total || !(await jobs.claim(job))) return;
    attempt.settled = () => jobs.billed(job);
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
 * What a URL names, at the provider that is asked. A name that is not escaped well is the vendor's to judge; the gateway's
 * own batches, and what it asks vendors for them, are counted as they are done.
 */
function jobNamed(id: string | undefined, { principal, role }: Exchange, { target }: Attempt): Job | undefined {
  if (id === undefined || role === "internal" || target.provider.itself) return undefined;
  const tenant = principal?.organisation ?? (principal ? tenantOf(principal) : "nobody");
  try {
    return { tenant, provider: target.provider.slug, id: decodeURIComponent(id) };
  } catch {
    return undefined;
  }
}
