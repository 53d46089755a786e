import { tenantOf } from "../access/tenant.ts";
import { type Fields, isRecord, jsonOr } from "../codec-kit/records.ts";
import type { Attempt } from "../model/attempt.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Format } from "../model/format.ts";
import type { JobPlace, ToldJob } from "../model/job-wire.ts";
import type { VideoWire } from "../model/video-wire.ts";
import type { Witness } from "../model/witness.ts";
import { unknownCost } from "../money/total-cost.ts";
import { plainPath } from "../percent-decoded.ts";
import { shapedFor } from "../pipeline/attempt/raw-attempt.ts";
import { rawUsage, wholeWitness } from "../pipeline/reply/raw-usage.ts";
import type { WireRequest } from "../pipeline/request/wire-request.ts";
import type { PricesService } from "../services/prices.ts";
import { JobMeter } from "./job-meter.ts";
import { isPaidByMaker, type Payers } from "./job-payers.ts";
import type { Job } from "./known-jobs.ts";
import { linesWitness } from "./lines-witness.ts";
import { begunVideo, idOfTold, toldVideo } from "./video-wire.ts";

export interface JobBillsInput extends Payers {
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
    const { videos } = attempt.target.provider;
    if (videos?.told.test(asked)) return this.#ofVideo(exchange, attempt, videos, asked);
    const found = this.#allPlaces.filter(({ path }) => path.test(asked));
    const job = jobNamed(found[0]?.path.exec(asked)?.[1], exchange, attempt);
    if (!job) return undefined;
    switch (found[0]?.is) {
      case "results":
        return this.#ofResults(exchange, attempt, job);
      case "file":
        return this.#ofFile(exchange, attempt, job);
      case "made":
        return this.#ofMade(exchange, attempt, job);
      default:
        return this.#ofJob(exchange, attempt, job, found);
    }
  };

  /**
   * Looks at what a job is begun with that is no batch: a video. It has used nothing by then, and is billed when it is told to be
   * over: one that fails costs nothing. What begins nothing of the kind is paid for like any other raw call.
   */
  readonly begins = (exchange: Exchange, attempt: Attempt, contentType: string): Witness =>
    this.#beginning(exchange, attempt, contentType, true);

  /** The same, where what is told of a job once it is over does not say what it used: nobody ever knows. */
  readonly beginsUntold = (exchange: Exchange, attempt: Attempt, contentType: string): Witness =>
    this.#beginning(exchange, attempt, contentType, false);

  /** Looks at what a batch is begun with: who has made it pays for it, whoever reads what it used. */
  readonly makes = (exchange: Exchange, attempt: Attempt): Witness | undefined => {
    const { principal } = exchange;
    if (!principal || isEnded.test(placeIn(exchange.url))) return undefined;
    return wholeWitness(mostBytes, async (bytes) => {
      const wire = jsonOr(bytes.toString());
      if (!isRecord(wire) || !attempt.outcome?.ok) return;
      const ids = [...this.#input.formats.values()].map(({ jobs }) => jobs?.madeIn?.(wire));
      const job = jobCalled(
        ids.find((id) => id !== undefined),
        exchange,
        attempt,
      );
      if (job) await this.#input.jobs.made(job, principal);
    });
  };

  #beginning(exchange: Exchange, attempt: Attempt, contentType: string, isTold: boolean): Witness {
    const { formats, prices } = this.#input;
    const usual = rawUsage(attempt, contentType, formats, undefined);
    let isKnown = false;
    const own = wholeWitness(mostBytes, async (bytes) => {
      const wire = jsonOr(bytes.toString());
      const told = isRecord(wire) && this.#begun(exchange, attempt, wire);
      const job = told ? jobCalled(told.id, exchange, attempt) : undefined;
      if (!told || !job) return;
      if (!isTold) {
        if (await this.#input.jobs.claim(job)) await this.#input.jobs.billed(job);
        return;
      }
      isKnown = true;
      if (exchange.principal) await this.#input.jobs.made(job, exchange.principal);
      if (told.uses) await this.#input.jobs.begun(job, { usage: told.uses, model: told.model });
      await this.#told(exchange, attempt, job, told);
    });
    return {
      see(bytes) {
        usual?.see(bytes);
        own.see(bytes);
      },
      async end(whole) {
        await own.end(whole);
        if (isKnown) return;
        await usual?.end(whole);
        if (attempt.usage || !attempt.outcome?.ok) return;
        // What it used nobody says, and nobody may ever say it here: unless the price is one of calls.
        await prices?.ready?.();
        attempt.cost = prices?.flat?.(exchange, attempt) ?? unknownCost;
      },
    };
  }

  /** What an answer says that has begun something: in the words of its vendor's own, or else in those of a format. */
  #begun(exchange: Exchange, attempt: Attempt, wire: Fields): ToldJob | undefined {
    const { target, model } = attempt;
    const { videos } = target.provider;
    if (!videos?.begun.test(placeIn(exchange.url)))
      return this.#allPlaces.map((place) => place.told?.(wire)).find((one) => one?.id !== undefined);
    const video = begunVideo(
      videos,
      wire,
      askedIn(exchange, attempt),
      target.model ?? exchange.request?.model ?? model,
    );
    return video && { id: video.id, uses: video.usage, ...(video.model !== undefined && { model: video.model }) };
  }

  #ofVideo(exchange: Exchange, attempt: Attempt, videos: VideoWire, path: string): Witness {
    return wholeWitness(mostBytes, async (bytes) => {
      const wire = jsonOr(bytes.toString());
      const job = jobNamed(idOfTold(videos, path, askedIn(exchange, attempt), wire), exchange, attempt);
      if (!job) return;
      const { id } = job;
      const { model, usage } = toldVideo(videos, wire, await this.#input.jobs.begunAs(job));
      const used = usage && { usage, calls: 1 };
      await this.#told(exchange, attempt, job, { id, ...(model !== undefined && { model }), ...(used && { used }) });
    });
  }

  /** All formats are there once anybody asks. */
  get #allPlaces(): readonly JobPlace[] {
    this.#places ??= [...this.#input.formats.values()].flatMap(({ jobs }) => jobs?.places ?? []);
    return this.#places;
  }

  /** Whoever is given what a job has made knows that it is over, and what it was to use. */
  #ofMade(exchange: Exchange, attempt: Attempt, job: Job): Witness {
    return {
      see: () => undefined,
      end: async (whole) => {
        const begun = whole ? await this.#input.jobs.begunAs(job) : undefined;
        if (!begun) return;
        const meter = this.#meter(exchange, attempt, true);
        meter.add(begun.usage, begun.model);
        await this.#bill(exchange, attempt, meter, job);
      },
    };
  }

  #ofResults(exchange: Exchange, attempt: Attempt, job: Job): Witness {
    const meter = this.#meter(exchange, attempt);
    return linesWitness(meter, (whole) => this.#bill(exchange, attempt, meter, whole ? job : undefined));
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
      if (meter) await this.#bill(exchange, attempt, meter, whole ? job : undefined);
    });
  }

  #ofJob(exchange: Exchange, attempt: Attempt, job: Job, places: readonly JobPlace[]): Witness {
    return wholeWitness(mostBytes, async (bytes) => {
      const wire = jsonOr(bytes.toString());
      if (!isRecord(wire)) return;
      for (const place of places) {
        const told = place.told?.(wire);
        if (told) return this.#told(exchange, attempt, jobCalled(told.id, exchange, attempt) ?? job, told);
      }
    });
  }

  async #told(
    exchange: Exchange,
    attempt: Attempt,
    job: Job,
    { output, model, used, answers, id, untold }: ToldJob,
  ): Promise<void> {
    if (untold) return this.#untold(attempt, job, model);
    if (output !== undefined) await this.#input.jobs.learn(job, output);
    if (!used && !answers) return;
    const meter = this.#meter(exchange, attempt, id !== undefined);
    if (used) meter.add(used.usage, model, used.calls);
    else for (const answer of answers ?? []) meter.answer(answer, model);
    await this.#bill(exchange, attempt, meter, job);
  }

  async #untold(attempt: Attempt, job: Job, model: string | undefined): Promise<void> {
    const { jobs } = this.#input;
    if (!isAll(attempt) || !(await jobs.claim(job))) return;
    attempt.settled = () => jobs.billed(job);
    attempt.job = true;
    attempt.cost = unknownCost;
    if (model !== undefined) attempt.model ??= model;
  }

  async #bill(exchange: Exchange, attempt: Attempt, meter: JobMeter, job: Job | undefined): Promise<void> {
    const total = job && isAll(attempt) && (await meter.total());
    const { jobs } = this.#input;
    if (!job || !total || !(await jobs.claim(job))) return;
    if (await isPaidByMaker(this.#input, { exchange, attempt, job, total })) return jobs.billed(job);
    attempt.settled = () => jobs.billed(job);
    attempt.usage = total.usage;
    attempt.job = true;
    if (total.cost) attempt.cost = total.cost;
    if (total.model !== undefined) attempt.model ??= total.model;
  }

  #meter(exchange: Exchange, attempt: Attempt, single = false): JobMeter {
    const { formats, prices } = this.#input;
    return new JobMeter({ exchange, attempt, formats, prices, single });
  }
}

