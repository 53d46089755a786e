import { randomUUID } from "node:crypto";
import { type Home, RecordError, type RecordsService } from "../../core/index.ts";
import { firstSettings, installation, organisationsIn } from "./organisation.ts";
import type { WorkspaceStore } from "./workspaces.ts";

interface HomeDocument {
  readonly organisation: string;
  readonly workspace: string;
}

/**
 * The organisation of this installation with its shared workspace. Of several processes that start at once, the first one
 * to say which it is has its way; whoever comes later makes what is missing of it.
 */
export async function openHome(records: RecordsService, workspaces: WorkspaceStore): Promise<Home> {
  const homes = records.collection<HomeDocument>({ name: "homes", schemaVersion: 1 });
  const organisations = organisationsIn(records);
  const key = { tenant: installation, id: "home" };
  const mine = { organisation: randomUUID(), workspace: randomUUID() };
  const found = await homes.get(key);
  const { organisation, workspace } =
    (found ?? (await unlessThere(homes.insert({ ...key, document: mine }))) ?? (await homes.get(key)))?.document ??
    mine;
  if (!(await organisations.get({ tenant: installation, id: organisation })))
    await unlessThere(
      organisations.insert({
        tenant: installation,
        id: organisation,
        document: {
          name: "Organisation",
          settings: firstSettings,
          workspace_overrides: {},
          default_workspace: workspace,
        },
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
      description: "Everybody's.",
      icon: null,
      is_default: true,
      defaults: null,
      usage_limits: null,
      rate_limits: null,
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
