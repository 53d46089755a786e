import {
  type BudgetsService,
  type Limited,
  type Managed,
  type Rows,
  type ShownBudgets,
  shownBudgets,
  timesOf,
} from "../../core/index.ts";
import type { WorkspaceDocument } from "./workspace.ts";
import { displayName } from "./workspace-names.ts";

/** What all of a workspace is limited to together. */
export function limitsOf({ id, createdAt, version, document }: Managed<WorkspaceDocument>): Limited {
  const { slug = id, usage_limits, rate_limits, usage_reset_at } = document;
  return {
    level: "workspace",
    id,
    subject: slug,
    usage: usage_limits ?? [],
    rate: rate_limits ?? [],
    resetAt: usage_reset_at ?? null,
    since: createdAt,
    version,
  };
}

/** Workspaces as the API shows them (control-plane.md section 3.4). */
export const workspaceRows =
  (budgets: BudgetsService | undefined): Rows<WorkspaceDocument> =>
  async (records) =>
    (await shownBudgets(budgets, records[0]?.tenant ?? "", records, limitsOf)).map(([record, used]) =>
      shown(record, used),
    );

function shown(record: Managed<WorkspaceDocument>, used: ShownBudgets) {
  const { id, document } = record;
  const { slug = id, description, is_default, defaults, rate_limits } = document;
  const mark = { is_default: Number(is_default), object: "workspace" };
  return {
    id: slug,
    slug,
    uuid: id,
    name: displayName(document),
    description,
    status: document.deleted ? "archived" : "active",
    ...mark,
    ...timesOf(record),
    defaults: {
      metadata: null,
      input_guardrails: [],
      output_guardrails: [],
      user_api_key_config: null,
      ...defaults,
      ...mark,
    },
    usage_limits: document.usage_limits && used.usage,
    rate_limits,
  };
}
