import type { z } from "zod";
import type { Exchange } from "../model/exchange.ts";
import type { Principal } from "../model/principal.ts";
import { serviceToken } from "../service-token.ts";

/**
 * The management API: what plugins add operations to. Each one is checked in the order of control-plane.md section 1.5
 * (credential, throttle, scope, syntax, the record of the path, fields, then whatever `run` checks), answered in its
 * shapes, written to the audit trail, and described in `/openapi.json`.
 */
export interface ManagementService {
  /** Adds an operation; to be called in setup. */
  operation<Found, Body extends z.ZodType, Query extends z.ZodObject>(
    operation: ManagementOperation<Found, Body, Query>,
  ): void;
  /** Says who finds workspaces; one plugin does. */
  workspaces(finder: WorkspaceFinder): void;
  /** Asked after the scopes of a credential were found sufficient; throws to refuse all the same. */
  guard(guard: (call: ManagementCall, scopes: readonly string[]) => void | Promise<void>): void;
  /** Told of every write, done or refused, once its answer has left. */
  audit(listener: (entry: AuditedCall) => void | Promise<void>): void;
  /** Says who finds records of a kind, for others that refer to them; one plugin does. */
  keeps(kind: RecordKind, find: ReferenceFinder): void;
  /**
   * A record others refer to by id or slug: one that a workspace may use, or with none any of the organisation. What
   * belongs to a workspace that was deleted is not found.
   */
  reference(
    kind: RecordKind,
    organisation: string,
    workspace: string | undefined,
    ref: string,
  ): Promise<Reference | undefined>;
  /**
   * Says what would be left hanging without a record of a kind, in words: `the API key "claims-backend"`, or of a
   * workspace what is still in it: `3 configs`.
   */
  needs(kind: RecordKind, dependents: Dependents): void;
  /** All of that; a record with dependents is not deleted. */
  dependents(kind: RecordKind, organisation: string, record: Reference): Promise<readonly string[]>;
}

/** Kinds of records that others refer to. */
export type RecordKind =
  | "workspaces"
  | "users"
  | "configs"
  | "integrations"
  | "providers"
  | "guardrails"
  | "prompts"
  | "partials"
  | "collections"
  | "labels"
  | "secret_references"
  | "mcp_integrations";

/** A record, as others know it. */
export interface Reference {
  readonly id: string;
  readonly slug?: string;
  /** Null for what the whole organisation owns. */
  readonly workspace: string | null;
  /** Of a person: where to write to. */
  readonly email?: string;
}

export type ReferenceFinder = (
  organisation: string,
  workspace: string | undefined,
  ref: string,
) => Promise<Reference | undefined>;

export type Dependents = (organisation: string, record: Reference) => Promise<readonly string[]>;

export const Management = serviceToken<ManagementService>("management");

/** Finds a workspace by its id or its slug within an organisation; those that are archived are found on request only. */
export type WorkspaceFinder = (
  organisation: string,
  ref: string,
) => WorkspaceRef | undefined | Promise<WorkspaceRef | undefined>;

/** The two spellings of a workspace (control-plane.md section 1.2). */
export interface WorkspaceRef {
  readonly id: string;
  readonly slug: string;
}

