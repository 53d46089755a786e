import {
  GatewayError,
  type Managed,
  type ManagedDocument,
  type ManagementCall,
  makeIfStill,
  type RecordsService,
  ResourceStore,
  unlessDeleted,
} from "../../core/index.ts";
import type { workspaceRoles } from "./people.ts";

/** That who is in a group has a role in a workspace, as it is kept. */
export interface MappingDocument extends ManagedDocument {
  readonly group: string;
  readonly role: (typeof workspaceRoles)[number];
  /** `GROUP/WORKSPACE`, which no two mappings have; null once it is deleted, absent of those made before that was seen to. */
  readonly taken_pair?: string | null;
  /** The group, of the one mapping that decides its role; null of all others, and once it is deleted. */
  readonly leads?: string | null;
}

export const mappingStore = (records: RecordsService): ResourceStore<MappingDocument> =>
  new ResourceStore(
    {
      collection: "scim_mappings",
      what: "SCIM mapping",
      schemaVersion: 1,
      indexes: ["group"],
      unique: [["taken_pair"], ["leads"]],
      freed: ["taken_pair", "leads"],
      unseen: 404,
    },
    { records },
  );

interface Wanted {
  readonly group: string;
  readonly workspace: string;
  readonly role: MappingDocument["role"];
}

/**
 * The mapping that is there, or else is made. A group holds one role. Of several mappings that are made at the same moment
 * for a group that has none the store keeps one that leads, as no two may, and the others see its role: one of them holds.
 * Joining a group is looked at once more when it is kept, as its last mapping may have ended meanwhile.
 */
export async function mapGroup(
  mappings: ResourceStore<MappingDocument>,
  call: ManagementCall,
  { group, workspace, role }: Wanted,
): Promise<Managed<MappingDocument>> {
  const { organisation } = call;
  const ofGroup = async () => {
    const { records } = await mappings.list(call, { where: { group } });
    if (records.some(({ document }) => document.role !== role)) throw otherRole();
    return records;
  };
  for (;;) {
    const known = await ofGroup();
    const own = known.find(({ document }) => document.workspace_id === workspace);
    if (own) return own;
    const leads = known.some((one) => one.document.leads) ? null : group;
    const document = { workspace_id: workspace, group, role, taken_pair: `${group}/${workspace}`, leads };
    try {
      return await makeIfStill(
        () => mappings.create(organisation, {}, document),
        ofGroup,
        (made) => mappings.remove(made),
      );
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== "already_exists") throw error;
      await endLostLead(mappings, call, group);
    }
  }
}

/** The mapping of a workspace that is gone leads no more: nobody sees the role it has. */
async function endLostLead(
  mappings: ResourceStore<MappingDocument>,
  call: ManagementCall,
  group: string,
): Promise<void> {
  const filter = ({ document }: Managed<MappingDocument>) => document.leads === group;
  const { records } = await mappings.select(call.organisation, { where: { group }, filter });
  for (const one of records)
    if (!(await call.hasWorkspace(one.document.workspace_id ?? "")))
      await unlessDeleted(mappings, one, () => mappings.update(one, (document) => ({ ...document, leads: null })));
}

const otherRole = () =>
  new GatewayError("record_invalid", "This group has another role already: a group may hold one role only.", {
    param: "role",
  });
