import { GatewayError, type ManagedDocument, type RecordsService, ResourceStore } from "../../core/index.ts";
import type { People, WorkspaceRole } from "./people.ts";

/** That somebody was asked to join, as it is kept. */
export interface InviteDocument extends ManagedDocument {
  readonly workspace_id: null;
  readonly email: string;
  /** The address until whoever it is has come in: there is one invite for it. */
  readonly taken_email?: string | null;
  readonly role: "admin" | "member";
  readonly workspaces: readonly { readonly id: string; readonly role: WorkspaceRole }[];
  /** Of the keys that are made on acceptance; null for none. */
  readonly scopes: readonly string[] | null;
  readonly state: "pending" | "accepted" | "cancelled";
  readonly expires_at: string;
  readonly accepted_at: string | null;
  readonly invited_by: string;
  /** SHA-256 of the token in the link. */
  readonly digest: string;
}

export type InviteStore = ResourceStore<InviteDocument>;

export const inviteStore = (records: RecordsService): InviteStore =>
  new ResourceStore<InviteDocument>(
    {
      collection: "invites",
      what: "invite",
      schemaVersion: 1,
      indexes: ["email", "state"],
      unique: [["taken_email"]],
      unseen: 404,
    },
    { records },
  );

export const invitedAlready = (email: string) =>
  new GatewayError("already_exists", `"${email}" has been invited already.`, { param: "email" });

/** Refuses an address that belongs to somebody of the organisation. */
export async function refuseMember(people: People, organisation: string, email: string): Promise<void> {
  if (await people.byEmail(organisation, email))
    throw new GatewayError("already_exists", `"${email}" belongs to the organisation already.`, { param: "email" });
}

/** Of several invites for an address at the same time one is made. */
export async function asTheOnly<Made>(email: string, make: () => Promise<Made>): Promise<Made> {
  try {
    return await make();
  } catch (error) {
    throw error instanceof GatewayError && error.code === "already_exists" ? invitedAlready(email) : error;
  }
}

/** Whether somebody has just accepted, and may not be among the people yet. */
export const isComingIn = ({ accepted_at }: InviteDocument, now: number): boolean =>
  accepted_at !== null && now - Date.parse(accepted_at) < 60_000;

/** Named by id and by slug, it would be one workspace with two roles and two keys. */
export function refuseTwice(invited: InviteDocument["workspaces"]): void {
  const at = invited.findIndex(({ id }, place) => invited.findIndex((one) => one.id === id) < place);
  if (at < 0) return;
  const param = `workspaces[${at}].id`;
  throw new GatewayError("record_invalid", `${param}: this workspace is named twice.`, { param });
}

export const noSuchInvite = () =>
  new GatewayError("invalid_api_key", "This invite does not exist, or its link was replaced by a newer one.");

/** An invite as it is by now, if nobody has accepted it or taken it back. */
export function pending(document: InviteDocument, otherwise: string): InviteDocument {
  if (document.state === "pending") return document;
  throw new GatewayError("record_invalid", `This invite is ${document.state}: ${otherwise}.`);
}
