import {
  type CheckedCall,
  GatewayError,
  listed,
  type Managed,
  type ManagementCall,
  type ManagementService,
  manageResource,
  nothing,
  type ResourceStore,
  requiredWorkspace,
  timesOf,
  z,
} from "../../core/index.ts";
import type { Mistake } from "./conditions.ts";
import type { PolicyDocument } from "./policy-store.ts";

/** What differs between the two kinds of policies. */
export interface PolicyResource<
  Document extends PolicyDocument,
  Create extends z.ZodType,
  Update extends z.ZodType,
  Filters extends z.ZodRawShape,
> {
  /** `usage-limits` */
  readonly path: string;
  /** The name of the path's parameter. */
  readonly parameter: string;
  /** What answers call one: `policy_usage_limits`. */
  readonly object: string;
  readonly what: string;
  readonly store: ResourceStore<Document>;
  readonly create: {
    readonly body: Create;
    make(given: z.output<Create>, workspace: string, call: ManagementCall): Promise<Omit<Document, "deleted">>;
  };
  readonly update: {
    readonly body: Update;
    run(call: CheckedCall<Managed<Document>, z.output<Update>, object>): Promise<void>;
  };
  /** What lists are narrowed by, besides workspace and status: indexed fields. */
  readonly filters: Filters;
  /** What reads may ask for besides, and what they then show. */
  readonly extra?: {
    readonly query: z.ZodRawShape;
    show(call: CheckedCall<Managed<Document>, unknown, object>): Promise<object>;
  };
  /** The fields reads show, besides those every policy has. */
  readonly fields: readonly (keyof Document & string)[];
  /** Fields that time goes on to change. */
  readonly ofNow?: (document: Document) => Partial<Document>;
}

const status = z.enum(["active", "archived"]).default("active");
const scopes = (verb: string) => [`policies.${verb}`];
const answer = z.looseObject({ id: z.string(), status: z.string(), object: z.string() });

/** Adds the operations on a kind of policies (control-plane.md section 13). Deleting archives: both states are read by status. */
export function managePolicies<
  Document extends PolicyDocument,
  Create extends z.ZodType,
  Update extends z.ZodType,
  Filters extends z.ZodRawShape,
>(management: ManagementService, resource: PolicyResource<Document, Create, Update, Filters>): void {
  const { parameter, object, what, store, create, update } = resource;
  const path = `/policies/${resource.path}`;
  const shown = (record: Managed<Document>) => rowOf(record, resource);
  manageResource(management, {
    tag: "policies",
    what,
    path,
    parameter,
    audit: "policies",
    store,
    allow: (_call, record) => refuseArchived(record, store),
    create: {
      scopes: scopes("create"),
      body: create.body,
      answer: z.object({ id: z.string(), object: z.literal(object) }),
      async run(call) {
        const workspace = await requiredWorkspace(call, what);
        const document = await create.make(call.body, workspace.id, call);
        const { id } = await store.create(call.organisation, {}, document as Omit<Document, "slug" | "deleted">);
        return { id, object };
      },
    },
    list: {
      scopes: scopes("list"),
      query: z.object({ workspace_id: z.string().optional(), status, ...resource.filters }),
      page: { size: 50, max: 500, zero: true },
      async select(call) {
        const { id } = await requiredWorkspace(call, "list");
        const { status: wanted, workspace_id, ...filters } = call.query as { status: string; workspace_id?: string };
        const where = Object.fromEntries(
          Object.entries(filters).filter(([name, value]) => name in resource.filters && value !== undefined),
        );
        return { workspace: id, where: { ...where, status: wanted } as never };
      },
      row: shown,
      envelope: listed,
      answer: z.object({ object: z.literal("list"), total: z.int(), data: z.array(answer) }),
    },
    update: {
      scopes: scopes("update"),
      body: update.body,
      answer: nothing,
      async run(call) {
        await update.run(call as CheckedCall<Managed<Document>, z.output<Update>, object>);
        return {};
      },
    },
  });
  const one = `${path}/{${parameter}}`;
  management.operation({
    method: "GET",
    path: one,
    tag: "policies",
    summary: `Reads a ${what}.`,
    scopes: scopes("read"),
    query: z.object({ status, ...resource.extra?.query }),
    answer,
    find: (call) => store.find(call, call.path[parameter] ?? ""),
    async run(call) {
      const { found, query } = call;
      if (found.document.status !== (query as { status: string }).status) throw store.unseen(found.id);
      return { ...shown(found), ...(await resource.extra?.show(call)), origin: found.origin };
    },
  });
  management.operation({
    method: "DELETE",
    path: one,
    tag: "policies",
    summary: `Archives a ${what}.`,
    scopes: scopes("delete"),
    answer: nothing,
    audit: { resource: "policies", action: "delete" },
    find: (call) => activeOne(call, store, parameter),
    async run({ found }) {
      await store.update(found, (document) => ({ ...document, status: "archived" }));
      return {};
    },
  });
}

/** A policy that still counts. Throws 404 for others. */
export async function activeOne<Document extends PolicyDocument>(
  call: ManagementCall,
  store: ResourceStore<Document>,
  parameter: string,
): Promise<Managed<Document>> {
  const found = await store.find(call, call.path[parameter] ?? "");
  refuseArchived(found, store);
  return found;
}

function refuseArchived<Document extends PolicyDocument>(
  { id, document }: Managed<Document>,
  store: ResourceStore<Document>,
) {
  if (document.status === "archived") throw store.unseen(id);
}

function rowOf<Document extends PolicyDocument>(
  record: Managed<Document>,
  { object, fields, ofNow }: Pick<PolicyResource<Document, never, never, never>, "object" | "fields" | "ofNow">,
) {
  const { id, tenant, document } = record;
  const { name, description, conditions, group_by, status: state, workspace_id, on_store_error = null } = document;
  return {
    id,
    name,
    description,
    conditions,
    group_by,
    ...Object.fromEntries(fields.map((field) => [field, document[field]])),
    ...ofNow?.(document),
    on_store_error,
    status: state,
    workspace_id,
    organisation_id: tenant,
    ...timesOf(record),
    object,
  };
}

/** What may not be changed may be said again, as it is. */
export function refuseOther(field: string, given: unknown, kept: unknown): void {
  if (given === undefined || JSON.stringify(given) === JSON.stringify(kept)) return;
  throw new GatewayError("record_invalid", `${field} cannot be changed: archive this policy and make another one.`, {
    param: field,
  });
}

/** Throws AB01 for mistakes between fields. */
export function refuseMistakes(mistakes: readonly Mistake[]): void {
  const [first] = mistakes;
  if (!first) return;
  const place = ({ path }: Mistake) =>
    path.map((step, at) => (typeof step === "number" ? `[${step}]` : `${at > 0 ? "." : ""}${step}`)).join("");
  throw new GatewayError("record_invalid", mistakes.map((one) => `${place(one)}: ${one.message}`).join("; "), {
    param: place(first),
    errors: mistakes.map((one) => `path: ${place(one)}, message: ${one.message}`),
  });
}
