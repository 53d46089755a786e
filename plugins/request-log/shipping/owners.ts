import type { Home, LogEntry, OrganisationsService, Workspace } from "../../../core/index.ts";
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

  /** The slug of a workspace, where it is at hand. */
  slugOf(organisation: string, workspace: string): string | undefined {
    const found = this.#organisations?.workspace(organisation, workspace);
    if (!(found instanceof Promise)) return found?.slug;
    found.catch(() => undefined);
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
    this.#home ??= await this.#organisations?.home();
    if (!this.#home) throw new Error("there is no organisation a record without one could belong to");
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
