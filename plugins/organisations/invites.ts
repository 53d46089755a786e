import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import {
  fields,
  GatewayError,
  grantableScopes,
  listed,
  type Managed,
  type ManagementService,
  manageResource,
  type NotificationsService,
  nothing,
  plainScope,
  type RecordsService,
  z,
} from "../../core/index.ts";
import { refuseBeyond } from "./caps.ts";
import {
  asTheOnly,
  type InviteDocument,
  type InviteStore,
  invitedAlready,
  inviteStore,
  isComingIn,
  noSuchInvite,
  pending,
  refuseMember,
  refuseTwice,
} from "./invite-store.ts";
import type { MemberKeys } from "./member-keys.ts";
import { type People, workspaceRoles } from "./people.ts";
import type { WorkspaceStore } from "./workspace.ts";

export interface InvitesParts {
  readonly records: RecordsService;
  readonly people: People;
  readonly workspaces: WorkspaceStore;
  readonly keys: MemberKeys;
  /** Gives somebody who is new in a workspace the key that its settings promise. */
  readonly welcome: (organisation: string, workspace: string, user: string) => Promise<void>;
  readonly notifications: NotificationsService | undefined;
  /** Where links begin: `https://gateway.example`. */
  readonly publicUrl: string;
  readonly mostUsers: number | undefined;
  readonly now: () => number;
}

const lifetime = 7 * 24 * 60 * 60 * 1000;
const role = z.enum(["admin", "member"]);
const statuses = ["pending", "accepted", "cancelled", "expired"] as const;
const answer = z.looseObject({
  object: z.literal("invite"),
  id: z.string(),
  email: z.string(),
  status: z.enum(statuses),
});
/** The keys are made when nobody is there any more who could mend it. */
const userKeyScope = z
  .string()
  .transform(plainScope)
  .refine((scope) => grantableScopes("workspace-user").has(scope), "is none that keys of people may hold");
const creation = z.object({
  email: fields.email.transform((email) => email.toLowerCase()),
  role,
  workspaces: z.array(z.object({ id: z.string(), role: z.enum(workspaceRoles) })),
  workspace_api_key_details: z.object({ scopes: z.array(userKeyScope).min(1) }).optional(),
});

