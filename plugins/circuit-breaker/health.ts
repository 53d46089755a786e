import {
  type Answer,
  type Endpoint,
  type OrganisationsService,
  type Principal,
  workspaceKey,
} from "../../core/index.ts";
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

type Organisations = Pick<OrganisationsService, "home">;

/**
 * `GET /v1/health/targets`: what this process knows of the leaves that have a breaker. A workspace sees its own, an
 * organisation those of its workspaces.
 */
export const healthEndpoint = (
  circuits: Circuits,
  organisations?: Organisations,
  now: () => number = Date.now,
): Endpoint => ({
  type: "targetHealth",
  method: "GET",
  path: "/v1/health/targets",
  scopes: ["health.read"],
  description: { tag: "health", summary: "Lists the targets that have a circuit breaker, and how each of them is." },
  serve({ principal }) {
    const { organisation, workspace } = principal ?? {};
    if (organisation === undefined || workspace !== undefined) return listed(circuits, ownOf(principal), now());
    return isHome(organisation, organisations).then((home) =>
      listed(circuits, (tenant) => organisationOf(tenant) === organisation || (home && tenant === ""), now()),
    );
  },
});

/** Of a `workspaceKey`: tokens may name organisations with a slash, as those of a part of another one. */
const organisationOf = (tenant: string): string | undefined =>
  tenant === "" ? undefined : tenant.slice(0, tenant.lastIndexOf("/"));

/** Who belongs to none sees all. */
function ownOf(principal: Principal | undefined): (tenant: string) => boolean {
  const own = workspaceKey(principal);
  return (tenant) => own === "" || tenant === own;
}

/** The installation's own organisation looks after callers of none. While nobody can say which one that is, none does. */
const isHome = async (organisation: string, organisations: Organisations | undefined): Promise<boolean> =>
  (await organisations?.home().catch(() => undefined))?.organisation === organisation;

function listed(circuits: Circuits, sees: (tenant: string) => boolean, now: number): Answer {
  const data: Row[] = [];
  for (const { circuit, policy, config, path, tenant } of circuits.list(sees)) {
    const state = phaseAt(circuit, policy, now);
    const { failures, successes, openUntil } = circuit;
    const until = openUntil === undefined ? null : new Date(Math.min(openUntil, lastMoment)).toISOString();
    data.push({ config, path, ...(tenant !== "" && { tenant }), state, failures, successes, open_until: until });
  }
  return { kind: "answer", status: 200, body: { object: "list", data } };
}
