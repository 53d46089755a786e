import {
  GatewayError,
  type ManagementService,
  nothing,
  pageFields,
  pageOf,
  type ResourceStore,
  z,
} from "../../core/index.ts";
import type { Entities } from "./entities.ts";
import { activeOne } from "./manage.ts";
import type { UsageDocument } from "./policy-store.ts";

const parameter = "policyUsageLimitsId";
const path = `/policies/usage-limits/{${parameter}}/entities`;
const entityPage = { size: 50, max: 100 };

const row = z.object({
  id: z.string(),
  value_key: z.string(),
  current_usage: z.number(),
  status: z.enum(["active", "exhausted"]),
  organisation_id: z.null().optional().describe("There where callers of no organisation have used it."),
});

/** The counters of a policy, and setting one to zero (control-plane.md section 13.2). */
export function manageEntities(
  management: ManagementService,
  store: ResourceStore<UsageDocument>,
  entities: Entities,
): void {
  management.operation({
    method: "GET",
    path,
    tag: "policies",
    summary: "Lists what was counted under a usage limits policy.",
    scopes: ["policies.read"],
    query: z.object({
      status: z.enum(["active", "exhausted"]).optional(),
      search: z.string().optional().describe("A part of the value key."),
      ...pageFields(entityPage),
    }),
    answer: z.object({ object: z.literal("list"), total: z.int(), data: z.array(row) }),
    find: (call) => activeOne(call, store, parameter),
    async run(call) {
      const { status, search = "" } = call.query;
      const seen = (await entities.seenBy(call, call.found)).filter(
        (one) => (status === undefined || one.status === status) && one.valueKey.includes(search),
      );
      const { number, size } = pageOf(call.query, entityPage);
      const data = seen
        .slice(number * size, (number + 1) * size)
        .map(({ id, valueKey, currentUsage, status, organisation }) => ({
          id,
          value_key: valueKey,
          current_usage: currentUsage,
          status,
          ...(organisation === null && { organisation_id: null }),
        }));
      return { object: "list", total: seen.length, data };
    },
  });
  management.operation({
    method: "PUT",
    path: `${path}/{entityId}/reset`,
    tag: "policies",
    summary: "Sets one counter of a usage limits policy to zero.",
    scopes: ["policies.update"],
    answer: nothing,
    audit: { resource: "policies", action: "reset" },
    find: (call) => activeOne(call, store, parameter),
    async run(call) {
      const {
        found,
        own,
        path: { entityId = "" },
      } = call;
      if (own && found.document.workspace_id === null)
        throw new GatewayError(
          "forbidden",
          "This policy is every workspace's: its counters are set to zero by the organisation.",
        );
      if (await entities.reset(call, found, entityId)) return {};
      throw new GatewayError("record_unknown", `Nothing was counted under "${entityId}".`, { param: "entityId" });
    },
  });
}
