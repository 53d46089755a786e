import { setMaxListeners } from "node:events";

/** When a check is given up at its deadline. Most checks never ask for a signal of it, and none is made. */
export class Ending {
  #controller: AbortController | undefined;
  #over = false;

  now(): void {
    this.#over = true;
    this.#controller?.abort(late());
  }

  /** A signal of it, which fires with that of the request as well. Its reason tells them apart: a `TimeoutError` is the deadline. */
  signalFor(request: AbortSignal | undefined): AbortSignal {
    const controller = new AbortController();
    this.#controller = controller;
    if (this.#over) controller.abort(late());
    else if (request?.aborted) controller.abort();
    else if (request) {
      // A request has any number of checks: node takes more than ten that listen for a leak, and warns.
      setMaxListeners(0, request);
      request.addEventListener("abort", () => controller.abort(), { once: true, signal: controller.signal });
    }
    return controller.signal;
  }
}

const late = () => new DOMException("The check is given up at its deadline.", "TimeoutError");
