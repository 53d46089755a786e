import { randomUUID } from "node:crypto";
import { type Home, RecordError, type RecordsService } from "../../core/index.ts";
import { installation, newOrganisation, type OrganisationStore } from "./organisation.ts";
import type { WorkspaceStore } from "./workspace.ts";

/**
 * The organisation of this installation with its shared workspace. Of several processes that start at once, the first one
 * to say which it is has its way; whoever comes later makes what is missing of it.
 */
export async function openHome(
  records: RecordsService,
  organisations: OrganisationStore,
  workspaces: WorkspaceStore,
): Promise<Home> {
  const homes = records.collection<Home>({ name: "homes", schemaVersion: 1 });
  const key = { tenant: installation, id: "home" };
  const mine = { organisation: randomUUID(), workspace: randomUUID() };
  const found =
    (await homes.get(key)) ?? (await unlessThere(homes.insert({ ...key, document: mine }))) ?? (await homes.get(key));
  const { organisation, workspace } = found?.document ?? mine;
  if (!(await organisations.collection.get({ tenant: installation, id: organisation })))
    await unlessThere(
      organisations.collection.insert({
        tenant: installation,
        id: organisation,
        document: newOrganisation("Organisation", workspace),
      }),
    );
  if (!(await workspaces.get(organisation, workspace)))
    await unlessThere(makeShared(workspaces, organisation, workspace));
  return { organisation, workspace };
}

const makeShared = (workspaces: WorkspaceStore, organisation: string, id: string) =>
  workspaces.create(
    organisation,
    { id, name: "Shared" },
    {
      workspace_id: id,
      name: "Shared",
      taken_name: "Shared",
      description: "Everybody's.",
      icon: null,
      is_default: true,
      defaults: null,
      usage_limits: null,
      rate_limits: null,
      settings: {},
    },
  );

/** Somebody else may have been quicker. */
async function unlessThere<Made>(making: Promise<Made>): Promise<Made | undefined> {
  try {
    return await making;
  } catch (error) {
    if (error instanceof RecordError && error.reason === "exists") return undefined;
    throw error;
  }
}
