import { errorMessage, GatewayError, type Logger, maskedUrl, type PluginContext } from "../../core/index.ts";
import { type Algorithm, type KeySet, readKeySet, type SigningKey } from "./key-set.ts";

/** Where the keys come from that tokens are signed with. */
export interface KeySource {
  /** Rejects with a `GatewayError` when the set cannot be had at all. */
  find(kid: string): Promise<readonly SigningKey[] | undefined>;
  /** To be called now and then, with every request that needs no key: looks for a newer set when the time has come. */
  tend(): void;
  /** Counts the sets: what was signed with a key of an earlier one is to be checked again. */
  readonly generation: number;
}

/** A set that stands in the config file. */
export const fixedKeys = (keys: KeySet): KeySource => ({
  find: async (kid) => keys.get(kid),
  tend: () => undefined,
  generation: 0,
});

export interface RemoteKeysParts {
  readonly url: string;
  readonly algorithms: readonly Algorithm[];
  readonly ask: PluginContext["ask"];
  readonly log: Logger;
  readonly now: () => number;
  /** Whether the address is the operator's word; else it is checked as callers' are. */
  readonly trusted: boolean;
  /** What was fetched before a reload, which is used where nothing newer is to be had. */
  readonly last?: LastSets | undefined;
}

/** A set as it was fetched. */
export interface FetchedSet {
  readonly keys: KeySet;
  readonly text: string;
  /** Unix milliseconds. */
  readonly at: number;
}

const hour = 60 * 60_000;

/** Milliseconds (operations.md section 6.2). */
const times = {
  /** A set is used without asking again. */
  fresh: 24 * hour,
  /** It is used while it cannot be fetched anew. */
  usable: 48 * hour,
  /** Between two fetches because of a key that is not in it. */
  unknownKey: 60_000,
  /** After a fetch that failed. */
  failed: 5_000,
  timeout: 5_000,
} as const;

type Asked = Pick<RemoteKeysParts, "url" | "algorithms" | "trusted">;

/** The last sets over all generations of the config, by how they are asked for. */
export class LastSets {
  readonly #sets = new Map<string, FetchedSet>();

  of(asked: Asked): FetchedSet | undefined {
    return this.#sets.get(nameOf(asked));
  }

  /** Those that cannot be used any more go. */
  set(asked: Asked, fetched: FetchedSet): void {
    this.#sets.set(nameOf(asked), fetched);
    for (const [name, { at }] of this.#sets) if (fetched.at - at > times.usable) this.#sets.delete(name);
  }
}

const nameOf = ({ url, algorithms, trusted }: Asked): string => JSON.stringify([url, algorithms, trusted]);

const mostBytes = 1024 * 1024;

/** A set at a URL: fetched when first needed, kept for a day, and fetched again for a key that is not in it. */
export class RemoteKeys implements KeySource {
  readonly #parts: RemoteKeysParts;
  #set: FetchedSet | undefined;
  /** It was fetched before a reload, by which whoever has replaced keys may mean the new ones. */
  #isFromBefore = false;
  #triedAt = Number.NEGATIVE_INFINITY;
  #failure: GatewayError | undefined;
  #fetching: Promise<void> | undefined;
  generation = 0;

  constructor(parts: RemoteKeysParts) {
    this.#parts = parts;
    this.#isFromBefore = parts.last?.of(parts) !== undefined;
    this.#readLast();
  }

  /** The generation before may fetch a newer one meanwhile. */
  #readLast(): void {
    const last = this.#isFromBefore ? this.#parts.last?.of(this.#parts) : undefined;
    if (!last || last === this.#set) return;
    if (this.#set && last.text !== this.#set.text) this.generation++;
    this.#set = last;
  }

  async find(kid: string): Promise<readonly SigningKey[] | undefined> {
    const { now } = this.#parts;
    this.#readLast();
    if (!this.#set || now() - this.#set.at > times.usable) await this.#fetch(times.failed);
    // Nobody waits twice for what fails: who comes next finds a failure.
    else if (this.#isFromBefore && !this.#failure) await this.#fetch(times.failed).catch(ignore);
    else this.tend();
    const found = this.#set?.keys.get(kid);
    if (found) return found;
    if (!this.#fetching && now() - this.#triedAt < times.unknownKey) return undefined;
    // While the newer set cannot be had, the last one is what there is.
    await this.#fetch(times.unknownKey).catch(ignore);
    return this.#set?.keys.get(kid);
  }

  tend(): void {
    const { now } = this.#parts;
    if (this.#set && (this.#isFromBefore || now() - this.#set.at > times.fresh))
      this.#fetch(times.unknownKey).catch(ignore);
  }

  /** One at a time. What failed is not tried again for a while. */
  #fetch(pause: number): Promise<void> {
    if (this.#fetching) return this.#fetching;
    if (this.#failure && this.#parts.now() - this.#triedAt < pause) return Promise.reject(this.#failure);
    this.#triedAt = this.#parts.now();
    this.#fetching = this.#fetched()
      .catch((error: unknown) => {
        this.#failure = this.#trouble(error);
        throw this.#failure;
      })
      .finally(() => {
        this.#fetching = undefined;
      });
    return this.#fetching;
  }

  async #fetched(): Promise<void> {
    const { url, ask, algorithms, now, trusted } = this.#parts;
    const headers = { accept: "application/json" };
    const request = { method: "GET", url, headers, timeout: times.timeout, mostBytes, trusted } as const;
    const { status, text } = await ask(request);
    if (status !== 200) throw new Error(`it answered ${status}`);
    const keys = readKeySet(parsed(text), algorithms);
    if (keys.size === 0) throw new Error("none of its keys can be used: they need kid, and RSA keys 2048 bits");
    if (text !== this.#set?.text) this.generation++;
    this.#set = { keys, text, at: now() };
    this.#isFromBefore = false;
    this.#failure = undefined;
    this.#parts.last?.set(this.#parts, this.#set);
  }

  #trouble(error: unknown): GatewayError {
    const { url, log } = this.#parts;
    const reason = errorMessage(error);
    const shown = maskedUrl(url);
    log.warn("the key set of tokens was not fetched", { url: shown, reason, kept: this.#set !== undefined });
    return new GatewayError(
      "store_unavailable",
      "Whether this token is good cannot be said: the key set of its issuer cannot be fetched.",
      { retryAfterSeconds: times.failed / 1000 },
      { cause: error },
    );
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("it answered with something that is not JSON");
  }
}

function ignore(): void {}
