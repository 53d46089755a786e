import { createHash } from "node:crypto";
import { AgedMap, type ConfigNode, type Principal, type Walk } from "../../core/index.ts";
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
}

export interface Entry extends Subject {
  readonly key: string;
  readonly circuit: Circuit;
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

/** Circuits by their keys: a leaf that was changed has another one. */
export type KnownCircuits = AgedMap<string, Entry>;

/** The circuits of this process, bounded: those not heard of for longest are forgotten first. */
export class Circuits {
  readonly #most: number;
  readonly #entries: KnownCircuits;
  readonly #leaves = new WeakMap<ConfigNode, string>();
  /** Those this generation of the config has heard of: leaves that it has no more are not listed. */
  readonly #heardOf = new WeakSet<Entry>();

  constructor(most: number, known: KnownCircuits = new AgedMap()) {
    this.#most = most;
    this.#entries = known;
  }

  /** Only what is known already: a leaf nobody counted anything for has no circuit. */
  known(node: ConfigNode, walk: Walk): Entry | undefined {
    return this.#get(keyOf(tenantOf(walk.exchange.principal), this.#idOf(node, walk)));
  }

  #get(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry) this.#heardOf.add(entry);
    return entry;
  }

  /** The circuit of a leaf, made when there is none. */
  of(node: ConfigNode, policy: BreakerPolicy, walk: Walk): Entry {
    const tenant = tenantOf(walk.exchange.principal);
    const id = this.#idOf(node, walk);
    const entry = this.#get(keyOf(tenant, id));
    if (entry) return entry;
    return this.#add({ id, tenant, config: walk.config ?? "", path: node.path, policy });
  }

  /** What was heard of now is the last to be forgotten. */
  touch(entry: Entry): void {
    this.#entries.set(entry.key, entry);
    const { oldest } = this.#entries;
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
  }

  /** Takes in what another process found out. Circuits that are open stay so until their own time has come. */
  learn({ failures, successes, change, openFor = 0, ...subject }: Told, now: number): void {
    const entry = this.#get(keyOf(subject.tenant, subject.id)) ?? this.#add(subject);
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
    for (const entry of this.#entries.values())
      if (this.#heardOf.has(entry) && (tenant === "" || entry.tenant === tenant)) yield entry;
  }

  #add(subject: Subject): Entry {
    const entry = { ...subject, key: keyOf(subject.tenant, subject.id), circuit: closedCircuit() };
    this.#heardOf.add(entry);
    this.touch(entry);
    return entry;
  }

  #idOf(node: ConfigNode, { config }: Walk): string {
    const known = this.#leaves.get(node);
    if (known !== undefined) return known;
    const id = createHash("sha256")
      .update(JSON.stringify([config, node.path, node.fields]))
      .digest("base64");
    this.#leaves.set(node, id);
    return id;
  }
}

const keyOf = (tenant: string, id: string): string => (tenant === "" ? id : `${id} ${tenant}`);

/** The workspace a principal belongs to. Principals that belong to none share what they find out. */
export function tenantOf(principal: Principal | undefined): string {
  const { organisation = "", workspace = "" } = principal ?? {};
  return organisation === "" && workspace === "" ? "" : `${organisation}/${workspace}`;
}
