import { GatewayError } from "../errors/gateway-error.ts";
import type { ManagementCall } from "../services/management.ts";
import type { RecordsService, StoredRecord } from "../services/records.ts";
import { slot } from "../slot.ts";
import type { ManagedDocument } from "./document.ts";

type Placed = Pick<StoredRecord<ManagedDocument>, "id" | "document"> & { readonly origin?: string };

/**
 * Tells whether what a record belongs to is there: what a deleted workspace leaves behind is seen by nobody, whichever
 * kind it is and whether or not it would have kept the workspace. Nothing has to be cleared away for that. Each workspace
 * is asked for once; a credential of a workspace is let in only while that is there.
 */
export function placesOf(call: Pick<ManagementCall, "own" | "hasWorkspace">): (one: Placed) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return async ({ id, document: { workspace_id: workspace }, origin = "store" }) => {
    if (origin !== "store" || workspace === null || workspace === id || workspace === call.own?.id) return true;
    const there = known.get(workspace) ?? call.hasWorkspace(workspace);
    known.set(workspace, there);
    return there;
  };
}

/** Whether a workspace is there, by its id, as the store itself says: not as it was last read. */
export type WorkspaceThere = (organisation: string, workspace: string) => Promise<boolean>;

const lookups = slot<RecordsService, WorkspaceThere>("resource-kit: whether workspaces are there");

/** Says how to find out whether a workspace of these records is there; the plugin that keeps workspaces does. */
export const keepsWorkspaces = (records: RecordsService, there: WorkspaceThere): void => lookups.set(records, there);

/**
 * Refuses what was made in a workspace that was deleted meanwhile: to be asked once it is kept. Who deletes a workspace
 * marks it first and looks for what needs it afterwards, so that of the two at least one sees the other, on every store
 * whose writes are seen once they are done and in whichever process: the maker takes back what it made, or the deleter the
 * mark. Looking before the write alone would leave the time between the two; a look at what is at hand would, too, as
 * another process may not have heard of the mark.
 */
export async function refuseGone(
  records: RecordsService,
  organisation: string,
  { id, document: { workspace_id: workspace } }: Placed,
): Promise<void> {
  const there = lookups.get(records);
  if (!there || workspace === null || workspace === id || (await there(organisation, workspace))) return;
  throw new GatewayError("reference_unknown", "The workspace was deleted at the same moment.", {
    param: "workspace_id",
  });
}
