import type { ConfigNode, Route, Target, Walk } from "../../core/index.ts";
import { abandon, begin, type Circuit, isShut, phaseAt, settle } from "./circuit.ts";
import type { Circuits } from "./circuits.ts";
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

  constructor(circuits: Circuits, sharing: Sharing) {
    this.#circuits = circuits;
    this.#sharing = sharing;
  }

  isShut(node: ConfigNode, walk: Walk): boolean {
    const entry = this.#circuits.known(node, walk);
    if (!entry || !isShut(entry.circuit, entry.policy, walk.now())) return false;
    // Nobody calls it, but it is asked about: forgetting it would close it.
    this.#circuits.touch(entry);
    return true;
  }

  *watch(target: Target, node: ConfigNode, policy: BreakerPolicy, walk: Walk, inner: (target: Target) => Route): Route {
    const entry = this.#circuits.of(node, policy, walk);
    const { circuit } = entry;
    walk.note(node.path, notes[phaseAt(circuit, policy, walk.now())]);
    const probe = begin(circuit, policy, walk.now());
    const forget = probe ? whenGone(walk, circuit) : undefined;
    const outcome = yield* inner(target);
    forget?.();
    const failed = isExperience(walk) ? verdictOf(outcome, policy) : undefined;
    if (failed === undefined) {
      if (probe) abandon(circuit);
      return outcome;
    }
    this.#circuits.touch(entry);
    const change = settle(circuit, policy, { failed, probe }, walk.now());
    if (change || phaseAt(circuit, policy, walk.now()) === "closed") this.#sharing.tell(entry, failed, change);
    return outcome;
  }
}

/** A host the caller brought says nothing about that of the config, which other callers are sent to. */
const isExperience = ({ exchange: { role, gatewayHeaders } }: Walk): boolean =>
  role !== "imagined" && gatewayHeaders.get("custom-host") === undefined;

/** A route whose client has left is not walked to its end: its probe is given back. What is returned undoes this. */
function whenGone({ exchange: { signal } }: Walk, circuit: Circuit): () => void {
  const gone = () => abandon(circuit);
  signal.addEventListener("abort", gone, { once: true });
  return () => signal.removeEventListener("abort", gone);
}
