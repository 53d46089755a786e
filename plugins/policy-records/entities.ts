import {
  alertsStanding,
  GatewayError,
  type Home,
  type Managed,
  type ManagementCall,
  type PolicyCounters,
  type PolicyEntity,
} from "../../core/index.ts";
import type { UsageDocument } from "./policy-store.ts";

/** A counter of a policy, as somebody who manages it sees it. */
export interface SeenEntity extends PolicyEntity {
  /** Whose callers were counted; null for those of no organisation. */
  readonly organisation: string | null;
}

export interface EntitiesInput {
  /** Who counts; undefined where nobody does. */
  readonly counters: () => PolicyCounters | undefined;
  /** Undefined where there are no organisations. */
  readonly home: () => Promise<Home> | undefined;
}

type Call = Pick<ManagementCall, "organisation" | "own">;
type Policy = Managed<UsageDocument>;

/** Ids of counters are those of the account; of callers of no organisation the same account may exist a second time. */
const ofNobody = "anyone-";

/**
 * What was counted under policies, for those who may see it. Callers of no organisation (`auth-open`, `auth-keys`) meet the
 * policies that the file has for everybody. The file is the installation's, and so are they: their counters are seen and set
 * to zero by its home organisation, with credentials that are of no workspace, and by nobody else.
 */
export class Entities {
  readonly #input: EntitiesInput;

  constructor(input: EntitiesInput) {
    this.#input = input;
  }

  /** Judged by what the policy allows now; what was counted while it was about something else is none of it. */
  async seenBy(call: Call, policy: Policy): Promise<SeenEntity[]> {
    const counters = this.#input.counters();
    if (!counters) return [];
    const counted = async (organisation: string | undefined) =>
      (await counters.entities(organisation, policy.id)).filter(({ type }) => type === policy.document.type);
    const own = (await counted(policy.tenant)).map((one) => judged({ ...one, organisation: policy.tenant }, policy));
    if (!(await this.#keepsTheRest(call, policy))) return own;
    const rest = await counted(undefined);
    return [...own, ...rest.map((one) => judged({ ...one, id: `${ofNobody}${one.id}`, organisation: null }, policy))];
  }

  /** A counter by its value key; of a policy with one group, by the bare value as well. Throws 404 for others. */
  async ofValue(call: Call, policy: Policy, value: string): Promise<SeenEntity> {
    const [group, ...others] = policy.document.group_by;
    const bare = group && others.length === 0 ? `${group.key}:${value}` : undefined;
    const entities = await this.seenBy(call, policy);
    const found =
      entities.find(({ valueKey }) => valueKey === value) ?? entities.find(({ valueKey }) => valueKey === bare);
    if (found) return found;
    throw new GatewayError("record_unknown", `Nothing was counted for "${value}".`, { param: "reset_usage_for_value" });
  }

  /** False where there is no such counter that the caller sees. */
  async reset(call: Call, policy: Policy, id: string): Promise<boolean> {
    const counters = this.#input.counters();
    if (!counters) return false;
    if (!id.startsWith(ofNobody)) return counters.reset(policy.tenant, policy.id, id);
    if (!(await this.#keepsTheRest(call, policy))) return false;
    return counters.reset(undefined, policy.id, id.slice(ofNobody.length));
  }

  async #keepsTheRest({ organisation, own }: Call, { origin, document }: Policy): Promise<boolean> {
    if (origin !== "file" || document.workspace_id !== null || own) return false;
    return (await this.#input.home())?.organisation === organisation;
  }
}

const judged = (entity: SeenEntity, { document: { credit_limit, alert_threshold } }: Policy): SeenEntity => ({
  ...entity,
  status: entity.currentUsage >= credit_limit ? "exhausted" : "active",
  ...alertsStanding({
    used: entity.currentUsage,
    limit: credit_limit,
    alert: alert_threshold,
    thresholdSent: entity.thresholdAlertSent,
    exhaustedSent: entity.exhaustedAlertSent,
  }),
});
