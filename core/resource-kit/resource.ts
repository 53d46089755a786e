import { z } from "zod";
import { GatewayError } from "../errors/gateway-error.ts";
import type {
  AuditAction,
  AuditResource,
  CheckedCall,
  ManagementCall,
  ManagementOperation,
  ManagementService,
  RecordKind,
  Reference,
  WorkspaceRef,
} from "../services/management.ts";
import type { Selection } from "./definition.ts";
import type { Managed, ManagedDocument } from "./document.ts";
import { onceSettled } from "./if-still.ts";
import { type PageRule, pageFields, pageOf } from "./paging.ts";
import { type Row, type Rows, rowsOf, type Shown, withOrigin } from "./rows.ts";
import type { ResourceStore } from "./store.ts";

type Key = "organisation" | "workspace" | "any";

/** The five usual operations on a kind of record; each is there when it is described. */
export interface Resource<
  Document extends ManagedDocument,
  Create extends z.ZodType = z.ZodType,
  Update extends z.ZodType = z.ZodType,
  Filters extends z.ZodObject = z.ZodObject,
> {
  /** For `/openapi.json`: `labels`. */
  readonly tag: string;
  /** What one of them is called: `label`. */
  readonly what: string;
  readonly path: string;
  /** The name of the path's parameter: `labelId`. */
  readonly parameter: string;
  readonly audit: AuditResource;
  /** What others call it who refer to it: it is found for them, and not deleted while they need it. */
  readonly kind?: RecordKind;
  readonly key?: Key;
  readonly bodyBytes?: number;
  readonly store: ResourceStore<Document>;
  readonly create?: {
    readonly scopes: readonly string[];
    /** Whose key it takes, where that is not as for the others. */
    readonly key?: Key;
    readonly body: Create;
    readonly answer: z.ZodType;
    run(call: CheckedCall<undefined, z.output<Create>, z.output<z.ZodObject>>): Promise<Shown>;
  };
  readonly list?: {
    readonly scopes: readonly string[];
    readonly query?: Filters;
    /** Absent for lists that come whole. */
    readonly page?: PageRule;
    /** Which ones a call is about; the workspace of its credential is seen to. */
    select?(
      call: CheckedCall<undefined, unknown, z.output<Filters>>,
    ): Selection<Document> | Promise<Selection<Document>>;
    /** One row, or all of a page at once, where something is asked for that they share. */
    readonly row: Row<Document> | { readonly ofAll: Rows<Document> };
    /** The list as it is answered (control-plane.md section 1.4). */
    envelope(rows: readonly Shown[], total: number): unknown;
    readonly answer: z.ZodType;
  };
  readonly read?: {
    readonly scopes: readonly string[];
    readonly query?: z.ZodObject;
    readonly row: Row<Document>;
    readonly answer: z.ZodType;
    /** What stands around the record; nothing unless said otherwise. */
    readonly envelope?: (row: Shown) => unknown;
  };
  readonly update?: {
    readonly scopes: readonly string[];
    readonly query?: z.ZodObject;
    readonly body: Update;
    readonly answer: z.ZodType;
    run(call: CheckedCall<Managed<Document>, z.output<Update>, z.output<z.ZodObject>>): Promise<Shown>;
  };
  readonly remove?: {
    readonly scopes: readonly string[];
    /** Whose key it takes, where that is not as for the others. */
    readonly key?: Key;
    readonly query?: z.ZodObject;
    /** Throws where it must stay. */
    check?(call: ManagementCall, record: Managed<Document>): void | Promise<void>;
    /** What has to be done besides, once it is gone. */
    after?(call: ManagementCall, record: Managed<Document>): void | Promise<void>;
  };
  /** Refuses what the caller may not do with this very record, whatever its scopes said. */
  allow?(call: ManagementCall, record: Managed<Document>, verb: "read" | "update" | "delete"): void;
}

/** What most writes answer. */
export const nothing = z.strictObject({});

/** The usual envelope of a list. */
export const listed = (data: readonly Shown[], total: number): Shown => ({ object: "list", total, data });

/** Adds the usual operations of a kind of record to the management API. */
export function manageResource<
  Document extends ManagedDocument,
  Create extends z.ZodType,
  Update extends z.ZodType,
  Filters extends z.ZodObject,
>(management: ManagementService, resource: Resource<Document, Create, Update, Filters>): void {
  const { create, list, read, update, remove, kind, store } = resource;
  if (kind)
    management.keeps(kind, async (organisation, workspace, ref) => {
      const found = await store.usable(organisation, workspace, ref);
      return found && referenceTo(found);
    });
  if (create) management.operation(createOperation(resource, create));
  if (list) management.operation(listOperation(resource, list));
  if (read) management.operation(readOperation(resource, read));
  if (update) management.operation(updateOperation(resource, update));
  if (remove) management.operation(removeOperation(management, resource, remove));
}

const referenceTo = <Document extends ManagedDocument>({ id, document }: Managed<Document>): Reference => ({
  id,
  ...(document.slug !== undefined && { slug: document.slug }),
  workspace: document.workspace_id,
});

type Any<Document extends ManagedDocument> = Resource<Document, z.ZodType, z.ZodType, z.ZodObject>;
type Part<Name extends "create" | "list" | "read" | "update" | "remove", Whole> = NonNullable<
  Whole extends { readonly [N in Name]?: infer P } ? P : never
