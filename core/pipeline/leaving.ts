import { GatewayError } from "../errors/gateway-error.ts";
import type { LeavingTime } from "../model/socket.ts";

/** What ends whatever is still under way when the gateway ends. */
export const shuttingDown = (): GatewayError => new GatewayError("draining", "The gateway is shutting down.");

type Listener = (when: LeavingTime) => void;

/** One who listens, between those who came before and after it. */
interface Link {
  readonly listener: Listener | undefined;
  before: Link | undefined;
  after: Link | undefined;
}

/**
 * Tells those who would stay for ever that the gateway ends, or its config has changed: first to go when they can, then at once. Every request comes and
 * goes here, so that those who listen are a list: tables that a Set has outgrown keep hold of what was in them until the next
 * full collection of garbage, and whole requests with it.
 */
export class Leaving {
  #when: LeavingTime | undefined;
  readonly #first: Link = { listener: undefined, before: undefined, after: undefined };
  #last: Link = this.#first;

  tell(when: LeavingTime): void {
    this.#when = when;
    // Who is told takes itself off the list, and others with it.
    const all: Link[] = [];
    for (let link = this.#first.after; link; link = link.after) all.push(link);
    for (const link of all) if (link.before) link.listener?.(when);
  }

  /** Calls `listener` whenever there is something to tell, and now where there was; the result takes it off again. */
  add(listener: Listener): () => void {
    const link: Link = { listener, before: this.#last, after: undefined };
    this.#last.after = link;
    this.#last = link;
    if (this.#when) listener(this.#when);
    return () => this.#remove(link);
  }

  /** Calls `end` when there is no more time, which may be now; the result takes it off again. */
  atTheEnd(end: () => void): () => void {
    return this.add((when) => {
      if (when === "now") end();
    });
  }

  #remove(link: Link): void {
    const { before, after } = link;
    if (!before) return;
    before.after = after;
    if (after) after.before = before;
    else this.#last = before;
    link.before = undefined;
    link.after = undefined;
  }
}
