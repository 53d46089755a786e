import { GatewayError, type Managed, type ManagementCall } from "../../../core/index.ts";
import type { CollectionDocument } from "../saved/documents.ts";
import { isOpenTo } from "../saved/versioned.ts";
import { mostReferences } from "../template/link.ts";
import { partialReference } from "../template/partial-reference.ts";
import { shortened } from "../template/refusals.ts";
import type { ManageParts, PartialRecord, Partials } from "./parts.ts";

/** Where something is looked for: a workspace, or with none the whole organisation. */
export interface Place {
  readonly organisation: string;
  readonly workspace: string | null;
}

/** Refuses a template that uses a saved partial its workspace has not. */
export async function checkPartials(references: ReadonlySet<string>, place: Place, partials: Partials): Promise<void> {
  if (references.size > mostReferences)
    throw new GatewayError("record_invalid", `string: refers to more than ${mostReferences} partials.`, {
      param: "string",
    });
  for (const reference of references)
    if (!(await partialOf(reference, place, partials)))
      throw new GatewayError("record_invalid", shortened(`string: there is no partial "${reference}".`), {
        param: "string",
      });
}

/** The partial a template means, where a workspace may use it in that version. */
export async function partialOf(
  reference: string,
  { organisation, workspace }: Place,
  { stores }: Partials,
): Promise<PartialRecord | undefined> {
  const { ref, version } = partialReference(reference);
  const found = await stores.owners.get(organisation, ref);
  if (!found || (workspace !== null && !isOpenTo(found, workspace))) return undefined;
  const exists =
    typeof version === "number" ? version >= 1 && version <= found.document.versions.length : version !== "unknown";
  return exists ? found : undefined;
}

/** The slug of a provider, which the workspace or the config file has to have. Another one is 404 AB02, or as said. */
export async function providerOf(
  call: ManagementCall,
  { providers }: ManageParts,
  ref: string,
  workspace: string | null,
  unknown: "reference_unknown" | "record_invalid" = "reference_unknown",
): Promise<string> {
  const slug = ref.replace(/^@/, "");
  if (providers.configured(slug)) return slug;
  const within = { workspace: workspace ?? undefined, unknown };
  const found = await call.reference("providers", slug, "virtual_key", within);
  return found.slug ?? found.id;
}

/** A collection that a body names, of a workspace or of the one the call is about. Another one is 404 AB02. */
export async function collectionOf(
  call: ManagementCall,
  { stores }: ManageParts,
  ref: string,
  workspace?: string | null,
): Promise<Managed<CollectionDocument>> {
  const within = workspace ?? (await call.workspace())?.id;
  const found = await stores.collections.usable(call.organisation, within, ref);
  if (found) return found;
  throw new GatewayError("reference_unknown", `collection_id: there is no collection "${ref}".`, {
    param: "collection_id",
  });
}