/** One route of the management API. */
export interface ManagementOperation<
  Found = undefined,
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodObject = z.ZodObject,
> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/v1`, with parameters in braces: `/configs/{slug}`. */
  readonly path: string;
  /** What it is about, for `/openapi.json`: `configs`. */
  readonly tag: string;
  readonly summary: string;
  /** One of these suffices to get in; where it depends on the record which one, `run` asks `call.require` besides. */
  readonly scopes: readonly string[];
  /** Whose credentials it is for; `any` unless said otherwise. `anyone` needs none at all. */
  readonly key?: "organisation" | "workspace" | "any" | "anyone";
  /** Bytes of the body; 1 MiB unless said otherwise. */
  readonly bodyBytes?: number;
  readonly body?: Body;
  readonly query?: Query;
  /** Whether it says `status: "failure"` besides, where a field is wrong (control-plane.md section 14.1). */
  readonly saysFailure?: true;
  /** What a success answers, for `/openapi.json`. */
  readonly answer: z.ZodType;
  /** For the audit trail; reads have none. */
  readonly audit?: { readonly resource: AuditResource; readonly action: AuditAction };
  /** The record the path names, before any field is checked. Throws where there is none that the caller may see. */
  find?(call: ManagementCall): Found | Promise<Found>;
  /** Answers 200 with what it returns. */
  run(call: CheckedCall<Found, z.output<Body>, z.output<Query>>): unknown | Promise<unknown>;
}

/** A call of an operation. */
export interface ManagementCall {
  readonly exchange: Exchange;
  readonly principal: Principal;
  /** The id of the caller's organisation. */
  readonly organisation: string;
  /** The parameters of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** The workspace of the caller's credential; undefined for one of the whole organisation. */
  readonly own: WorkspaceRef | undefined;
  /** Whether the caller holds a scope. Who has no list of scopes holds them all. */
  holds(scope: string): boolean;
  /** Refuses a caller who holds none of these (403 AB03). */
  require(...scopes: readonly string[]): void;
  /**
   * The workspace a call is about (control-plane.md section 2.3): that of the credential, or for an organisation's the
   * one that `workspace_id` names in the query or the body; undefined where it names none. Another one than the
   * credential's is 403 AB03, an unknown one 404 AB02.
   */
  workspace(): Promise<WorkspaceRef | undefined>;
  /**
   * The id of a record that a field names by id or slug, which the workspace may use; `workspace` undefined is any of the
   * organisation. Another one is 404 AB02, or what `unknown` says.
   */
  reference(
    kind: RecordKind,
    ref: string,
    param: string,
    more?: { readonly workspace?: string | undefined; readonly unknown?: "reference_unknown" | "record_invalid" },
  ): Promise<Reference>;
  /**
   * Says whose records a call is about, for its trail, where its credential does not: once that is known for certain. That
   * of a record found by the path is known already.
   */
  concerns(whose: Concerned): void;
  /** A workspace by id or slug, as `workspace()` refuses it; `param` names the field. */
  workspaceOf(ref: string, param: string): Promise<WorkspaceRef>;
  /** Whether a workspace is there, by its id: what belongs to one that was deleted is seen by nobody. */
  hasWorkspace(id: string): Promise<boolean>;
}

/** Whose records a call is about: an organisation's, those of a workspace by its id. */
export interface Concerned {
  readonly organisation?: string;
  readonly workspace?: string;
}

export interface CheckedCall<Found, Body, Query> extends ManagementCall {
  readonly found: Found;
  /** Checked and with defaults; unknown fields are gone unless the schema keeps them. */
  readonly body: Body;
  readonly query: Query;
  /** The names of the fields the caller sent, known or not: PUT keeps what is absent. */
  readonly sent: ReadonlySet<string>;
}

/** A write, for the audit trail. */
export interface AuditedCall {
  readonly exchange: Exchange;
  /** Whose trail it belongs to. */
  readonly organisation: string;
  /** The id of the workspace whose record it is about, where that was found out. */
  readonly workspace?: string;
  readonly resource: AuditResource;
  readonly action: AuditAction;
  /** The body as it was sent, parsed; secrets are still in it. */
  readonly body: unknown;
}

export type AuditResource =
  | "workspaces"
  | "users"
  | "invites"
  | "api_keys"
  | "integrations"
  | "providers"
  | "virtual_keys"
  | "configs"
  | "prompts"
  | "partials"
  | "guardrails"
  | "collections"
  | "labels"
  | "policies"
  | "secret_references"
  | "mcp_integrations"
  | "mcp_servers"
  | "deployments"
  | "log_exports"
  | "scim"
  | "organisation"
  | "plugins"
  | "feedback"
  | "logs";

export type AuditAction =
  | "create"
  | "update"
  | "delete"
  | "publish"
  | "export"
  | "rotate"
  | "manage"
  | "duplicate"
  | "reset";
