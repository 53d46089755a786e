import { isDeepStrictEqual } from "node:util";
import {
  type CheckedCall,
  type Managed,
  type ManagementService,
  manageResource,
  pageFields,
  pageOf,
  type RoutingService,
  requiredWorkspace,
  shownMasked,
  timesOf,
  unlessDeleted,
  z,
} from "../../core/index.ts";
import { type ConfigDocument, type ConfigStore, currentVersion, type VersionStore } from "./config-store.ts";
import { configField, writtenConfig } from "./written-config.ts";

export interface ManageParts {
  readonly management: ManagementService;
  readonly routing: Pick<RoutingService, "check" | "hidden">;
  readonly configs: ConfigStore;
  readonly versions: VersionStore;
}

const name = z.string().min(1).max(255);
const flag = z.union([z.literal(0), z.literal(1)]).transform(Boolean);
const created = z.object({
  name,
  config: configField,
  isDefault: flag.default(false).describe("1 marks it as the default of its workspace, in place of another one."),
  workspace_id: z.string().optional().describe("Needed with a key of the organisation."),
});
const updated = z.object({
  name: name.optional(),
  config: configField.optional(),
  isDefault: flag.optional(),
  status: z.enum(["active", "archived"]).optional(),
});
const summary = z.looseObject({ id: z.string(), slug: z.string(), name: z.string(), status: z.string() });
const success = <Data extends z.ZodType>(data: Data) => z.object({ success: z.literal(true), data });
const listPage = { size: 100, max: 1000 };

type Update = CheckedCall<Managed<ConfigDocument>, z.output<typeof updated>, object>;

/** Routing configs with their versions (control-plane.md section 6). */
export function manageConfigs(parts: ManageParts): void {
  const { management, routing, configs } = parts;
  manageResource(management, {
    tag: "configs",
    what: "config",
    path: "/configs",
    parameter: "slug",
    audit: "configs",
    kind: "configs",
    store: configs,
    create: {
      scopes: ["configs.create"],
      body: created,
      answer: success(z.object({ id: z.string(), version_id: z.string(), slug: z.string() })),
      async run(call) {
        const { organisation, body } = call;
        const { id: workspace } = await requiredWorkspace(call, "config");
        const config = await writtenConfig(body.config, { organisation, workspace }, parts);
        const made = await makeConfig(call, { workspace, config }, parts);
        if (body.isDefault) await clearOtherDefaults(made, configs);
        return { success: true, data: { id: made.id, version_id: currentVersion(made), slug: made.document.slug } };
      },
    },
    list: {
      scopes: ["configs.list"],
      query: z.object({ workspace_id: z.string().optional(), ...pageFields(listPage) }),
      async select(call) {
        const { query } = call;
        const paged = [query.current_page ?? query.currentPage, query.page_size ?? query.pageSize];
        const workspace = await call.workspace();
        return {
          ...(workspace && { workspace: workspace.id }),
          ...(paged.every((one) => one !== undefined) && { page: pageOf(query, listPage) }),
        };
      },
      row: summaryOf,
      envelope: (data, total) => ({ success: true, data, total }),
      answer: success(z.array(summary)).extend({ total: z.int() }),
    },
    read: {
      scopes: ["configs.read"],
      row: (record) => ({
        ...summaryOf(record),
        version_id: currentVersion(record),
        config: shownMasked(routing.hidden(record.document.config)),
      }),
      envelope: (data) => ({ success: true, data }),
      answer: success(summary.extend({ config: z.record(z.string(), z.unknown()) })),
    },
    update: {
      scopes: ["configs.update"],
      body: updated,
      answer: success(z.object({ version_id: z.string() })),
      run: (call) => updateConfig(call, parts),
    },
    remove: { scopes: ["configs.delete"] },
  });
  listVersions(parts);
  management.needs("workspaces", async (organisation, { id }) => {
    const { total } = await configs.select(organisation, { where: { workspace_id: id }, page: { number: 0, size: 1 } });
    return total === 0 ? [] : [`${total} configs`];
  });
}

function listVersions({ management, routing, configs, versions }: ManageParts): void {
  management.operation({
    method: "GET",
    path: "/configs/{slug}/versions",
    tag: "configs",
    summary: "Lists the versions of a config, newest first.",
    scopes: ["configs.read"],
    answer: z.object({ object: z.literal("list"), total: z.int(), data: z.array(summary) }),
    find: (call) => configs.find(call, call.path.slug ?? ""),
    async run({ found }) {
      const data = await versionsOf(found, versions, routing);
      return { object: "list", total: data.length, data };
    },
  });
}

const callerOf = ({ principal }: Pick<Update, "principal">): string => principal.user ?? principal.id;

interface NewConfig {
  readonly workspace: string;
  readonly config: unknown;
}

