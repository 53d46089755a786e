import { createHash } from "node:crypto";
import type { Logger } from "../model/logger.ts";
import type { Principal } from "../model/principal.ts";
import type { Usage } from "../model/usage.ts";
import { RecordError, type RecordsService } from "../services/records.ts";
import { type Place, Recollection, Remembered } from "./recollection.ts";

/** A job as it is remembered: whose it is, at which provider, and its vendor's name for it. */
export interface Job {
  /** The organisation. */
  readonly tenant: string;
  /** The provider's slug. */
  readonly provider: string;
  readonly id: string;
}

/** Vendors keep outputs for a month or two; nobody asks for one after so long. */
const keptFor = 400 * 24 * 60 * 60 * 1000;

/** How long whoever bills a job has for it, in milliseconds: then it is whoever reads it next, as who had claimed it is gone. */
const claimedFor = 10 * 60 * 1000;

/** What a job that was begun is to use, and of which model. */
export interface BegunJob {
  readonly usage: Usage;
  readonly model: string | undefined;
}

type Outputs = { readonly batch_id: string };
type Begun = { readonly usage: Usage; readonly model?: string };
type Makers = { readonly principal: Principal };

const nothingYet = () => ({
  billed: new Remembered<true>(),
  outputs: new Remembered<Outputs>(),
  begun: new Remembered<Begun>(),
  makers: new Remembered<Makers>(),
});

/** What a deployment remembers, whichever of its plugins asks. */
const memories = new WeakMap<object, ReturnType<typeof nothingYet>>();

function memoryOf(deployment: object): ReturnType<typeof nothingYet> {
  const memory = memories.get(deployment) ?? nothingYet();
  memories.set(deployment, memory);
  return memory;
}

/** Which batch jobs have been billed, and which files are their outputs: in the records, or without any in memory. */
export class KnownJobs {
  readonly #billed: Remembered<true>;
  readonly #billedRecords;
  readonly #outputs: Recollection<Outputs>;
  readonly #begun: Recollection<Begun>;
  readonly #makers: Recollection<Makers>;
  readonly #log: Logger;
  readonly #now: () => number;

  /** Those of one `deployment` remember the same, by whatever stands for it. */
  constructor(records: RecordsService | undefined, log: Logger, now: () => number, deployment: object = {}) {
    const { billed, outputs, begun, makers } = memoryOf(deployment);
    const kept = <Document extends object>(name: string, remembered: Remembered<Document>, what: string) =>
      new Recollection({ remembered, records: records?.collection<Document>({ name, schemaVersion: 1 }), log, what });
    this.#billed = billed;
    this.#billedRecords = records?.collection<{ provider: string; batch_id: string }>({
      name: "billed_batches",
      schemaVersion: 1,
    });
    this.#outputs = kept("batch_outputs", outputs, "whose output a file is");
    this.#begun = kept("begun_jobs", begun, "what a job is to use");
    this.#makers = kept("job_makers", makers, "who has made a job");
    this.#log = log;
    this.#now = now;
  }

  /** Whether it is the caller who bills this job, and says so with `billed` afterwards: one does, of all processes. */
  async claim(job: Job): Promise<boolean> {
    const key = keyOf(job);
    if (this.#billed.get(key)) return false;
    this.#billed.set(key, true);
    try {
      await this.#keep(job, claimedFor);
      return true;
    } catch (error) {
      if (error instanceof RecordError && error.reason === "exists") {
        if (await this.#mayBeLeft(job)) this.#billed.delete(key);
        return false;
      }
      this.#log.warn("whether a batch was billed before cannot be kept: it may be billed again elsewhere", { error });
      return true;
    }
  }

  /** It is billed, and recorded. */
  async billed(job: Job): Promise<void> {
    const key = placeOf(job);
    try {
      const kept = await this.#billedRecords?.get(key);
      const expiresAt = this.#longest();
      if (kept)
        await this.#billedRecords?.update({ ...key, version: kept.version }, { document: kept.document, expiresAt });
      else await this.#keep(job, keptFor);
    } catch (error) {
      this.#log.warn("that a batch was billed cannot be kept: it may be billed again elsewhere", { error });
    }
  }

  async #keep(job: Job, milliseconds: number): Promise<void> {
    const document = { provider: job.provider, batch_id: job.id };
    await this.#billedRecords?.insert({ ...placeOf(job), document, expiresAt: this.#now() + milliseconds });
  }

  /** Whether somebody has claimed it who has not billed it yet. */
  async #mayBeLeft(job: Job): Promise<boolean> {
    const kept = await this.#billedRecords?.get(placeOf(job)).catch(() => undefined);
    return kept?.expiresAt === undefined || kept.expiresAt - this.#now() <= claimedFor;
  }

  /** Remembers that a file is the output of a job. */
  async learn(job: Job, file: string): Promise<void> {
    const place = placeOf({ ...job, id: file });
    if (this.#outputs.known(place)) return;
    await this.#outputs.keep(place, { batch_id: job.id }, this.#longest());
  }

  /** Remembers what a job is to use that has begun. */
  async begun(job: Job, { usage, model }: BegunJob): Promise<void> {
    await this.#begun.keep(placeOf(job), { usage, ...(model !== undefined && { model }) }, this.#longest());
  }

  /** What a job was to use when it began; undefined where nobody here has seen that. */
  async begunAs(job: Job): Promise<BegunJob | undefined> {
    const found = await this.#begun.find(placeOf(job));
    return found && { usage: found.usage, model: found.model };
  }

  /** Remembers whose a job is: who has made it. */
  async made(job: Job, principal: Principal): Promise<void> {
    const place = placeOf(job);
    if (this.#makers.known(place)) return;
    // How it came in is of no use to anybody.
    const { credentialHeaders: _, credentialParameters: __, ...maker } = principal;
    await this.#makers.keep(place, { principal: maker }, this.#longest());
  }

  /** Who has made a job; undefined where nobody here has seen that. */
  async makerOf(job: Job): Promise<Principal | undefined> {
    return (await this.#makers.find(placeOf(job)))?.principal;
  }

  /** The job whose output a file is, where that is known. At once where this process knows it. */
  jobOf(file: Job): Job | undefined | Promise<Job | undefined> {
    const found = this.#outputs.find(placeOf(file));
    const job = (one: Outputs | undefined) => one && { ...file, id: one.batch_id };
    return found instanceof Promise ? found.then(job) : job(found);
  }

  #longest(): number {
    return this.#now() + keptFor;
  }
}

/** Ids of vendors may be long, and hold anything. */
const keyOf = (job: Job): string =>
  createHash("sha256")
    .update(JSON.stringify([job.tenant, job.provider, job.id]))
    .digest("hex");

const placeOf = (job: Job): Place => ({ tenant: job.tenant, id: keyOf(job) });
