import { createHash } from "node:crypto";
import {
  AgedMap,
  type ConfigNode,
  type Exchange,
  type ProviderRegistry,
  processMark,
  type Walk,
  workersMark,
  workspaceKey,
} from "../../core/index.ts";
import { type Change, type Circuit, close, closedCircuit, count, open, phaseAt } from "./circuit.ts";
import type { BreakerPolicy } from "./policy.ts";

/** A leaf as all processes of a deployment know it. */
export interface Subject {
  /** What the config says at the leaf, as a digest: a leaf that was changed is another one, and starts clean. */
  readonly id: string;
  /** Empty where a deployment knows no tenants. */
  readonly tenant: string;
  readonly config: string;
  readonly path: string;
  readonly policy: BreakerPolicy;
  /** The slug of whom it called last; absent where another process has not said it. */
  readonly provider?: string | undefined;
}

/** Its id says nothing of addresses and credentials, which must not leave this process: they are compared by their marks. */
export interface Entry extends Subject {
  readonly key: string;
  readonly circuit: Circuit;
  provider: string | undefined;
  /** What that provider was by then. */
  ofProvider: string | undefined;
  /** What the leaf said, its secrets included; undefined while it was not met here. */
  ofLeaf: string | undefined;
  /** It is called elsewhere by now, or as somebody else: what calls of before come to says nothing any more. */
  outdated: boolean;
}

/** What another process says about a leaf. */
export interface Told extends Subject {
  /** Since it last told; of a circuit that was opened, all. */
  readonly failures: number;
  readonly successes: number;
  readonly change?: Change | undefined;
  /** Milliseconds a circuit that was opened stays so: clocks of other machines differ. */
  readonly openFor?: number | undefined;
}

/** What outlives a reload. */
export interface KnownCircuits {
  /** By their keys: a leaf that was changed has another one. */
  readonly entries: AgedMap<string, Entry>;
  /** Those of the generation that answers. */
  serving: Circuits | undefined;
}

export const noCircuits = (): KnownCircuits => ({ entries: new AgedMap(), serving: undefined });

interface Leaf {
  readonly id: string;
  readonly mark: string;
}

/** What circuits ask about what they are circuits of. */
export interface CircuitSources {
  /** Undefined where it is not known what a provider is. */
  readonly mark: ProviderRegistry["mark"];
  /** A copy of what a config says in which what is a credential is a `Secret`. */
  readonly hidden: (said: unknown) => unknown;
}

/** The circuits of this process, bounded: those not heard of for longest are forgotten first. */
export class Circuits {
  readonly #most: number;
  readonly #known: KnownCircuits;
  readonly #sources: CircuitSources;
  readonly #leaves = new WeakMap<ConfigNode, Leaf>();
  /** Those this generation of the config has heard of: leaves that it has no more are not listed. */
  readonly #heardOf = new WeakSet<Entry>();

  constructor(most: number, sources: CircuitSources, known: KnownCircuits = noCircuits()) {
    this.#most = most;
    this.#sources = sources;
    this.#known = known;
  }

  /** From now on its config is the one in force. */
  serve(): void {
    this.#known.serving = this;
  }

