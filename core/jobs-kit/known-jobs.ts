import { createHash } from "node:crypto";
import { AgedMap } from "../keeping/aged-map.ts";
import type { Logger } from "../model/logger.ts";
import type { Principal } from "../model/principal.ts";
import type { Usage } from "../model/usage.ts";
import { RecordError, type RecordsService } from "../services/records.ts";

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

/** Jobs and files remembered in this process. */
const mostRemembered = 10_000;

/** What a job that was begun is to use, and of which model. */
export interface BegunJob {
  readonly usage: Usage;
  readonly model: string | undefined;
}

/** What a deployment remembers, whichever of its plugins asks. */
interface Memory {
  readonly makers: AgedMap<string, Principal>;
  readonly billed: AgedMap<string, true>;
  readonly outputs: AgedMap<string, string>;
  readonly begun: AgedMap<string, BegunJob>;
}

const memories = new WeakMap<object, Memory>();

function memoryOf(deployment: object): Memory {
  const memory = memories.get(deployment) ?? {
    billed: new AgedMap(),
    outputs: new AgedMap(),
    begun: new AgedMap(),
    makers: new AgedMap(),
  };
  memories.set(deployment, memory);
  return memory;
}

/** Which batch jobs have been billed, and which files are their outputs: in the records, or without any in memory. */
export class KnownJobs {
  readonly #billed: Memory["billed"];
  readonly #outputs: Memory["outputs"];
  readonly #begun: Memory["begun"];
  readonly #makers: Memory["makers"];
  readonly #makerRecords;
  readonly #billedRecords;
  readonly #outputRecords;
  readonly #begunRecords;
  readonly #log: Logger;
  readonly #now: () => number;

  /** Those of one `deployment` remember the same, by whatever stands for it. */
  constructor(records: RecordsService | undefined, log: Logger, now: () => number, deployment: object = {}) {
    const { billed, outputs, begun, makers } = memoryOf(deployment);
    this.#makers = makers;
    this.#makerRecords = records?.collection<{ principal: Principal }>({ name: "job_makers", schemaVersion: 1 });
    this.#begun = begun;
    this.#billed = billed;
    this.#outputs = outputs;
    this.#billedRecords = records?.collection<{ provider: string; batch_id: string }>({
      name: "billed_batches",
      schemaVersion: 1,
    });
    this.#outputRecords = records?.collection<{ batch_id: string }>({ name: "batch_outputs", schemaVersion: 1 });
    this.#begunRecords = records?.collection<{ usage: Usage; model?: string }>({
      name: "begun_jobs",
      schemaVersion: 1,
    });
    this.#log = log;
    this.#now = now;
  }

  /** Whether it is the caller who bills this job, and says so with `billed` afterwards: one does, of all processes. */
  async claim(job: Job): Promise<boolean> {
    const key = keyOf(job);
    if (this.#billed.get(key)) return false;
    remember(this.#billed, key, true);
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
    const key = { tenant: job.tenant, id: keyOf(job) };
    try {
      const kept = await this.#billedRecords?.get(key);
      const expiresAt = this.#now() + keptFor;
      if (kept)
        await this.#billedRecords?.update({ ...key, version: kept.version }, { document: kept.document, expiresAt });
      else await this.#keep(job, keptFor);
    } catch (error) {
      this.#log.warn("that a batch was billed cannot be kept: it may be billed again elsewhere", { error });
    }
  }

  async #keep(job: Job, milliseconds: number): Promise<void> {
    const { tenant, provider, id } = job;
    const document = { provider, batch_id: id };
    await this.#billedRecords?.insert({ tenant, id: keyOf(job), document, expiresAt: this.#now() + milliseconds });
  }

  /** Whether somebody has claimed it who has not billed it yet. */
  async #mayBeLeft(job: Job): Promise<boolean> {
    const kept = await this.#billedRecords?.get({ tenant: job.tenant, id: keyOf(job) }).catch(() => undefined);
    return kept?.expiresAt === undefined || kept.expiresAt - this.#now() <= claimedFor;
  }

  /** Remembers that a file is the output of a job. */
  async learn(job: Job, file: string): Promise<void> {
    const key = keyOf({ ...job, id: file });
    if (this.#outputs.get(key) !== undefined) return;
    remember(this.#outputs, key, job.id);
    try {
      const document = { batch_id: job.id };
      await this.#outputRecords?.insert({
        tenant: job.tenant,
        id: key,
        document,
        expiresAt: this.#now() + keptFor,
      });
    } catch (error) {
      if (error instanceof RecordError && error.reason === "exists") return;
      this.#log.debug("whose output a file is could not be kept", { error });
    }
  }

  /** Remembers what a job is to use that has begun. */
  async begun(job: Job, { usage, model }: BegunJob): Promise<void> {
    const id = keyOf(job);
    remember(this.#begun, id, { usage, model });
    try {
      const document = { usage, ...(model !== undefined && { model }) };
      await this.#begunRecords?.insert({ tenant: job.tenant, id, document, expiresAt: this.#now() + keptFor });
    } catch (error) {
      if (error instanceof RecordError && error.reason === "exists") return;
      this.#log.debug("what a job is to use could not be kept", { error });
    }
  }

  /** What a job was to use when it began; undefined where nobody here has seen that. */
  async begunAs(job: Job): Promise<BegunJob | undefined> {
    const id = keyOf(job);
    const known = this.#begun.get(id);
    if (known) return known;
    try {
      const found = await this.#begunRecords?.get({ tenant: job.tenant, id });
      return found && { usage: found.document.usage, model: found.document.model };
    } catch (error) {
      this.#log.debug("what a job was to use cannot be asked", { error });
      return undefined;
    }
  }

  /** Remembers whose a job is: who has made it. */
  async made(job: Job, principal: Principal): Promise<void> {
    const id = keyOf(job);
    if (this.#makers.get(id)) return;
    // How it came in is of no use to anybody.
    const { credentialHeaders: _, credentialParameters: __, ...maker } = principal;
    remember(this.#makers, id, maker);
    try {
      const expiresAt = this.#now() + keptFor;
      await this.#makerRecords?.insert({ tenant: job.tenant, id, document: { principal: maker }, expiresAt });
    } catch (error) {
      if (error instanceof RecordError && error.reason === "exists") return;
      this.#log.debug("who has made a job could not be kept", { error });
    }
  }

  /** Who has made a job; undefined where nobody here has seen that. */
  async makerOf(job: Job): Promise<Principal | undefined> {
    const id = keyOf(job);
    const known = this.#makers.get(id);
    if (known) return known;
    try {
      return (await this.#makerRecords?.get({ tenant: job.tenant, id }))?.document.principal;
    } catch (error) {
      this.#log.debug("who has made a job cannot be asked", { error });
      return undefined;
    }
  }

  /** The job whose output a file is, where that is known. At once where this process knows it. */
  jobOf(file: Job): Job | undefined | Promise<Job | undefined> {
    const key = keyOf(file);
    const known = this.#outputs.get(key);
    if (known !== undefined) return { ...file, id: known };
    return this.#outputRecords?.get({ tenant: file.tenant, id: key }).then(
      (found) => found && { ...file, id: found.document.batch_id },
      (error: unknown) => {
        this.#log.debug("whose output a file is cannot be asked", { error });
        return undefined;
      },
    );
  }
}

/** Ids of vendors may be long, and hold anything. */
const keyOf = (job: Job): string =>
  createHash("sha256")
    .update(JSON.stringify([job.tenant, job.provider, job.id]))
    .digest("hex");

function remember<Value>(map: AgedMap<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  if (map.size > mostRemembered) map.shift();
}
