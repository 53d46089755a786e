import { randomUUID } from "node:crypto";
import { GatewayError, type Managed, type ManagementCall, placesOf, type Selection } from "../../../core/index.ts";
import { because, type Reason } from "../template/refusals.ts";
import type { Share, VersionDocument, VersionedDocument } from "./documents.ts";
import type { VersionedStores } from "./stores.ts";

type Unset = "of" | "slug" | "deleted" | "workspace_id";

/** What prompts and partials have in common: who sees them, their versions, which of these is published. */
export class Versioned<Document extends VersionedDocument, Version extends VersionDocument> {
  readonly stores: VersionedStores<Document, Version>;
  readonly #what: string;
  readonly #absent: Reason;
  readonly #versionAbsent: Reason;

  constructor(stores: VersionedStores<Document, Version>, absent: Reason, versionAbsent: Reason) {
    this.stores = stores;
    this.#what = stores.owners.definition.what;
    this.#absent = absent;
    this.#versionAbsent = versionAbsent;
  }

  /** One that a caller may read: of the workspace, shared to it, or of the config file. */
  async find(call: ManagementCall, ref: string): Promise<Managed<Document>> {
    const found = await this.stores.owners.get(call.organisation, ref);
    if (found && (!call.own || isOpenTo(found, call.own.id)) && (await placesOf(call)(found))) return found;
    throw this.absent(ref);
  }

  /** One that a caller may change. */
  async findOwn(call: ManagementCall, ref: string): Promise<Managed<Document>> {
    const found = await this.find(call, ref);
    if (found.origin !== "store")
      throw new GatewayError(
        "record_invalid",
        `The ${this.#what} "${ref}" is declared in the config file and is changed there.`,
      );
    if (call.own && found.document.workspace_id !== call.own.id)
      throw new GatewayError(
        "forbidden",
        `The ${this.#what} "${ref}" is another workspace's, which shares it for reading only.`,
      );
    return found;
  }

  absent(ref: string): GatewayError {
    return because(this.#absent, `There is no ${this.#what} "${ref}".`);
  }

  /** By its number, or the number of the last one. */
  async version(owner: Managed<Document>, number = owner.document.versions.length): Promise<Managed<Version>> {
    const id = owner.document.versions[number - 1];
    const found = id === undefined ? undefined : await this.stores.versions.get(owner.tenant, id);
    if (found) return found;
    throw because(this.#versionAbsent, `The ${this.#what} "${owner.document.slug}" has no version ${number}.`);
  }

  /** All of them, newest first, each with its number. */
  async versions(owner: Managed<Document>): Promise<readonly (readonly [number, Managed<Version>])[]> {
    const { records } = await this.stores.versions.select(owner.tenant, {
      where: { of: owner.id } as Selection<Version>["where"] & object,
    });
    const byId = new Map(records.map((version) => [version.id, version]));
    return owner.document.versions
      .flatMap((id, at) => {
        const version = byId.get(id);
        return version ? [[at + 1, version] as const] : [];
      })
      .reverse();
  }

  /** Makes one, with its first version, which is published. */
  async create(
    organisation: string,
    owner: Omit<Document, "slug" | "deleted" | "versions" | "published" | "share">,
    version: Omit<Version, Unset>,
  ): Promise<{ readonly owner: Managed<Document>; readonly version: string }> {
    const id = randomUUID();
    const made = await this.#make(organisation, id, owner.workspace_id, version);
    const whole = { ...owner, versions: [made], published: 1, share: null };
    const kept = await this.stores.owners.create(organisation, { id, name: owner.name }, whole as never);
    return { owner: kept, version: made };
  }

  /** Adds a version, which is not published, and changes what else is to be changed. */
  async append(
    owner: Managed<Document>,
    version: Omit<Version, Unset>,
    change: (document: Document) => Document,
  ): Promise<string> {
    const made = await this.#make(owner.tenant, owner.id, owner.document.workspace_id, version);
    await this.stores.owners.update(owner, (document) => ({
      ...change(document),
      versions: [...document.versions, made],
    }));
    return made;
  }

  async publish(
    owner: Managed<Document>,
    number: number,
    change: (document: Document) => Document = (document) => document,
  ): Promise<void> {
    await this.stores.owners.update(owner, (document) => ({ ...change(document), published: number }));
  }

  /** A version is nobody's before its owner names it: one that is left over is never seen. */
  async #make(
    organisation: string,
    of: string,
    workspace: string | null,
    version: Omit<Version, Unset>,
  ): Promise<string> {
    const whole = { ...version, of, workspace_id: workspace };
    const { id } = await this.stores.versions.create(organisation, {}, whole as never);
    return id;
  }
}

/** Whether a workspace may use it. What the config file declares is for all. */
export const isOpenTo = ({ origin, document }: Managed<VersionedDocument>, workspace: string): boolean =>
  origin === "file" || document.workspace_id === workspace || isShared(document.share, workspace);

export const isShared = (share: Share | null, workspace: string): boolean =>
  share !== null && (share.visibility === "organisation" || share.workspace_ids.includes(workspace));
