import {
  type CheckedCall,
  fitMetadata,
  GatewayError,
  type ManagementCall,
  type ManagementService,
  type OrganisationsService,
  type WorkspaceRef,
  type z,
} from "../../core/index.ts";
import { checkedScopes, type createBody, type updateBody } from "./body.ts";
import type { ApiKeyDocument } from "./document.ts";
import type { KeyRecord, NewKey } from "./keys.ts";
import type { KeyKind } from "./kinds.ts";
import { checkedExpiry, policyFor, type RulesFinder } from "./rules.ts";

export interface ChangeParts {
  readonly organisations: Pick<OrganisationsService, "workspace" | "settings">;
  readonly reference: ManagementService["reference"];
  readonly rules: RulesFinder;
  readonly now: () => number;
}

type Defaults = Pick<ApiKeyDocument, "config_id" | "config_slug" | "allow_config_override" | "metadata">;

/** The key a call asks for. Throws as control-plane.md section 5.2 says. */
export async function newKey(
  call: CheckedCall<KeyKind, z.output<typeof createBody>, unknown>,
  workspace: WorkspaceRef | undefined,
  parts: ChangeParts,
): Promise<NewKey> {
  const { found: type, body } = call;
  const scopes = checkedScopes(body.scopes, type);
  refuseUnheld(call, scopes);
  const now = parts.now();
  const rules = await parts.rules(type, call.organisation, workspace?.id);
  const person = await personOf(call, type, body.user_id, workspace);
  const defaults = await defaultsOf(call, type, body.defaults, workspace, parts);
  const fits = await metadataFitter(call.organisation, parts);
  return {
    type,
    workspace_id: workspace?.id ?? null,
    name: body.name,
    description: body.description ?? null,
    ...person,
    scopes,
    rate_limits: body.rate_limits ?? null,
    usage_limits: body.usage_limits ?? null,
    ...defaults,
    metadata: await fits(defaults.metadata),
    alert_emails: body.alert_emails ?? [],
    expires_at: checkedExpiry(body.expires_at, rules, now),
    rotation_policy: policyFor(body.rotation_policy, rules, now),
    creation_mode: "api",
  };
}

/** What a call changes of a key; made of what was sent, to be laid over what the key is by then. */
export async function changesOf(
  call: CheckedCall<KeyRecord, z.output<typeof updateBody>, unknown>,
  parts: ChangeParts,
): Promise<(document: ApiKeyDocument) => Promise<ApiKeyDocument>> {
  const { found, body } = call;
  const { type, user_id, workspace_id } = found.document;
  const now = parts.now();
  const rules = await parts.rules(type, call.organisation, workspace_id ?? undefined);
  if (body.user_id !== undefined && body.user_id !== user_id)
    throw invalid("user_id", "whose key it is does not change: make another key");
  const scopes = body.scopes && checkedScopes(body.scopes, type);
  refuseUnheld(call, scopes?.filter((scope) => !found.document.scopes.includes(scope)) ?? []);
  const workspace = workspace_id === null ? undefined : { id: workspace_id };
  const given = body.defaults === undefined ? undefined : await givenDefaults(call, type, body.defaults, workspace);
  const fits = await metadataFitter(call.organisation, parts);
  const fields: Partial<ApiKeyDocument> = {
    ...sentOf({
      name: body.name,
      description: body.description,
      rate_limits: body.rate_limits,
      usage_limits: body.usage_limits,
      alert_emails: body.alert_emails,
      scopes,
    }),
    ...given,
    ...(body.expires_at !== undefined && { expires_at: checkedExpiry(body.expires_at, rules, now) }),
    ...(body.rotation_policy !== undefined && { rotation_policy: policyFor(body.rotation_policy, rules, now) }),
    ...(body.reset_usage && { last_reset_at: new Date(now).toISOString() }),
  };
  return async (document) => {
    const { status } = document;
    // That of before, too: what it must look like may have been decided since.
    const had = given ? given.metadata : document.metadata;
    const metadata = await fits(had);
    const revived =
      (status === "expired" && fields.expires_at !== undefined) ||
      (status === "exhausted" && body.reset_usage === true);
    return {
      ...document,
      ...fields,
      ...(metadata !== had && { metadata }),
      ...(revived && { status: "active" }),
    };
  };
}

