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

  /** A promise where somebody has to be asked; it rejects while that one does not answer. */
  entryOf(draft: Draft): LogEntry | Promise<LogEntry> {
    const owner = this.#ownerOf(draft);
    return owner instanceof Promise ? owner.then((asked) => this.#entryOf(draft, asked)) : this.#entryOf(draft, owner);
  }

  /** What an organisation is called; undefined where that cannot be asked. */
  nameOf(organisation: string): string | undefined | Promise<string | undefined> {
    const facts = this.#asked(() => this.#organisations?.settings(organisation));
    return facts instanceof Promise ? facts.then((found) => found?.name) : facts?.name;
  }

  #entryOf(draft: Draft, owner: Owner): LogEntry | Promise<LogEntry> {
    const { organisation, workspace } = owner;
    const name = this.nameOf(organisation);
    const found =
      workspace === undefined ? undefined : this.#asked(() => this.#organisations?.workspace(organisation, workspace));
    if (name instanceof Promise || found instanceof Promise)
      return Promise.all([name, found]).then(([known, one]) => entryOf(draft, owner, known, one));
    return entryOf(draft, owner, name, found);
  }

  #ownerOf({ organisation, workspace }: Pick<Draft, "organisation" | "workspace">): Owner | Promise<Owner> {
    if (organisation !== undefined) return { organisation, workspace };
    if (!this.#organisations)
      return Promise.reject(new Error("there is no organisation a record without one could belong to"));
    return this.#home ?? this.#askHome(this.#organisations);
  }

  async #askHome(organisations: OrganisationsService): Promise<Home> {
    this.#home = await organisations.home();
    return this.#home;
  }

  /** What was deleted, or cannot be asked for, goes by the name it is known under. */
  #asked<Found>(ask: () => Found | Promise<Found>): Found | undefined | Promise<Found | undefined> {
    try {
      const found = ask();
      return found instanceof Promise ? found.catch(() => undefined) : found;
    } catch {
      return undefined;
    }
  }
}

interface Owner {
  readonly organisation: string;
  readonly workspace: string | undefined;
}

function entryOf(
  { row, object }: Draft,
  { organisation, workspace }: Owner,
  name: string | undefined,
  found: Workspace | undefined,
): LogEntry {
  row.organisation_id = organisation;
  row.organisation_name = name ?? null;
  row.workspace_slug = found?.slug ?? workspace ?? null;
  return { workspace: found?.id ?? workspace ?? null, row, object };
}