  /** Another config is in force: what this one says of providers and leaves is not so, or not yet. */
  get #aside(): boolean {
    const { serving } = this.#known;
    return serving !== undefined && serving !== this;
  }

  /** Only what is known already: a leaf nobody counted anything for has no circuit. */
  known(node: ConfigNode, walk: Walk): Entry | undefined {
    const { id, mark } = this.#leafOf(node, walk);
    return this.#get(keyOf(workspaceKey(walk.exchange.principal), id), mark, walk.exchange);
  }

  #get(key: string, ofLeaf?: string, exchange?: Exchange): Entry | undefined {
    const entry = this.#known.entries.get(key);
    if (!entry) return undefined;
    if (this.#isOf(entry, ofLeaf, exchange)) {
      this.#heardOf.add(entry);
      return entry;
    }
    if (!this.#aside) {
      entry.outdated = true;
      this.#known.entries.delete(key);
    }
    return undefined;
  }

  /** Whether what was found out was found out at the address, and with the credentials, that this config says. */
  #isOf(entry: Entry, ofLeaf: string | undefined, exchange: Exchange | undefined): boolean {
    const ofProvider = this.#markOf(entry.provider, exchange);
    if (!this.#aside) {
      if (ofLeaf !== undefined) entry.ofLeaf ??= ofLeaf;
      entry.ofProvider ??= ofProvider;
    }
    // What is not known now is taken for the same: a provider that is kept elsewhere shows with a request for it.
    if (ofProvider !== undefined && entry.ofProvider !== ofProvider) return false;
    return ofLeaf === undefined || entry.ofLeaf === ofLeaf;
  }

  #markOf(provider: string | undefined, exchange: Exchange | undefined): string | undefined {
    return provider === undefined ? undefined : this.#sources.mark(provider, exchange);
  }

  /** The circuit of a leaf, made when there is none. */
  of(node: ConfigNode, policy: BreakerPolicy, walk: Walk, provider: string): Entry {
    const { exchange, config = "" } = walk;
    const tenant = workspaceKey(exchange.principal);
    const { id, mark } = this.#leafOf(node, walk);
    const entry = this.#get(keyOf(tenant, id), mark, exchange);
    if (!entry) return this.#add({ id, tenant, config, path: node.path, policy, provider }, mark, exchange);
    this.#calls(entry, provider, exchange);
    return entry;
  }

  #calls(entry: Entry, provider: string | undefined, exchange?: Exchange): void {
    if (provider === undefined || provider === entry.provider || this.#aside) return;
    entry.provider = provider;
    entry.ofProvider = this.#markOf(provider, exchange);
  }

  /** What was heard of now is the last to be forgotten. */
  touch(entry: Entry): void {
    if (entry.outdated) return;
    const { entries } = this.#known;
    entries.set(entry.key, entry);
    if (entries.size > this.#most && entries.oldest !== undefined) entries.delete(entries.oldest);
  }

  /** Takes in what another process found out. Circuits that are open stay so until their own time has come. */
  learn({ failures, successes, change, openFor = 0, ...subject }: Told, now: number): void {
    // The generation that answers hears it as well.
    if (this.#aside) return;
    const entry = this.#get(keyOf(subject.tenant, subject.id)) ?? this.#add(subject);
    this.#calls(entry, subject.provider);
    const { circuit, policy } = entry;
    this.touch(entry);
    const phase = phaseAt(circuit, policy, now);
    if (change === undefined) count(circuit, policy, { failures, successes }, now);
    else if (change === "closed" && phase === "half-open") close(circuit);
    else if (change === "opened" && phase !== "open") {
      open(circuit, now + Math.min(openFor, policy.cooldown_interval));
      Object.assign(circuit, { failures, successes });
    }
  }

  /** Those of a tenant; who belongs to none sees all. */
  *list(tenant: string): Iterable<Entry> {
    for (const entry of this.#known.entries.values())
      if (this.#heardOf.has(entry) && (tenant === "" || entry.tenant === tenant)) yield entry;
  }

  #add(subject: Subject, ofLeaf?: string, exchange?: Exchange): Entry {
    const { tenant, id, provider } = subject;
    const entry: Entry = {
      ...subject,
      key: keyOf(tenant, id),
      circuit: closedCircuit(),
      provider,
      ofProvider: this.#markOf(provider, exchange),
      ofLeaf,
      outdated: this.#aside,
    };
    this.#heardOf.add(entry);
    this.touch(entry);
    return entry;
  }

  #leafOf(node: ConfigNode, { config }: Walk): Leaf {
    const known = this.#leaves.get(node);
    if (known !== undefined) return known;
    const { hidden } = this.#sources;
    const { path, fields, options } = node;
    // Secrets do not show in JSON.
    const told = hidden(fields);
    const said = [config, path, told];
    // Of a config that came with a request there may be others that differ in their secrets only, whose leaves are others.
    if (config?.startsWith("inline:")) said.push(workersMark([told, hidden(options)]));
    const id = createHash("sha256").update(JSON.stringify(said)).digest("base64");
    const leaf = { id, mark: processMark([fields, options]) };
    this.#leaves.set(node, leaf);
    return leaf;
  }
}

const keyOf = (tenant: string, id: string): string => (tenant === "" ? id : `${id} ${tenant}`);
