import type { ManagementCall } from "../services/management.ts";
import type { StoredRecord } from "../services/records.ts";
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
