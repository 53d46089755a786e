import {
  againWhen,
  GatewayError,
  isId,
  type Kept,
  keptRecords,
  type Managed,
  type ManagedDocument,
  type RecordCollection,
  type RecordsService,
  ResourceStore,
  type StoredRecord,
} from "../../core/index.ts";

export const organisationRoles = ["owner", "admin", "member"] as const;
export const workspaceRoles = ["admin", "manager", "member"] as const;

export type OrganisationRole = (typeof organisationRoles)[number];
export type WorkspaceRole = (typeof workspaceRoles)[number];

/** Somebody of an organisation, as they are kept. */
export interface UserDocument extends ManagedDocument {
  readonly workspace_id: null;
  /** In lower case. */
  readonly email: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly role: OrganisationRole;
}

/** That somebody belongs to a workspace. */
export interface MemberDocument {
  readonly workspace_id: string;
  readonly user: string;
  readonly role: WorkspaceRole;
}

export type Member = StoredRecord<MemberDocument>;

/** What somebody may be, as the data path knows it. */
interface Person {
  readonly role: OrganisationRole;
}

/** The users of organisations, and which workspaces they belong to. */
export class People {
  readonly users: ResourceStore<UserDocument>;
  readonly #members: RecordCollection<MemberDocument>;
  readonly #keptUsers: Kept<Person>;
  readonly #keptMembers: Kept<WorkspaceRole>;

  constructor(records: RecordsService) {
    this.users = new ResourceStore<UserDocument>(
      { collection: "users", what: "user", schemaVersion: 1, indexes: ["email", "role"], unseen: 404 },
      { records },
    );
    this.#members = records.collection<MemberDocument>({
      name: "members",
      schemaVersion: 1,
      indexes: ["workspace_id", "user", "role"],
    });
    this.#keptUsers = this.users.kept(({ document: { role } }) => ({ role }), { staleAfterChange: true });
    this.#keptMembers = keptRecords({
      collection: this.#members,
      read: ({ document }: Member) => document.role,
      staleAfterChange: true,
    });
  }

  close(): void {
    this.#keptUsers.close();
    this.#keptMembers.close();
  }

  /** What somebody is in the organisation and in a workspace of it; undefined for somebody unknown. */
  async rolesOf(organisation: string, workspace: string | undefined, user: string) {
    const person = await this.#keptUsers.find(organisation, user);
    if (!person) return undefined;
    const role =
      workspace === undefined ? undefined : await this.#keptMembers.find(organisation, idOf(workspace, user));
    return { organisation: person.role, workspace: role };
  }

  /** Somebody of the organisation; `param` names the field that names them. */
  async known(organisation: string, id: string, param: string): Promise<Managed<UserDocument>> {
    const found = await this.users.get(organisation, id);
    if (found) return found;
    throw new GatewayError("reference_unknown", `${param}: there is no user "${id}" in this organisation.`, { param });
  }

  async byEmail(organisation: string, email: string): Promise<Managed<UserDocument> | undefined> {
    const { records } = await this.users.select(organisation, { where: { email: email.toLowerCase() } });
    return records[0];
  }

  /** Adds somebody to a workspace, or gives them another role in it. Says whether they are new there. */
  async join(organisation: string, workspace: string, user: string, role: WorkspaceRole): Promise<boolean> {
    const key = { tenant: organisation, id: idOf(workspace, user) };
    const document = { workspace_id: workspace, user, role };
    return againWhen(["conflict", "exists", "absent"], async () => {
      const found = await this.#members.get(key);
      if (found) await this.#members.update({ ...key, version: found.version }, { document });
      else await this.#members.insert({ ...key, document });
      return found === undefined;
    });
  }

  /** Gives a member another role. Says whether they are still one. */
  async assign(organisation: string, workspace: string, user: string, role: WorkspaceRole): Promise<boolean> {
    const key = { tenant: organisation, id: idOf(workspace, user) };
    return againWhen(["conflict", "absent"], async () => {
      const found = await this.#members.get(key);
      if (!found) return false;
      await this.#members.update({ ...key, version: found.version }, { document: { ...found.document, role } });
      return true;
    });
  }

  /** Whoever calls may name anything: what is no id is nobody's, and nothing the store could be asked for. */
  async member(organisation: string, workspace: string, user: string): Promise<Member | undefined> {
    return isId(user) ? this.#members.get({ tenant: organisation, id: idOf(workspace, user) }) : undefined;
  }

  leave(organisation: string, workspace: string, user: string): Promise<boolean> {
    return this.#members.remove({ tenant: organisation, id: idOf(workspace, user) });
  }

  /** Newest first. */
  async members(
    organisation: string,
    where: { readonly workspace_id?: string; readonly user?: string },
  ): Promise<Member[]> {
    const found: Member[] = [];
    for (let after: string | undefined; ; ) {
      const page = await this.#members.find({
        tenant: organisation,
        where,
        order: "newest",
        limit: 1000,
        ...(after !== undefined && { after }),
      });
      found.push(...page.records);
      after = page.next;
      if (after === undefined) return found;
    }
  }
}

const idOf = (workspace: string, user: string): string => `${workspace}.${user}`;
