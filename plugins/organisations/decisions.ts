import type { Kept, ManagementCall, OrganisationFacts } from "../../core/index.ts";
import { factsOf } from "./facts.ts";
import type { MemberKeys } from "./member-keys.ts";
import type { OrganisationDocument, OrganisationStore } from "./organisation.ts";
import type { People, WorkspaceRole } from "./people.ts";
import { type SecurityToggle, securityDefaults } from "./settings.ts";
import type { WorkspaceSettings, WorkspaceStore } from "./workspace.ts";

export interface DecisionsParts {
  readonly organisations: OrganisationStore;
  readonly workspaces: WorkspaceStore;
  readonly people: People;
  readonly keys: MemberKeys;
}

/** What organisations have decided, and their workspaces where they may; at hand on the data path. */
export class Decisions {
  readonly #parts: DecisionsParts;
  readonly #own: Kept<WorkspaceSettings>;
  /** Facts by the document they were made of: a change makes another document. */
  readonly #facts = new WeakMap<OrganisationDocument, Map<WorkspaceSettings | undefined, OrganisationFacts>>();

  constructor(parts: DecisionsParts) {
    this.#parts = parts;
    this.#own = parts.workspaces.kept(({ document: { settings } }) => settings, { staleAfterChange: true });
  }

  close(): void {
    this.#own.close();
  }

  readonly settings = (organisation: string, workspace?: string): OrganisationFacts | Promise<OrganisationFacts> => {
    const document = this.#parts.organisations.get(organisation);
    const own = workspace === undefined ? undefined : this.#own.find(organisation, workspace);
    if (document instanceof Promise || own instanceof Promise)
      return Promise.all([document, own]).then(([read, settings]) => this.#factsOf(read, settings));
    return this.#factsOf(document, own);
  };

  readonly allows = async (
    organisation: string,
    workspace: string | undefined,
    toggle: SecurityToggle,
  ): Promise<boolean> => {
    const decided = (await this.#parts.organisations.get(organisation)).settings.security_settings?.[toggle];
    const own = workspace === undefined ? undefined : await this.#own.find(organisation, workspace);
    const chosen = own?.security_settings?.[toggle];
    return chosen ?? decided ?? securityDefaults[toggle];
  };

  /** Whether the role of the person behind a key may not change budgets. */
  readonly keepsBudgets = async (call: ManagementCall): Promise<boolean> =>
    (await this.#isBelowAdmins(call)) &&
    !(await this.allows(call.organisation, call.own?.id, "managersManageWorkspace"));

  /** Whether the person behind a key would decide what managers may, and is one: that is for those above them. */
  readonly decidesForItself = async (call: ManagementCall, toggles: readonly string[]): Promise<boolean> =>
    toggles.some((toggle) => toggle.startsWith("managers")) && (await this.#isBelowAdmins(call));

  /** Whether a call is somebody's whom neither the organisation nor the workspace of the key has made an admin. */
  async #isBelowAdmins({ principal, organisation, own }: ManagementCall): Promise<boolean> {
    if (principal.user === undefined || !own) return false;
    const roles = await this.#parts.people.rolesOf(organisation, own.id, principal.user);
    return roles?.organisation === "member" && roles.workspace !== "admin";
  }

  /** Adds somebody to a workspace, with whatever those who are new there get. */
  readonly join = async (organisation: string, workspace: string, user: string, role: WorkspaceRole): Promise<void> => {
    if (await this.#parts.people.join(organisation, workspace, user, role))
      await this.welcome(organisation, workspace, user);
  };

  /** A key of their own for somebody who is new in a workspace, where that was decided. */
  readonly welcome = async (organisation: string, workspace: string, user: string): Promise<void> => {
    const { settings, default_workspace } = await this.#parts.organisations.get(organisation);
    const chosen = (await this.#own.find(organisation, workspace))?.user_api_key_auto_create;
    const shared = workspace === default_workspace && settings.default_workspace_user_api_key_auto_create;
    if (!(chosen ?? settings.user_api_key_auto_create ?? shared)) return;
    const scopes = ["completions.write", "prompts.render"];
    await this.#parts.keys.issue({ organisation, workspace, user, name: "auto", scopes });
  };

  #factsOf(document: OrganisationDocument, own: WorkspaceSettings | undefined): OrganisationFacts {
    const made = this.#facts.get(document) ?? new Map<WorkspaceSettings | undefined, OrganisationFacts>();
    this.#facts.set(document, made);
    const facts = made.get(own) ?? factsOf(document, own);
    // A workspace whose settings change leaves its old ones behind.
    if (made.size > 1000) made.clear();
    made.set(own, facts);
    return facts;
  }
}
