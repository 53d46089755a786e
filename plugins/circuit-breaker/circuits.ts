import { createHash } from "node:crypto";
import {
  AgedMap,
  type ConfigNode,
  type ProviderMark,
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
  /** Since when that provider is so, Unix milliseconds, which is the same everywhere; absent of one of the file. */
  readonly changedAt?: number | undefined;
}

/** Its id says nothing of addresses and credentials, which must not leave this process: they are compared by their marks. */
export interface Entry extends Subject {
  readonly key: string;
  readonly circuit: Circuit;
  provider: string | undefined;
  changedAt: number | undefined;
  /** What that provider was by then. */
  ofProvider: string | undefined;
  /** What the leaf said, its secrets included; undefined while it was not met here. */
  ofLeaf: string | undefined;
  /** The last walk that found both so: one before it that finds another provider, or another leaf, is late. */
  lastWalk: number;
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
  /** Others were asked what is open. */
  asked: boolean;
}

export const noCircuits = (): KnownCircuits => ({ entries: new AgedMap(), serving: undefined, asked: false });

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
    return this.#get(keyOf(workspaceKey(walk.exchange.principal), id), mark, walk);
  }

  #get(key: string, ofLeaf?: string, walk?: Walk): Entry | undefined {
    const entry = this.#known.entries.get(key);
    if (!entry) return undefined;
    const number = walk?.number ?? entry.lastWalk;
    const isLate = number < entry.lastWalk;
    const found = this.#markOf(entry.provider, walk);
    if (isOf(entry, ofLeaf, found)) {
      if (!this.#aside && !isLate) learnOf(entry, ofLeaf, found, number);
      this.#heardOf.add(entry);
      return entry;
    }
    // Who began before others found what is there now goes on with what was there then, and says nothing of this.
    if (!this.#aside && !isLate) this.#forget(entry);
    return undefined;
  }

  #forget(entry: Entry): void {
    entry.outdated = true;
    this.#known.entries.delete(entry.key);
  }

  #markOf(provider: string | undefined, walk: Walk | undefined): ProviderMark | undefined {
    return provider === undefined ? undefined : this.#sources.mark(provider, walk?.exchange);
  }

  /** The circuit of a leaf, made when there is none. */
  of(node: ConfigNode, policy: BreakerPolicy, walk: Walk, provider: string): Entry {
    const { exchange, config = "" } = walk;
    const tenant = workspaceKey(exchange.principal);
    const { id, mark } = this.#leafOf(node, walk);
    const entry = this.#get(keyOf(tenant, id), mark, walk);
    if (!entry) return this.#add({ id, tenant, config, path: node.path, policy, provider }, mark, walk);
    if (provider !== entry.provider && !this.#aside)
      Object.assign(entry, { provider, ...this.#asFound({ provider }, walk) });
    return entry;
  }

  /** What is known of a provider: here, or by who tells of it. */
  #asFound({ provider, changedAt }: Pick<Subject, "provider" | "changedAt">, walk?: Walk) {
    const found = this.#markOf(provider, walk);
    return { ofProvider: found?.text, changedAt: found ? found.changedAt : changedAt };
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
    const entry = this.#toldOf(subject);
    if (!entry) return;
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

  /** The circuit that somebody tells of; undefined where who is called there is called here no more. */
  #toldOf(subject: Subject): Entry | undefined {
    const { provider } = subject;
    const entry = this.#get(keyOf(subject.tenant, subject.id));
    if (!entry) return this.#add(subject);
    if (provider !== undefined && provider !== entry.provider)
      Object.assign(entry, { provider, ...this.#asFound(subject) });
    if (isBefore(subject, entry)) return undefined;
    // Whom nobody has called here is known by what is told alone.
    if (entry.ofProvider !== undefined || !isBefore(entry, subject)) return entry;
    this.#forget(entry);
    return this.#add(subject);
  }

  /** Those that are open, for who has just begun; of another config than the one in force, none. */
  *open(now: number): Iterable<Entry> {
    if (this.#aside) return;
    for (const entry of this.#known.entries.values())
      if (phaseAt(entry.circuit, entry.policy, now) === "open") yield entry;
  }

  /** Those of the tenants that somebody sees. */
  *list(sees: (tenant: string) => boolean): Iterable<Entry> {
    for (const entry of this.#known.entries.values()) if (this.#heardOf.has(entry) && sees(entry.tenant)) yield entry;
  }

  /** Where there is one already, this one is of what was there before. */
  #add(subject: Subject, ofLeaf?: string, walk?: Walk): Entry {
    const { tenant, id, provider } = subject;
    const key = keyOf(tenant, id);
    const entry: Entry = {
      ...subject,
      key,
      circuit: closedCircuit(),
      provider,
      ...this.#asFound(subject, walk),
      ofLeaf,
      lastWalk: walk?.number ?? 0,
      outdated: this.#aside || this.#known.entries.get(key) !== undefined,
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

type Changed = Pick<Subject, "changedAt">;

const isBefore = ({ changedAt: one }: Changed, { changedAt: other }: Changed): boolean =>
  one !== undefined && other !== undefined && one < other;

/** What is not known now is taken for the same: a provider that is kept elsewhere shows with a request for it. */
function isOf(entry: Entry, ofLeaf: string | undefined, found: ProviderMark | undefined): boolean {
  if (ofLeaf !== undefined && entry.ofLeaf !== undefined && entry.ofLeaf !== ofLeaf) return false;
  if (!found) return true;
  return entry.ofProvider === undefined ? !isBefore(entry, found) : entry.ofProvider === found.text;
}

function learnOf(entry: Entry, ofLeaf: string | undefined, found: ProviderMark | undefined, number: number): void {
  entry.lastWalk = number;
  entry.ofLeaf ??= ofLeaf;
  if (found) Object.assign(entry, { ofProvider: found.text, changedAt: found.changedAt });
}

const keyOf = (tenant: string, id: string): string => (tenant === "" ? id : `${id} ${tenant}`);
