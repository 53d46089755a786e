import type { Home, LogEntry, OrganisationsService, Principal, Workspace } from "../../../core/index.ts";
import { type Decided, undecided } from "../record/capture.ts";
import type { Draft } from "../record/records.ts";

/** Says whose records are. */
export class Owners {
  readonly #organisations: OrganisationsService | undefined;
  #home: Home | undefined;

  constructor(organisations: OrganisationsService | undefined) {
    this.#organisations = organisations;
  }

  /** Whether what belongs to no organisation can be kept all the same: as the installation's own. */
  get haveHome(): boolean {
    return this.#organisations !== undefined;
  }

  /** What was decided for somebody about the content of requests; a promise where it has to be asked. */
  decided({ organisation, workspace }: Pick<Principal, "organisation" | "workspace">): Decided | Promise<Decided> {
    const organisations = this.#organisations;
    if (!organisations) return undecided;
    if (organisation !== undefined) return organisations.settings(organisation, workspace);
    const settingsOf = (home: Home) => organisations.settings(home.organisation, home.workspace);
    return this.#home ? settingsOf(this.#home) : this.#askHome(organisations).then(settingsOf);
  }

  /** The same, where nobody has to be asked. */
  atHand(principal: Pick<Principal, "organisation" | "workspace">): Decided | undefined {
    const decided = this.decided(principal);
    if (!(decided instanceof Promise)) return decided;
    decided.catch(() => undefined);
    return undefined;
  }

  /** Rejects while somebody has to be asked who does not answer. */
  async entryOf({ row, object, ...owner }: Draft): Promise<LogEntry> {
    const { organisation, workspace } = await this.#ownerOf(owner);
    const found = workspace === undefined ? undefined : await this.#workspace(organisation, workspace);
    row.organisation_id = organisation;
    row.workspace_slug = found?.slug ?? workspace ?? null;
    return { workspace: found?.id ?? workspace ?? null, row, object };
  }

  async #ownerOf({ organisation, workspace }: Pick<Draft, "organisation" | "workspace">) {
    if (organisation !== undefined) return { organisation, workspace };
    if (!this.#organisations) throw new Error("there is no organisation a record without one could belong to");
    return this.#home ?? this.#askHome(this.#organisations);
  }

  async #askHome(organisations: OrganisationsService): Promise<Home> {
    this.#home = await organisations.home();
    return this.#home;
  }

  /** One that was deleted, or cannot be asked for, goes by the name it is known under. */
  async #workspace(organisation: string, workspace: string): Promise<Workspace | undefined> {
    try {
      return await this.#organisations?.workspace(organisation, workspace);
    } catch {
      return undefined;
    }
  }
}
