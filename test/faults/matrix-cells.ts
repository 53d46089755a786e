import {
  type Behaviour,
  cut,
  first,
  malformed,
  refusing,
  reset,
  silent,
  slowFirstToken,
  stalling,
  withoutTerminator,
} from "./matrix-vendor.ts";

/** What the client gets: a whole answer, a refusal with its status, or a stream that says it is broken. */
export type Got = "complete" | "restarted" | "broken" | number;

export interface Cell {
  readonly got: Got;
  readonly alpha: number;
  readonly beta: number;
}

interface Fault {
  readonly fault: string;
  readonly behaviour: Behaviour;
  /** Fields of the faulty target, besides its provider. */
  readonly target?: Readonly<Record<string, unknown>>;
  readonly alone: Readonly<Record<Delivery, Cell | undefined>>;
  readonly withFallback: Readonly<Record<Delivery, Cell | undefined>>;
}

export type Delivery = "whole" | "streamed";

const both = (cell: Cell) => ({ whole: cell, streamed: cell });
const once = (got: Got): Cell => ({ got, alpha: 1, beta: 0 });
const rescued: Cell = { got: "complete", alpha: 1, beta: 1 };
const restarted: Cell = { got: "restarted", alpha: 1, beta: 1 };
const healed: Cell = { got: "complete", alpha: 2, beta: 0 };

const patient = { attempts: 1, on_status_codes: [400, 429, 500, 503], use_retry_after_headers: true };

/** A fault that ends an attempt before the client has seen anything of it. */
const early = (fault: string, behaviour: Behaviour, status: number, target: Fault["target"] = {}): Fault => ({
  fault,
  behaviour,
  target,
  alone: both(once(status)),
  withFallback: both(rescued),
});

/** One that shows when a stream has begun. */
const late = (fault: string, behaviour: Behaviour, status: number, target: Fault["target"] = {}): Fault => ({
  fault,
  behaviour,
  target,
  alone: { whole: once(status), streamed: once("broken") },
  withFallback: { whole: rescued, streamed: restarted },
});

const retried = (fault: string, behaviour: Behaviour): Fault => ({
  fault,
  behaviour,
  target: { retry: patient },
  alone: both(healed),
  withFallback: both(healed),
});

/** The faults, and what comes of each of them for every client, alone and with a fallback behind the faulty target. */
export const faults: readonly Fault[] = [
  early("429", refusing(429, "rate_limit_exceeded"), 429),
  retried("429 with Retry-After, once", first(1, refusing(429, "rate_limit_exceeded", { "retry-after-ms": "20" }))),
  early("429 that asks for an hour", refusing(429, "rate_limit_exceeded", { "retry-after": "3600" }), 429, {
    retry: patient,
  }),
  retried("500 once", first(1, refusing(500, "server_error"))),
  early("503 for ever", refusing(503, "overloaded"), 503),
  early("reset before the headers", reset, 500),
  early("silence", silent, 408, { request_timeout: 100 }),
  early("slow first token", slowFirstToken, 408, { timeouts: { first_token: 100, total: 200 } }),
  late("cut mid-stream", cut, 500),
  late("stall", stalling, 408, { timeouts: { idle: 100 } }),
  {
    fault: "malformed frame",
    behaviour: malformed,
    alone: { whole: once(502), streamed: once("complete") },
    withFallback: { whole: rescued, streamed: once("complete") },
  },
  late("missing terminator", withoutTerminator, 502),
  early("context length", refusing(400, "context_length_exceeded"), 400, { retry: patient }),
  early("content filter", refusing(400, "content_filter"), 400, { retry: patient }),
  early("prefill rejected", refusing(400, "prefill_not_supported"), 400),
];
