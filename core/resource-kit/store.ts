import { randomUUID } from "node:crypto";
import { GatewayError } from "../errors/gateway-error.ts";
import { type Kept, type KeptOptions, keptRecords } from "../records-kit/kept.ts";
import { keptLists } from "../records-kit/kept-lists.ts";
import type { ManagementCall, WorkspaceRef } from "../services/management.ts";
import { type RecordCollection, RecordError, type StoredRecord } from "../services/records.ts";
import type { Listed, ResourceDefinition, ResourceParts, Selection } from "./definition.ts";
import type { Managed, ManagedDocument } from "./document.ts";
import { changeIfStill, makeIfStill } from "./if-still.ts";
import { placesOf, refuseGone } from "./places.ts";
import { isDuplicate, severalMeant, takenBy } from "./refusals.ts";
import { SealedFields } from "./sealed-fields.ts";
import { isId, slugOf } from "./slugs.ts";

/** Management records of one kind: made, found by who may see them, changed, and deleted so that they stay. */
export class ResourceStore<Document extends ManagedDocument> {
  readonly definition: ResourceDefinition<Document>;
  readonly #collection: RecordCollection<Document>;
  readonly #fields: SealedFields<Document>;
  readonly #parts: ResourceParts<Document>;

  constructor(definition: ResourceDefinition<Document>, parts: ResourceParts<Document>) {
    this.definition = definition;
    this.#parts = parts;
    this.#fields = new SealedFields(definition, parts.sealing);
    const { collection: name, schemaVersion, upgrade, indexes = [], unique = [], slug } = definition;
    this.#collection = parts.records.collection<Document>({
      name,
      schemaVersion,
      ...(upgrade && { upgrade }),
      indexes: [...new Set([...indexes, "workspace_id", "deleted", ...(slug ? ["slug"] : [])])] as never,
      unique: [...unique, ...(slug ? [slug.scope === "workspace" ? ["workspace_id", "slug"] : ["slug"]] : [])] as never,
    });
  }

  /** By id or slug, for a caller who may see it. Throws 403 AB03 or 404 AB08, as the kind does. */
  async find(call: ManagementCall, ref: string): Promise<Managed<Document>> {
    const scoped = this.definition.slug?.scope === "workspace";
    const workspace = call.own ?? (scoped ? await call.workspace() : undefined);
    const found = await this.get(call.organisation, ref, workspace?.id);
    if (found && this.#sees(workspace, found) && (await placesOf(call)(found))) return found;
    throw this.unseen(ref);
  }

  unseen(ref: string): GatewayError {
    const { what, unseen } = this.definition;
    return unseen === 403
      ? new GatewayError("forbidden", `There is no ${what} "${ref}" that this credential may use.`)
      : new GatewayError("record_unknown", `There is no ${what} "${ref}".`);
  }

  /** By id or slug, whoever asks. `workspace` decides where slugs are unique within one only. */
  async get(organisation: string, ref: string, workspace?: string): Promise<Managed<Document> | undefined> {
    const declared = this.#declared(organisation).find(({ id, document }) => id === ref || document.slug === ref);
    if (declared) return declared;
    const byId = isId(ref) ? await this.#collection.get({ tenant: organisation, id: ref }) : undefined;
    const record = byId ?? (await this.#bySlug(organisation, ref, workspace));
    return record && !record.document.deleted ? this.#fields.open(record) : undefined;
  }

  /** By id or slug, one that a workspace may use; with no workspace any of the organisation. */
  async usable(
    organisation: string,
    workspace: string | undefined,
    ref: string,
  ): Promise<Managed<Document> | undefined> {
    const found = await this.get(organisation, ref, workspace);
    return found && (workspace === undefined || this.#isOf(workspace, found.document) || found.origin !== "store")
      ? found
      : undefined;
  }

  async list(call: ManagementCall, selection: Selection<Document> = {}): Promise<Listed<Document>> {
    const { state = "there" } = selection;
    const workspace = call.own?.id ?? selection.workspace;
    return this.select(call.organisation, {
      ...(state === "there" && { placed: placesOf(call) }),
      ...selection,
      workspace,
    });
  }

  /** Newest first, whoever asks. */
  async select(organisation: string, selection: Selection<Document> = {}): Promise<Listed<Document>> {
    const { page, filter, placed, workspace } = selection;
    const wanted = (one: Managed<Document>) =>
      (workspace === undefined || this.#isOf(workspace, one.document)) && (filter?.(one) ?? true);
    const declared = this.#declared(organisation).filter(
      (one) =>
        (one.document.workspace_id === null ? (filter?.(one) ?? true) : wanted(one)) &&
        isWhere(one.document, selection.where),
    );
    const from = page ? page.number * page.size : 0;
    const to = page ? from + page.size : Number.POSITIVE_INFINITY;
    const records = declared.slice(from, to);
    let total = declared.length;
    for await (const record of this.#all(organisation, selection)) {
      if (workspace !== undefined && !this.#isOf(workspace, record.document)) continue;
      if (placed && !(await placed(record))) continue;
      const at = total;
      const inPage = at >= from && at < to;
      if (!inPage && !filter) total++;
      else {
        const one = await this.#fields.open(record);
        if (!wanted(one)) continue;
        total++;
        if (inPage) records.push(one);
      }
    }
    return { records, total };
  }

  /** Records of all organisations, oldest first: for work that no caller asked for. */
  async *everywhere(where: Selection<Document>["where"] = {}): AsyncGenerator<Managed<Document>> {
    for (let after: string | undefined; ; ) {
      const query = { where: { ...where, deleted: false } as never, limit: 1000 };
      const page = await this.#collection.find({ ...query, ...(after !== undefined && { after }) });
      for (const record of page.records) yield this.#fields.open(record);
      after = page.next;
      if (after === undefined) return;
    }
  }

  /**
   * Makes a record. A slug that is made of the name is made again when somebody has it. 404 AB02 where its workspace was
   * deleted meanwhile.
   */
  async create(
    organisation: string,
    {
      id = randomUUID(),
      name,
      slug,
    }: { readonly id?: string; readonly name?: string; readonly slug?: string | undefined },
    document: Omit<Document, "slug" | "deleted">,
  ): Promise<Managed<Document>> {
    const rule = this.definition.slug;
    for (let tries = 1; ; tries++) {
      const own = slug ?? (rule && slugOf(name ?? "", rule));
      const whole = { ...document, deleted: false, ...(own !== undefined && { slug: own }) } as unknown as Document;
      try {
        if (own !== undefined && this.#declared(organisation).some((one) => one.document.slug === own))
          throw new RecordError("duplicate", "declared in the config file", ["slug"]);
        return { ...(await this.#insert(organisation, id, whole)), document: whole, origin: "store" };
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        if (slug !== undefined || !error.fields.includes("slug")) throw takenBy(this.definition, error, own);
        if (tries === 5) throw new GatewayError("internal", `No free slug was found for "${name}".`);
      }
    }
  }

  /** Keeps a record unless its workspace is gone by then; of one that is, nothing stays, not even its slug. */
  async #insert(tenant: string, id: string, whole: Document): Promise<StoredRecord<Document>> {
    const document = await this.#fields.seal(tenant, id, whole);
    return makeIfStill(
      () => this.#collection.insert({ tenant, id, document }),
      () => refuseGone(this.#parts.records, tenant, { id, document }),
      () => this.#collection.remove({ tenant, id }),
    );
  }

  /** Changes a record; of two who do at the same time, the second one's change is made on what the first one left. */
  async update(
    record: Managed<Document>,
    change: (document: Document) => Document | Promise<Document>,
  ): Promise<Managed<Document>> {
    this.#writable(record);
    const { tenant, id } = record;
    for (let known = record; ; ) {
      const document = await change(known.document);
      try {
        const kept = await this.#collection.update(
          { tenant, id, version: known.version },
          { document: await this.#fields.seal(tenant, id, document) },
        );
        return { ...kept, document, origin: "store" };
      } catch (error) {
        if (isDuplicate(error)) throw takenBy(this.definition, error, document.slug);
        if (!(error instanceof RecordError) || error.reason !== "conflict") throw error;
        const again = await this.get(tenant, id);
        if (!again) throw this.unseen(id);
        known = again;
      }
    }
  }

  /** Deletes a record for everybody; its id and its slug stay taken. It is there again where `check` throws afterwards. */
  async remove(record: Managed<Document>, check: () => unknown = () => undefined): Promise<void> {
    const freed = Object.fromEntries((this.definition.freed ?? []).map((field) => [field, null]));
    await changeIfStill(this, record, (document) => ({ ...document, ...freed, deleted: true }), check);
  }

  /**
   * Records for the data path: read once, then at hand until they change. The tenant is the organisation. Where slugs are
   * those of a workspace, a reference that is no id is the workspace's id and the slug: `ID/slug`.
   */
  kept<Value>(
    read: (record: Managed<Document>) => Value | undefined | Promise<Value | undefined>,
    more: Omit<KeptOptions<Document, Value>, "collection" | "slug" | "read"> = {},
  ): Kept<Value> {
    return keptRecords<Document, Value>({
      ...more,
      collection: this.#collection,
      ...(this.definition.slug?.scope === "organisation" && { slug: "slug" as const }),
      ...(this.definition.slug?.scope === "workspace" && { where: ofWorkspace as (ref: string) => Partial<Document> }),
      read: async (record) => (record.document.deleted ? undefined : read(await this.#fields.open(record))),
    });
  }

  /**
   * What each workspace has, for the data path: read once, then at hand until a record of its organisation changes. The
   * name to find a list by is the workspace's id.
   */
  keptLists<Value>(
    read: (records: readonly Managed<Document>[], workspace: string) => Value,
    selection: Pick<Selection<Document>, "where" | "filter"> = {},
  ): Kept<Value> {
    return keptLists<Document, Value>({
      collection: this.#collection,
      read: async (organisation, workspace) =>
        read((await this.select(organisation, { ...selection, workspace })).records, workspace),
      staleAfterChange: true,
    });
  }

  /** The records of the config file, as an organisation sees them. */
  #declared(organisation: string): Managed<Document>[] {
    const { declared = [] } = this.#parts;
    return declared.map(({ id, document, origin = "file" }) => ({
      id,
      document,
      tenant: organisation,
      version: 1,
      createdAt: 0,
      updatedAt: 0,
      origin,
    }));
  }

  async #bySlug(tenant: string, slug: string, workspace?: string): Promise<StoredRecord<Document> | undefined> {
    const { slug: rule, what } = this.definition;
    if (!rule) return undefined;
    const scoped = rule.scope === "workspace" && workspace !== undefined;
    const where = { slug, deleted: false, ...(scoped && { workspace_id: workspace }) };
    const { records } = await this.#collection.find({ tenant, where: where as never, limit: 2 });
    if (records.length > 1) throw severalMeant(what, slug);
    return records[0];
  }

  async *#all(tenant: string, selection: Selection<Document>): AsyncGenerator<StoredRecord<Document>> {
    const { workspace, where, state = "there" } = selection;
    const deleted = state === "any" ? {} : { deleted: state === "deleted" };
    const own = workspace !== undefined && !this.definition.shared ? { workspace_id: workspace } : {};
    for (let after: string | undefined; ; ) {
      const query = { tenant, where: { ...where, ...deleted, ...own } as never, order: "newest" as const };
      const page = await this.#collection.find({ ...query, limit: 1000, ...(after !== undefined && { after }) });
      yield* page.records;
      after = page.next;
      if (after === undefined) return;
    }
  }

  #isOf(workspace: string, { workspace_id }: Document): boolean {
    return workspace_id === workspace || (this.definition.shared === true && workspace_id === null);
  }

  /** Whether somebody sees a record who asks in a workspace, or in none of them. */
  #sees(workspace: WorkspaceRef | undefined, { document, origin }: Managed<Document>): boolean {
    if (!workspace || this.#isOf(workspace.id, document)) return true;
    return origin !== "store" && (document.workspace_id === null || document.workspace_id === workspace.slug);
  }

  #writable({ id, origin, document }: Managed<Document>): void {
    if (origin === "store") return;
    const { what } = this.definition;
    if (origin === "built-in") throw new GatewayError("record_invalid", `This ${what} is built in and stays as it is.`);
    throw new GatewayError(
      "record_invalid",
      `The ${what} "${document.slug ?? id}" is declared in the config file and is changed there.`,
    );
  }
}

/** `ID/slug`, as a query. */
function ofWorkspace(ref: string): Partial<ManagedDocument> | undefined {
  const slash = ref.indexOf("/");
  return slash < 0 ? undefined : { workspace_id: ref.slice(0, slash), slug: ref.slice(slash + 1) };
}

const isWhere = (document: object, where: object = {}): boolean =>
  Object.entries(where).every(([field, value]) => (document as Record<string, unknown>)[field] === value);
