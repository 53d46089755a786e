/** What the management API's records are made from. */

export { type CredentialKind, grantableScopes, plainScope, type ScopeRow, scopeCatalogue } from "../access/scopes.ts";
export { masked as maskedSecret } from "../secrets/masking.ts";
export { originOf } from "./callees.ts";
export type { Listed, ResourceDefinition, ResourceParts, Selection } from "./definition.ts";
export { type Managed, type ManagedDocument, sentOf, timesOf } from "./document.ts";
export { type CredentialMember, refuseElsewhere } from "./elsewhere.ts";
export * as fields from "./fields.ts";
export { kept as keptWithCredentials, notPutBack, shown as shownMasked } from "./hidden.ts";
export { changeIfStill, makeIfStill, notTakenBack } from "./if-still.ts";
export { fitMetadata, metadataDefaults, refuseUnusableSchema } from "./metadata.ts";
export { type Page, type PageRule, pageFields, pageOf } from "./paging.ts";
export { keepsWorkspaces, placesOf } from "./places.ts";
export { listed, manageResource, nothing, type Resource, requiredWorkspace } from "./resource.ts";
export { type Rows, rowOfOne } from "./rows.ts";
export { givenSlug, isId, type SlugRule, slugOf } from "./slugs.ts";
export { ResourceStore } from "./store.ts";
export { unlessDeleted } from "./unless-deleted.ts";
