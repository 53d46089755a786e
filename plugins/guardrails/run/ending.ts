/** When a check is over for those who wait for it. Most checks never ask for a signal of it, and none is made. */
export class Ending {
  #controller: AbortController | undefined;
  #over = false;

  now(): void {
    this.#over = true;
    this.#controller?.abort();
  }

  /** A signal of it, which fires with that of the request as well. */
  signalFor(request: AbortSignal | undefined): AbortSignal {
    const controller = new AbortController();
    this.#controller = controller;
    if (this.#over || request?.aborted) controller.abort();
    else request?.addEventListener("abort", () => controller.abort(), { once: true, signal: controller.signal });
    return controller.signal;
  }
}