/** A credential of a workspace grants what it holds itself, and no more (control-plane.md section 2.4). */
function refuseUnheld(call: ManagementCall, scopes: readonly string[]): void {
  const unheld = unheldOf(call, scopes);
  if (unheld === undefined) return;
  throw new GatewayError("forbidden", `This credential lacks the scope "${unheld}" itself, and may not grant it.`, {
    param: "scopes",
  });
}

/** Whoever rotates a key is told its value, which is as good as being granted what the key holds. */
export function refuseGreater(call: ManagementCall, { document }: KeyRecord): void {
  const unheld = unheldOf(call, document.scopes);
  if (unheld === undefined) return;
  const message = `This credential lacks the scope "${unheld}", which the key holds, and may not have a value of it.`;
  throw new GatewayError("forbidden", message);
}

const unheldOf = (call: ManagementCall, scopes: readonly string[]): string | undefined =>
  call.own && scopes.find((scope) => !call.holds(scope));

async function personOf(
  call: ManagementCall,
  type: KeyKind,
  user: string | undefined,
  workspace: WorkspaceRef | undefined,
): Promise<Pick<ApiKeyDocument, "user_id" | "identity">> {
  if (type !== "workspace-user") return { user_id: null, identity: null };
  if (user === undefined) throw invalid("user_id", "says whose key it is; it is missing");
  const { id, email } = await call.reference("users", user, "user_id", { workspace: workspace?.id });
  return { user_id: id, identity: email ?? null };
}

/** Makes metadata what the organisation wants it to be. Throws 400 AB01 that names what is wrong. */
async function metadataFitter(organisation: string, { organisations }: ChangeParts) {
  const { keyMetadata } = await organisations.settings(organisation);
  return (metadata: ApiKeyDocument["metadata"]) => fitMetadata(keyMetadata, metadata, "defaults.metadata");
}

/** Throws where the person of a key has left its workspace: they may have been taken out while the key was made. */
export async function needPerson(
  call: ManagementCall,
  { user_id = null, workspace_id }: Pick<NewKey, "user_id" | "workspace_id">,
): Promise<void> {
  if (user_id !== null) await call.reference("users", user_id, "user_id", { workspace: workspace_id ?? undefined });
}

/** Throws where the config of a key is there no longer: it may have been deleted while the key was made or changed. */
export async function needConfig(
  call: ManagementCall,
  { config_id = null, workspace_id }: Pick<NewKey, "config_id" | "workspace_id">,
): Promise<void> {
  if (config_id !== null) await configOf(call, config_id, workspace_id === null ? undefined : { id: workspace_id });
}

/** Keys of people that name no config get the one of their workspace, where it has one that is there. */
async function defaultsOf(
  call: ManagementCall,
  type: KeyKind,
  given: z.output<typeof createBody>["defaults"],
  workspace: WorkspaceRef | undefined,
  { organisations, reference }: ChangeParts,
): Promise<Defaults> {
  const own = await givenDefaults(call, type, given ?? null, workspace);
  if (own.config_id !== null || type !== "workspace-user" || !workspace) return own;
  const { userKeyConfig } = (await organisations.workspace(call.organisation, workspace.id)) ?? {};
  if (userKeyConfig === undefined) return own;
  const found = await reference("configs", call.organisation, workspace.id, userKeyConfig);
  return { ...own, ...(found && { config_id: found.id, config_slug: found.slug ?? null }) };
}

async function givenDefaults(
  call: ManagementCall,
  type: KeyKind,
  given: NonNullable<z.output<typeof createBody>["defaults"]> | null,
  workspace: Pick<WorkspaceRef, "id"> | undefined,
): Promise<Defaults> {
  const { config_id, metadata = null, allow_config_override = true } = given ?? {};
  const named = config_id !== undefined && config_id !== null;
  if (named && type === "organisation-service")
    throw invalid("defaults.config_id", "keys of the organisation call no models, so that they have no config");
  const config = named ? await configOf(call, config_id, workspace) : { config_id: null, config_slug: null };
  return { ...config, metadata, allow_config_override };
}

async function configOf(call: ManagementCall, ref: string, workspace: Pick<WorkspaceRef, "id"> | undefined) {
  const found = await call.reference("configs", ref, "defaults.config_id", { workspace: workspace?.id });
  return { config_id: found.id, config_slug: found.slug ?? null };
}

/** The fields that were sent; undefined is what was not. */
const sentOf = <Given extends object>(given: Given): { [Field in keyof Given]?: Exclude<Given[Field], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;

const invalid = (param: string, what: string) => new GatewayError("record_invalid", `${param}: ${what}.`, { param });
