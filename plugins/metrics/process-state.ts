import type { Logger } from "../../core/index.ts";
import type { Family } from "./registry/family.ts";
import type { Runtime } from "./runtime.ts";
import type { Peers, Report } from "./workers/peers.ts";

/** What outlives the generations of a gateway: counts go on while its process runs. */
export interface ProcessState {
  readonly families: Map<string, Family>;
  runtime?: Runtime;
  peers?: Peers;
  /** How the generation that answers reports to other workers. */
  report?: () => Promise<Report>;
}

const states = new WeakMap<object, ProcessState>();

/** That of the gateway which writes to this log: all its generations do, and a process may hold several gateways. */
export function processState(log: Logger): ProcessState {
  const known = states.get(log) ?? { families: new Map<string, Family>() };
  states.set(log, known);
  return known;
}