>;

const shared = (
  { tag, key, bodyBytes, audit }: Pick<Any<ManagedDocument>, "tag" | "key" | "bodyBytes" | "audit">,
  action?: AuditAction,
) => ({
  tag,
  ...(key !== undefined && { key }),
  ...(bodyBytes !== undefined && { bodyBytes }),
  ...(action && { audit: { resource: audit, action } }),
});

function createOperation<Document extends ManagedDocument, Create extends z.ZodType>(
  resource: Pick<Any<Document>, "tag" | "key" | "bodyBytes" | "audit" | "path" | "what">,
  { scopes, key = resource.key, body, answer, run }: Part<"create", Resource<Document, Create>>,
): ManagementOperation<undefined, Create, z.ZodObject> {
  const { path, what } = resource;
  return {
    ...shared({ ...resource, ...(key && { key }) }, "create"),
    method: "POST",
    path,
    summary: `Makes a ${what}.`,
    scopes,
    body,
    answer,
    run,
  };
}

function listOperation<Document extends ManagedDocument, Filters extends z.ZodObject>(
  resource: Pick<Any<Document>, "tag" | "key" | "bodyBytes" | "audit" | "path" | "what" | "store">,
  list: Part<"list", Resource<Document, z.ZodType, z.ZodType, Filters>>,
): ManagementOperation<undefined, z.ZodType, z.ZodObject> {
  const { path, what, store } = resource;
  const { scopes, page, answer } = list;
  const query = z.object({ ...list.query?.shape, ...(page && pageFields(page)) });
  return {
    ...shared(resource),
    method: "GET",
    path,
    summary: `Lists each ${what} the credential may see.`,
    scopes,
    query,
    answer,
    async run(call) {
      const selection =
        (await list.select?.(call as unknown as CheckedCall<undefined, unknown, z.output<Filters>>)) ?? {};
      const { records, total } = await store.list(call, {
        ...selection,
        ...(page && { page: pageOf(call.query, page) }),
      });
      return list.envelope(await rowsOf(records, list.row), total);
    },
  };
}

function readOperation<Document extends ManagedDocument>(
  resource: Any<Document> | Resource<Document, never, never, never>,
  read: Part<"read", Resource<Document>>,
): ManagementOperation<Managed<Document>> {
  const { scopes, query, answer, row, envelope } = read;
  return {
    ...shared(resource),
    ...onOne(resource, "read"),
    method: "GET",
    summary: `Reads a ${resource.what}.`,
    scopes,
    ...(query && { query }),
    answer,
    async run({ found }) {
      const shown = await withOrigin(row)(found);
      return envelope ? envelope(shown) : shown;
    },
  };
}

function updateOperation<Document extends ManagedDocument, Update extends z.ZodType>(
  resource: Any<Document> | Resource<Document, never, never, never>,
  { scopes, query, body, answer, run }: Part<"update", Resource<Document, z.ZodType, Update>>,
): ManagementOperation<Managed<Document>, Update, z.ZodObject> {
  return {
    ...shared(resource, "update"),
    ...onOne(resource, "update"),
    method: "PUT",
    summary: `Changes the fields of a ${resource.what} that are sent.`,
    scopes,
    ...(query && { query }),
    body,
    answer,
    run,
  };
}

function removeOperation<Document extends ManagedDocument>(
  management: ManagementService,
  resource: Any<Document> | Resource<Document, never, never, never>,
  { scopes, key = resource.key, query, check, after }: Part<"remove", Resource<Document>>,
): ManagementOperation<Managed<Document>> {
  const { store, what, kind } = resource;
  const refuseNeeded = async (record: Managed<Document>) => {
    const needed = kind ? await management.dependents(kind, record.tenant, referenceTo(record)) : [];
    if (needed.length > 0)
      throw new GatewayError("record_invalid", `This ${what} cannot be deleted while there is: ${needed.join(", ")}.`);
  };
  return {
    ...shared({ ...resource, ...(key && { key }) }, "delete"),
    ...onOne(resource, "delete"),
    method: "DELETE",
    summary: `Deletes a ${what}; its slug stays taken.`,
    scopes,
    ...(query && { query }),
    answer: nothing,
    async run(call) {
      await check?.(call, call.found);
      await refuseNeeded(call.found);
      await store.remove(call.found, () => onceSettled(() => refuseNeeded(call.found)));
      await after?.(call, call.found);
      return {};
    },
  };
}

/** The path of one record, and how it is found. */
function onOne<Document extends ManagedDocument>(
  { path, parameter, store, allow }: Any<Document> | Resource<Document, never, never, never>,
  verb: "read" | "update" | "delete",
) {
  return {
    path: `${path}/{${parameter}}`,
    async find(call: ManagementCall): Promise<Managed<Document>> {
      const found = await store.find(call, call.path[parameter] ?? "");
      allow?.(call, found, verb);
      return found;
    },
  };
}

/** The workspace a record is made in, where it must be one. */
export async function requiredWorkspace(call: ManagementCall, what: string): Promise<WorkspaceRef> {
  const workspace = await call.workspace();
  if (workspace) return workspace;
  throw new GatewayError("record_invalid", `workspace_id says in which workspace the ${what} is; it is missing.`, {
    param: "workspace_id",
  });
}