/** The version first, then the config that points to it. */
async function makeConfig(
  call: CheckedCall<undefined, z.output<typeof created>, object>,
  { workspace, config }: NewConfig,
  { configs, versions }: ManageParts,
): Promise<Managed<ConfigDocument>> {
  const { organisation, body } = call;
  const id = crypto.randomUUID();
  const by = callerOf(call);
  const version = await versions.create(
    organisation,
    {},
    { workspace_id: workspace, config_id: id, config, updated_by: by },
  );
  return configs.create(
    organisation,
    { id, name: body.name },
    {
      workspace_id: workspace,
      name: body.name,
      config,
      is_default: body.isDefault,
      ...(body.isDefault && { default_at: moment() }),
      status: "active",
      versions: [version.id],
      owner_id: by,
      updated_by: by,
    },
  );
}

/** A config that says something else is a new version; the one before stays as it was. */
async function updateConfig(call: Update, parts: ManageParts) {
  const { organisation, found, body } = call;
  const { configs, versions } = parts;
  const workspace = found.document.workspace_id ?? undefined;
  const config =
    body.config === undefined
      ? undefined
      : await writtenConfig(body.config, { organisation, workspace, before: found.document.config }, parts);
  const by = callerOf(call);
  let version: string | undefined;
  const kept = await configs.update(found, async (document) => {
    const isNew = config !== undefined && !isDeepStrictEqual(config, document.config);
    if (isNew)
      version ??= (
        await versions.create(
          organisation,
          {},
          { workspace_id: document.workspace_id, config_id: found.id, config, updated_by: by },
        )
      ).id;
    return {
      ...document,
      name: body.name ?? document.name,
      is_default: body.isDefault ?? document.is_default,
      ...(body.isDefault && { default_at: moment() }),
      status: body.status ?? document.status,
      updated_by: by,
      ...(isNew && version !== undefined && { config, versions: [...document.versions, version] }),
    };
  });
  if (body.isDefault) await clearOtherDefaults(kept, configs);
  return { success: true, data: { version_id: currentVersion(kept) } };
}

/**
 * One config of a workspace is its default at most: the one that became it last. Of several at the same moment each may
 * find the others, so they agree on which one that is.
 */
async function clearOtherDefaults(own: Managed<ConfigDocument>, configs: ConfigStore) {
  const where = { workspace_id: own.document.workspace_id ?? "", is_default: true };
  const { records } = await configs.select(own.tenant, { where });
  const stored = records.filter(({ origin }) => origin === "store");
  const last = stored.reduce((one, other) => (isLater(other, one) ? other : one), own);
  for (const one of stored)
    if (one.id !== last.id)
      await unlessDeleted(configs, one, () =>
        configs.update(one, (before) =>
          isLater({ id: one.id, document: before }, last) ? before : { ...before, is_default: false },
        ),
      );
}

/** Of two writes within a millisecond the second is later, too. */
const moment = (): number => performance.timeOrigin + performance.now();

type DefaultConfig = Pick<Managed<ConfigDocument>, "id" | "document">;

const isLater = (one: DefaultConfig, other: DefaultConfig): boolean => {
  const [at, otherAt] = [one.document.default_at ?? 0, other.document.default_at ?? 0];
  return at === otherAt ? one.id > other.id : at > otherAt;
};

async function versionsOf(
  record: Managed<ConfigDocument>,
  versions: VersionStore,
  routing: Pick<RoutingService, "hidden">,
) {
  const places = new Map(record.document.versions.map((id, at) => [id, at]));
  const { records } = await versions.select(record.tenant, { where: { config_id: record.id } });
  const shown = (config: unknown) => JSON.stringify(shownMasked(routing.hidden(config)));
  const fixed = { format: "json", type: "ORG_CONFIG", object: "config" };
  if (record.origin === "file")
    return [
      {
        ...summaryOf(record),
        origin: record.origin,
        version_id: null,
        config: shown(record.document.config),
        ...fixed,
      },
    ];
  return (
    records
      // One that was written, but that its config never pointed to because somebody was interrupted, is none.
      .filter(({ id }) => places.has(id))
      .sort((left, right) => (places.get(right.id) ?? 0) - (places.get(left.id) ?? 0))
      .map((version) => ({
        ...summaryOf(record),
        ...timesOf(version),
        origin: record.origin,
        updated_by: version.document.updated_by,
        version_id: version.id,
        config: shown(version.document.config),
        ...fixed,
      }))
  );
}

function summaryOf(record: Managed<ConfigDocument>) {
  const { id, tenant, document } = record;
  const { slug = id, name, workspace_id, is_default, status, owner_id, updated_by } = document;
  return {
    id,
    name,
    slug,
    organisation_id: tenant,
    workspace_id,
    is_default: Number(is_default),
    status,
    owner_id,
    updated_by,
    ...timesOf(record),
  };
}
