import { GatewayError } from "../errors/gateway-error.ts";
import type { LeavingTime } from "../model/socket.ts";

/** What ends whatever is still under way when the gateway ends. */
export const shuttingDown = (): GatewayError => new GatewayError("draining", "The gateway is shutting down.");

/** Tells those who would stay for ever that the gateway ends: first to go when they can, then at once. */
export class Leaving {
  #when: LeavingTime | undefined;
  readonly #listeners = new Set<(when: LeavingTime) => void>();

  tell(when: LeavingTime): void {
    this.#when = when;
    for (const listener of this.#listeners) listener(when);
  }

  /** Calls `listener` whenever there is something to tell, and now where there was; the result takes it off again. */
  add(listener: (when: LeavingTime) => void): () => void {
    this.#listeners.add(listener);
    if (this.#when) listener(this.#when);
    return () => void this.#listeners.delete(listener);
  }
}
