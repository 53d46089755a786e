import {
  fields,
  GatewayError,
  listed,
  type Managed,
  type ManagedDocument,
  type ManagementService,
  manageResource,
  nothing,
  type ResourceParts,
  ResourceStore,
  timesOf,
  z,
} from "../../core/index.ts";

/** A workspace, as it is kept. Its own id is its `workspace_id`: who belongs to it sees it. */
export interface WorkspaceDocument extends ManagedDocument {
  readonly workspace_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly icon: string | null;
  readonly is_default: boolean;
  readonly defaults: WorkspaceDefaults | null;
  readonly usage_limits: readonly fields.UsageLimits[] | null;
  readonly rate_limits: readonly fields.RateLimit[] | null;
}

export interface WorkspaceDefaults {
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  readonly input_guardrails?: readonly string[] | undefined;
  readonly output_guardrails?: readonly string[] | undefined;
  /** The id of a config. */
  readonly user_api_key_config?: string | null | undefined;
}

export type WorkspaceStore = ResourceStore<WorkspaceDocument>;

export const workspaceStore = (parts: ResourceParts<WorkspaceDocument>): WorkspaceStore =>
  new ResourceStore(
    {
      collection: "workspaces",
      what: "workspace",
      schemaVersion: 1,
      slug: { prefix: "ws-", length: 6, scope: "organisation" },
      unseen: 404,
    },
    parts,
  );

const body = z.object({
  name: fields.name,
  description: fields.description.optional(),
  icon: z.string().max(16).nullable().optional(),
  defaults: z
    .object({
      metadata: z.record(z.string(), z.string().max(128)).nullable().optional(),
      input_guardrails: z.array(z.string()).optional(),
      output_guardrails: z.array(z.string()).optional(),
      user_api_key_config: z.string().nullable().optional(),
    })
    .nullable()
    .optional(),
  usage_limits: fields.oneOrMany(fields.usageLimits).nullable().optional(),
  rate_limits: fields.rateLimits.nullable().optional(),
});

const answer = z.looseObject({ id: z.string(), slug: z.string(), uuid: z.string(), name: z.string() });

/** The workspaces of an organisation (control-plane.md section 3). */
export function manageWorkspaces(management: ManagementService, store: WorkspaceStore): void {
  needDefaults(management, store);
  manageResource(management, {
    tag: "workspaces",
    what: "workspace",
    path: "/admin/workspaces",
    parameter: "workspaceId",
    audit: "workspaces",
    kind: "workspaces",
    store,
    create: {
      scopes: ["workspaces.create"],
      body,
      answer,
      async run({ organisation, body: given }) {
        await refuseTaken(store, organisation, given.name);
        const id = crypto.randomUUID();
        const made = await store.create(
          organisation,
          { id, name: given.name },
          {
            workspace_id: id,
            name: given.name,
            description: given.description ?? null,
            icon: given.icon ?? null,
            is_default: false,
            defaults: given.defaults ?? null,
            usage_limits: given.usage_limits ?? null,
            rate_limits: given.rate_limits ?? null,
          },
        );
        return shown(made);
      },
    },
    list: {
      scopes: ["workspaces.list"],
      query: z.object({ name: z.string().optional(), exact_name: z.string().optional() }),
      page: { size: 50, max: 500 },
      select({ query: { name, exact_name } }) {
        if (exact_name !== undefined) return { filter: ({ document }) => document.name === exact_name };
        return name === undefined ? {} : { filter: ({ document }) => document.name.includes(name) };
      },
      row: shown,
      envelope: listed,
      answer: z.object({ object: z.literal("list"), total: z.int(), data: z.array(answer) }),
    },
    read: { scopes: ["workspaces.read"], row: shown, answer },
    update: {
      scopes: ["workspaces.update"],
      body: body.partial(),
      answer: nothing,
      async run({ organisation, found, body: given }) {
        if (given.name !== undefined && given.name !== found.document.name)
          await refuseTaken(store, organisation, given.name);
        await store.update(found, (document) => ({ ...document, ...sentOf(given) }));
        return {};
      },
    },
    remove: {
      scopes: ["workspaces.delete"],
      check(call, { document }) {
        if (call.own) throw new GatewayError("forbidden", "Deleting a workspace needs an API key of the organisation.");
        if (document.is_default) throw new GatewayError("record_invalid", "The shared workspace cannot be deleted.");
      },
    },
  });
}

/** What a workspace gives its requests stays as long as it does (control-plane.md section 1.7). */
function needDefaults(management: ManagementService, store: WorkspaceStore): void {
  const needing = async (organisation: string, uses: (defaults: WorkspaceDefaults) => boolean) => {
    const filter = ({ document }: Managed<WorkspaceDocument>) => document.defaults !== null && uses(document.defaults);
    const { records } = await store.select(organisation, { filter });
    return records.map(({ document }) => `the workspace "${document.name}" with it as a default`);
  };
  management.needs("configs", (organisation, { id, slug }) =>
    needing(organisation, ({ user_api_key_config: ref }) => ref === id || (ref != null && ref === slug)),
  );
  management.needs("guardrails", (organisation, { id, slug }) =>
    needing(organisation, ({ input_guardrails = [], output_guardrails = [] }) =>
      [...input_guardrails, ...output_guardrails].some((ref) => ref === id || ref === slug),
    ),
  );
}

/** The fields that were sent; `undefined` is what was not. */
const sentOf = <Given extends object>(given: Given): { [Field in keyof Given]: Exclude<Given[Field], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;

async function refuseTaken(store: WorkspaceStore, organisation: string, name: string): Promise<void> {
  const { total } = await store.select(organisation, { filter: ({ document }) => document.name === name });
  if (total > 0)
    throw new GatewayError("already_exists", `There is a workspace with the name "${name}" already.`, {
      param: "name",
    });
}

function shown(record: Managed<WorkspaceDocument>) {
  const { id, document } = record;
  const { slug = id, name, description, icon, is_default, defaults, usage_limits, rate_limits } = document;
  const mark = { is_default: Number(is_default), object: "workspace" };
  return {
    id: slug,
    slug,
    uuid: id,
    name: icon === null ? name : `${icon} ${name}`,
    description,
    status: "active",
    ...mark,
    ...timesOf(record),
    defaults: {
      metadata: null,
      input_guardrails: [],
      output_guardrails: [],
      user_api_key_config: null,
      ...defaults,
      ...mark,
    },
    usage_limits,
    rate_limits,
  };
}
