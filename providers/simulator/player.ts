// Imported, not global: a test that holds the clock still then holds back delays only, and not every single frame.
import { clearImmediate, setImmediate } from "node:timers";
import type { UpstreamHandle, UpstreamListener } from "../../core/provider-kit/index.ts";

/** What happens in a call, one after the other. A call whose steps run out without an ending stays silent for ever. */
export type Step =
  | { readonly kind: "connected" }
  | { readonly kind: "wait"; readonly milliseconds: number }
  | { readonly kind: "headers"; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: "data"; readonly text: string | Buffer }
  | { readonly kind: "end" }
  | { readonly kind: "error"; readonly cause: Error };

/** Plays steps to a listener, each in a turn of its own, as frames from a network would come. */
export class Player implements UpstreamHandle {
  readonly #listener: UpstreamListener;
  #steps: readonly Step[] = [{ kind: "connected" }];
  #at = 0;
  /** Takes back the next turn, when one is planned. */
  #cancel: (() => void) | undefined;
  #held = false;
  /** A turn came while nothing may go out. */
  #due = false;
  #over = false;

  constructor(listener: UpstreamListener) {
    this.#listener = listener;
    this.#plan(0);
  }

  /** Adds what is to happen next. */
  play(steps: readonly Step[]): void {
    this.#steps = [...this.#steps, ...steps];
    if (!this.#cancel && !this.#due && !this.#over) this.#plan(0);
  }

  abort(): void {
    this.#over = true;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  pause(): void {
    this.#held = true;
  }

  resume(): void {
    this.#held = false;
    if (!this.#due || this.#over) return;
    this.#due = false;
    this.#plan(0);
  }

  #plan(milliseconds: number): void {
    const turn = () => this.#turn();
    if (milliseconds > 0) {
      const timer = setTimeout(turn, milliseconds);
      this.#cancel = () => clearTimeout(timer);
    } else {
      const immediate = setImmediate(turn);
      this.#cancel = () => clearImmediate(immediate);
    }
  }

  #turn(): void {
    this.#cancel = undefined;
    if (this.#held) {
      this.#due = true;
      return;
    }
    const step = this.#steps[this.#at];
    if (!step) return;
    this.#at++;
    if (step.kind === "wait") return this.#plan(step.milliseconds);
    if (step.kind === "end" || step.kind === "error") this.#over = true;
    this.#tell(step);
    // The listener may have aborted the call meanwhile, or added to it.
    if (!this.#over && !this.#cancel) this.#plan(0);
  }

  #tell(step: Exclude<Step, { kind: "wait" }>): void {
    switch (step.kind) {
      case "connected":
        return this.#listener.connected();
      case "headers":
        return this.#listener.headers(step.status, step.headers);
      case "data":
        return this.#listener.data(Buffer.from(step.text));
      case "end":
        return this.#listener.end();
      case "error":
        return this.#listener.error(step.cause);
    }
  }
}
