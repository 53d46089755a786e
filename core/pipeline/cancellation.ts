import { GatewayError } from "../errors/gateway-error.ts";

/** What ends whatever a client has left. */
export const clientGone = (): GatewayError => new GatewayError("client_gone", "The client closed the connection.");

/** One-way switch from "going on" to "given up", with listeners. Cheaper than an AbortController per request. */
export class Cancellation {
  #listeners: (() => void)[] | undefined = [];
  #reason: GatewayError | undefined;
  #controller: AbortController | undefined;

  get cancelled(): boolean {
    return this.#listeners === undefined;
  }

  /** What it was given up for: the client has gone, unless something else was said. */
  get reason(): GatewayError {
    return this.#reason ?? clientGone();
  }

  /** Throws when cancelled: nothing is begun for nobody. */
  check(): void {
    if (this.cancelled) throw this.reason;
  }

  /** Calls `listener` when cancelled (at once if it is already), for as long as the exchange goes on. */
  listen(listener: () => void): void {
    if (this.#listeners) this.#listeners.push(listener);
    else listener();
  }

  /** The same; the result takes it off again. */
  add(listener: () => void): () => void {
    const listeners = this.#listeners;
    this.listen(listener);
    // Its place stays: others may be called just now, each at its own.
    return () => {
      const at = listeners?.indexOf(listener) ?? -1;
      if (listeners && at >= 0) listeners[at] = ignore;
    };
  }

  cancel(reason?: GatewayError): void {
    const listeners = this.#listeners;
    if (!listeners) return;
    this.#reason = reason;
    this.#listeners = undefined;
    for (const listener of listeners) listener();
    this.#controller?.abort();
  }

  /** The same as an AbortSignal, made when first asked for. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.cancelled) this.#controller.abort();
    }
    return this.#controller.signal;
  }
}

function ignore(): void {}