/** The body of a request, as its target has it; undefined where it is none that anybody here has read. */
function askedIn({ request }: Exchange, { target }: Attempt): unknown {
  try {
    return request && shapedFor(target, request as WireRequest).json;
  } catch {
    return undefined;
  }
}

/** Where a batch is ended: whoever does that has not made it. */
const isEnded = /(?:[/:]cancel|\/stop)$/;

/**
 * What a URL names, at the provider that is asked. A name that is not escaped well is the vendor's to judge; the gateway's
 * own batches, and what it asks vendors for them, are counted as they are done.
 */
function jobNamed(id: string | undefined, exchange: Exchange, attempt: Attempt): Job | undefined {
  try {
    return jobCalled(id === undefined ? undefined : decodeURIComponent(id), exchange, attempt);
  } catch {
    return undefined;
  }
}

function jobCalled(id: string | undefined, { principal, role }: Exchange, { target }: Attempt): Job | undefined {
  if (id === undefined || role === "internal" || target.provider.itself) return undefined;
  const tenant = principal?.organisation ?? (principal ? tenantOf(principal) : "nobody");
  return { tenant, provider: placeOf(target), id };
}

/** A host that the caller has chosen is no witness of what others have made at the provider it stands for. */
function placeOf({ provider: { slug, origin, untrustedHost, broughtSecret } }: Attempt["target"]): string {
  return untrustedHost && broughtSecret ? `${slug} ${origin}` : slug;
}
