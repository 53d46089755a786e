import {
  type Attempt,
  type ConfigNode,
  type Exchange,
  notKnownHere,
  type Route,
  seeing,
  slot,
  type Target,
  type Walk,
} from "../../core/index.ts";
import { abandon, begin, isShut, phaseAt, settle } from "./circuit.ts";
import type { Circuits, Entry } from "./circuits.ts";
import type { BreakerPolicy } from "./policy.ts";
import type { Sharing } from "./sharing.ts";
import { verdictOf } from "./verdict.ts";

const notes = {
  closed: "its circuit is closed",
  open: "its circuit is open: it is called all the same",
  "half-open": "its circuit is half open: this call shows whether it closes",
} as const;

/** What the routing plugin asks of a breaker: whether a leaf is shut, and to watch how it goes. */
export class Breaker {
  readonly #circuits: Circuits;
  readonly #sharing: Sharing;
  #serving = false;

  constructor(circuits: Circuits, sharing: Sharing) {
    this.#circuits = circuits;
    this.#sharing = sharing;
  }

  /** From now on its circuits are those of the gateway that runs. */
  serve(): void {
    this.#serving = true;
    this.#circuits.serve();
  }

  isShut(node: ConfigNode, walk: Walk): boolean {
    const entry = this.#circuits.known(node, walk);
    if (!entry || !isShut(entry.circuit, entry.policy, walk.now())) return false;
    // Nobody calls it, but it is asked about: forgetting it would close it.
    this.#circuits.touch(entry);
    return true;
  }

  *watch(target: Target, node: ConfigNode, policy: BreakerPolicy, walk: Walk, inner: (target: Target) => Route): Route {
    const entry = this.#circuits.of(node, policy, walk, target.provider.slug);
    const { circuit } = entry;
    if (this.#serving || walk.exchange.role !== "imagined")
      walk.note(node.path, notes[phaseAt(circuit, policy, walk.now())]);
    else walk.note(node.path, notKnownHere("whether its circuit is open"), { known: false });
    const counts = isExperience(walk);
    const probe = counts && begin(circuit, policy, walk.now());
    let failed: boolean | undefined;
    try {
      // A call that failed has, also where another answers while it waits to be made again.
      const outcome = yield* seeing(inner(target), (seen) => {
        failed = counts && verdictOf(seen, policy) ? true : undefined;
      });
      failed = counts ? verdictOf(outcome, policy) : undefined;
      return outcome;
    } finally {
      // Also where nobody walks the route to its end: such a call has shown nothing.
      if (failed !== undefined) this.#shown(entry, { failed, probe }, walk);
      else if (probe) abandon(circuit);
    }
  }

  #shown(entry: Entry, call: { readonly failed: boolean; readonly probe: boolean }, walk: Walk): void {
    this.#settle(entry, call, walk.now());
    const { attempt } = walk.exchange;
    if (!call.failed && attempt) begunWell.set(attempt, entry);
  }

  /** A stream counts as a success when it begins. One that died later was none, whoever answered in its place. */
  died({ attempts }: Exchange, now: number): void {
    for (const attempt of attempts) {
      const entry = begunWell.get(attempt);
      if (!entry || !attempt.outcome || !verdictOf(attempt.outcome, entry.policy)) continue;
      const { circuit } = entry;
      if (circuit.successes > 0) circuit.successes--;
      this.#settle(entry, { failed: true, probe: false }, now);
    }
  }

  #settle(entry: Entry, call: { readonly failed: boolean; readonly probe: boolean }, now: number): void {
    if (entry.outdated) return;
    const { circuit, policy } = entry;
    this.#circuits.touch(entry);
    const change = settle(circuit, policy, call, now);
    if (change || phaseAt(circuit, policy, now) === "closed") this.#sharing.tell(entry, call.failed, change);
  }
}

/** Whose success an attempt was. */
const begunWell = slot<Attempt, Entry>("circuit-breaker: begun well");

/** A host the caller brought says nothing about that of the config, which other callers are sent to. */
const isExperience = ({ exchange: { role, gatewayHeaders } }: Walk): boolean =>
  role !== "imagined" && gatewayHeaders.get("custom-host") === undefined;
