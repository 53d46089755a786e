import { type Answer, type Endpoint, workspaceKey } from "../../core/index.ts";
import { type Phase, phaseAt } from "./circuit.ts";
import type { Circuits } from "./circuits.ts";

interface Row {
  readonly config: string;
  readonly path: string;
  readonly tenant?: string;
  readonly state: Phase;
  readonly failures: number;
  readonly successes: number;
  /** ISO 8601. */
  readonly open_until: string | null;
}

/** The last one that a date can say, Unix milliseconds: a cooldown may be as long as numbers go. */
const lastMoment = 8.64e15;

/** `GET /v1/health/targets`: what this process knows of the leaves that have a breaker; a tenant sees its own. */
export const healthEndpoint = (circuits: Circuits, now: () => number = Date.now): Endpoint => ({
  type: "targetHealth",
  method: "GET",
  path: "/v1/health/targets",
  scopes: ["health.read"],
  description: { tag: "health", summary: "Lists the targets that have a circuit breaker, and how each of them is." },
  serve({ principal }): Answer {
    const data: Row[] = [];
    for (const { circuit, policy, config, path, tenant } of circuits.list(workspaceKey(principal))) {
      const state = phaseAt(circuit, policy, now());
      const { failures, successes, openUntil } = circuit;
      const until = openUntil === undefined ? null : new Date(Math.min(openUntil, lastMoment)).toISOString();
      data.push({ config, path, ...(tenant !== "" && { tenant }), state, failures, successes, open_until: until });
    }
    return { kind: "answer", status: 200, body: { object: "list", data } };
  },
});