/** Invitations to an organisation (control-plane.md section 4.3). */
export function manageInvites(management: ManagementService, parts: InvitesParts): void {
  const { records, people, workspaces, notifications, publicUrl, now } = parts;
  const store = inviteStore(records);
  const statusOf = ({ state, expires_at }: InviteDocument) =>
    state === "pending" && Date.parse(expires_at) <= now() ? "expired" : state;
  const slugs = async (organisation: string, invited: InviteDocument["workspaces"]) =>
    Promise.all(
      invited.map(async ({ id, role: given }) => ({
        workspace_id: (await workspaces.get(organisation, id))?.document.slug ?? id,
        role: given,
      })),
    );
  const shown = async (record: Managed<InviteDocument>) => {
    const { email, role: given, expires_at, accepted_at, invited_by } = record.document;
    return {
      object: "invite",
      id: record.id,
      email,
      role: given,
      created_at: new Date(record.createdAt).toISOString(),
      expires_at,
      accepted_at,
      status: statusOf(record.document),
      invited_by,
      workspaces: await slugs(record.tenant, record.document.workspaces),
    };
  };
  /** A token that says whose it is, its digest, and the link that carries it. */
  const newToken = (organisation: string) => {
    const token = `${organisation.replaceAll("-", "")}${randomBytes(32).toString("base64url")}`;
    const expires_at = new Date(now() + lifetime).toISOString();
    return { link: `${publicUrl}/invites/${token}`, kept: { digest: digestOf(token), expires_at } };
  };
  const tell = (organisation: string, id: string, email: string, link: string) =>
    notifications?.notify({
      event: "invite.created",
      organisation,
      subject: { kind: "invite", id },
      data: { email },
      confidential: { invite_link: link },
      recipients: [email],
    });
  const refuseKnown = async (organisation: string, email: string) => {
    const { records: before } = await store.select(organisation, { where: { email } });
    if (before.some(({ document }) => statusOf(document) === "pending")) throw invitedAlready(email);
    await refuseMember(people, organisation, email);
    for (const one of before)
      if (one.document.taken_email && !isComingIn(one.document, now()))
        await store.update(one, (document) => ({ ...document, taken_email: null }));
  };

  manageResource(management, {
    tag: "invites",
    what: "invite",
    path: "/admin/users/invites",
    parameter: "inviteId",
    audit: "invites",
    key: "organisation",
    store,
    create: {
      scopes: ["organisation_users.create"],
      body: creation,
      answer: z.object({ id: z.string(), invite_link: z.string() }),
      async run(call) {
        const { organisation, body, principal } = call;
        const invited = await Promise.all(
          body.workspaces.map(async ({ id, role: given }, at) => ({
            id: (await call.workspaceOf(id, `workspaces[${at}].id`)).id,
            role: given,
          })),
        );
        refuseTwice(invited);
        await refuseKnown(organisation, body.email);
        await refuseBeyond(parts.mostUsers, people.users, organisation, "people");
        const { link, kept } = newToken(organisation);
        const made = await asTheOnly(body.email, () =>
          store.create(
            organisation,
            {},
            {
              workspace_id: null,
              email: body.email,
              taken_email: body.email,
              role: body.role,
              workspaces: invited,
              scopes: body.workspace_api_key_details?.scopes ?? null,
              state: "pending",
              accepted_at: null,
              invited_by: principal.user ?? principal.id,
              ...kept,
            },
          ),
        );
        tell(organisation, made.id, body.email, link);
        return { id: made.id, invite_link: link };
      },
    },
    list: {
      scopes: ["organisation_users.list"],
      query: z.object({ role: role.optional(), email: z.string().optional(), status: z.enum(statuses).optional() }),
      page: { size: 50, max: 500 },
      select: ({ query }) => ({
        filter: ({ document }) =>
          (query.role === undefined || document.role === query.role) &&
          (query.email === undefined || document.email === query.email.toLowerCase()) &&
          (query.status === undefined || statusOf(document) === query.status),
      }),
      row: shown,
      envelope: listed,
      answer: z.object({ object: z.literal("list"), total: z.int(), data: z.array(answer) }),
    },
    read: { scopes: ["organisation_users.read"], row: shown, answer },
  });
  management.operation({
    method: "DELETE",
    path: "/admin/users/invites/{inviteId}",
    tag: "invites",
    summary: "Takes back an invite.",
    scopes: ["organisation_users.delete"],
    key: "organisation",
    audit: { resource: "invites", action: "delete" },
    answer: nothing,
    find: (call) => store.find(call, call.path.inviteId ?? ""),
    async run({ found }) {
      await store.update(found, (document) => ({
        ...pending(document, "only a pending one is taken back"),
        state: "cancelled",
        taken_email: null,
      }));
      return {};
    },
  });
  management.operation({
    method: "POST",
    path: "/admin/users/invites/{inviteId}/resend",
    tag: "invites",
    summary: "Invites again, with a new link.",
    scopes: ["organisation_users.update"],
    key: "organisation",
    audit: { resource: "invites", action: "update" },
    answer: z.object({ inviteLink: z.string() }),
    find: (call) => store.find(call, call.path.inviteId ?? ""),
    async run({ organisation, found }) {
      const { link, kept } = newToken(organisation);
      const { email } = found.document;
      await asTheOnly(email, () =>
        store.update(found, (document) => ({
          ...pending(document, "it cannot be sent again"),
          ...kept,
          taken_email: email,
        })),
      );
      tell(organisation, found.id, email, link);
      return { inviteLink: link };
    },
  });
  management.operation({
    method: "POST",
    path: "/admin/users/invites/{inviteId}/accept",
    tag: "invites",
    summary: "Accepts an invite; the token of its link is the credential.",
    scopes: [],
    key: "anyone",
    audit: { resource: "invites", action: "update" },
    body: z.object({ token: z.string(), first_name: fields.name.optional(), last_name: fields.name.optional() }),
    answer: z.object({
      user_id: z.string(),
      api_keys: z.array(z.looseObject({ workspace_id: z.string(), key: z.string() })),
    }),
    async run({ path, body, concerns }) {
      const invite = await invited(store, path.inviteId ?? "", body.token);
      concerns({ organisation: invite.tenant });
      if (statusOf(invite.document) !== "pending")
        throw new GatewayError("record_invalid", `This invite is ${statusOf(invite.document)}.`);
      await refuseMember(people, invite.tenant, invite.document.email);
      await refuseBeyond(parts.mostUsers, people.users, invite.tenant, "people");
      return accept(invite, body, parts, store);
    },
  });
}

const digestOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** The invite a token belongs to. Whoever has a wrong one learns nothing of what there is. */
async function invited(store: InviteStore, id: string, token: string): Promise<Managed<InviteDocument>> {
  const organisation = token.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  const found = organisation.length === 36 ? await store.get(organisation, id) : undefined;
  const same = found && timingSafeEqual(Buffer.from(found.document.digest), Buffer.from(digestOf(token)));
  if (found && same) return found;
  throw noSuchInvite();
}

async function accept(
  invite: Managed<InviteDocument>,
  { first_name, last_name }: { readonly first_name?: string | undefined; readonly last_name?: string | undefined },
  { people, workspaces, keys, welcome, now }: InvitesParts,
  store: InviteStore,
) {
  const { tenant, document } = invite;
  // Of two who use the link at the same time one gets in.
  await store.update(invite, (current) => {
    const invited = pending(current, "it cannot be accepted");
    if (invited.digest !== document.digest) throw noSuchInvite();
    return { ...invited, state: "accepted", accepted_at: new Date(now()).toISOString() };
  });
  const { id: user } = await people.users.create(
    tenant,
    {},
    {
      workspace_id: null,
      email: document.email,
      first_name: first_name ?? null,
      last_name: last_name ?? null,
      role: document.role,
    },
  );
  const issued: { workspace_id: string; id: string; key: string }[] = [];
  for (const { id, role: given } of document.workspaces) {
    const workspace = await workspaces.get(tenant, id);
    if (!workspace) continue;
    await people.join(tenant, id, user, given);
    const request = { organisation: tenant, workspace: id, user, name: document.email };
    // The key that the invite promises, or else the one that every new member gets.
    if (!document.scopes) await welcome(tenant, id, user);
    const key = document.scopes && (await keys.issue({ ...request, scopes: document.scopes }));
    if (key) issued.push({ workspace_id: workspace.document.slug ?? id, ...key });
  }
  await store.update(invite, (current) => ({ ...current, taken_email: null }));
  return { user_id: user, api_keys: issued };
}
