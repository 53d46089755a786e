import { createHash, randomBytes } from "node:crypto";
import {
  type CheckedCall,
  fields,
  GatewayError,
  givenSlug,
  keptWithCredentials,
  listed,
  type Managed,
  type ManagedDocument,
  type ManagementService,
  manageResource,
  nothing,
  type RecordsService,
  ResourceStore,
  sentOf,
  shownMasked,
  timesOf,
  withHiddenUrls,
  z,
} from "../../core/index.ts";

const types = ["production", "non-production"] as const;

/** A gateway, as it is kept. */
interface DeploymentDocument extends ManagedDocument {
  readonly workspace_id: null;
  readonly name: string;
  readonly type: (typeof types)[number];
  readonly url: string | null;
  readonly config: Readonly<Record<string, unknown>>;
  readonly allow_all_workspaces: boolean;
  /** Ids, where not all are allowed. */
  readonly workspaces: readonly string[];
  readonly is_default: boolean;
  readonly last_synced_at: string | null;
  /** SHA-256 of the token the gateway shows when it syncs. */
  readonly client_auth: string;
}

const body = z.object({
  name: fields.name,
  slug: givenSlug.optional(),
  type: z.enum(types),
  url: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .optional(),
  config: z.record(z.string(), z.unknown()).optional(),
  allow_all_workspaces: z.boolean().optional(),
  workspaces: z.array(z.string()).optional(),
  is_default: z.boolean().optional(),
});

const change = body.omit({ slug: true }).partial();

const answer = z.looseObject({ id: z.string(), slug: z.string(), object: z.literal("deployment") });

/** Gateways that are registered (control-plane.md section 20). */
export function manageDeployments(
  management: ManagementService,
  records: RecordsService,
  acceptsUrl: (url: string) => boolean,
): void {
  const store = new ResourceStore<DeploymentDocument>(
    {
      collection: "deployments",
      what: "deployment",
      schemaVersion: 1,
      slug: { length: 24, scope: "organisation" },
      unseen: 404,
    },
    { records },
  );
  const refuseUrl = (url: string | null | undefined) => {
    if (url == null || acceptsUrl(url)) return;
    throw new GatewayError("record_invalid", "url: is not an address that may be called.", { param: "url" });
  };
  const shown = async (record: Managed<DeploymentDocument>) => {
    const { client_auth: _, workspace_id: __, deleted: ___, workspaces, ...document } = record.document;
    const named = await Promise.all(
      workspaces.map(
        async (id) => (await management.reference("workspaces", record.tenant, undefined, id))?.slug ?? id,
      ),
    );
    return {
      id: record.id,
      ...document,
      ...(shownMasked(addressesOf(document)) as Addressed),
      workspaces: named,
      status: "active",
      ...timesOf(record),
      object: "deployment",
    };
  };

  manageResource(management, {
    tag: "deployments",
    what: "deployment",
    path: "/deployments",
    parameter: "deploymentId",
    audit: "deployments",
    key: "organisation",
    store,
    create: {
      scopes: ["deployments.create"],
      body,
      answer: z.object({ id: z.string(), slug: z.string(), client_auth: z.string() }),
      async run(call) {
        const { organisation, body: given } = call;
        refuseUrl(given.url);
        const { url = null, config = {} } = unmasked(given, {});
        const token = randomBytes(32).toString("base64url");
        const made = await store.create(
          organisation,
          { name: given.name, slug: given.slug },
          {
            workspace_id: null,
            name: given.name,
            type: given.type,
            url,
            config,
            ...(await allowed(call, given)),
            is_default: given.is_default ?? false,
            last_synced_at: null,
            client_auth: createHash("sha256").update(token).digest("hex"),
          },
        );
        return { id: made.id, slug: made.document.slug, client_auth: token };
      },
    },
    list: {
      scopes: ["deployments.list"],
      query: z.object({ type: z.enum(types).optional(), workspace_id: z.string().optional() }),
      page: { size: 50, max: 500 },
      async select(call) {
        const { type, workspace_id } = call.query;
        const workspace = workspace_id === undefined ? undefined : await call.workspaceOf(workspace_id, "workspace_id");
        return {
          filter: ({ document }) =>
            (type === undefined || document.type === type) &&
            (!workspace || document.allow_all_workspaces || document.workspaces.includes(workspace.id)),
        };
      },
      row: shown,
      envelope: listed,
      answer: z.object({ object: z.literal("list"), total: z.int(), data: z.array(answer) }),
    },
    read: { scopes: ["deployments.read"], row: shown, answer },
    update: {
      scopes: ["deployments.update"],
      body: change,
      answer: nothing,
      async run(call) {
        const { found, body: given } = call;
        const { name, type, is_default } = given;
        refuseUrl(given.url);
        const { url, config } = unmasked(given, found.document);
        const reach =
          "workspaces" in given || "allow_all_workspaces" in given ? await allowed(call, given, found.document) : {};
        await store.update(found, (document) => ({
          ...document,
          ...sentOf({ name, type, url, config, is_default }),
          ...reach,
        }));
        return {};
      },
    },
    remove: { scopes: ["deployments.delete"] },
  });
}

/** What may have addresses in it, whose secrets are shown masked. */
type Addressed = Partial<Pick<DeploymentDocument, "url" | "config">>;

const addressesOf = ({ url, config }: { [Field in keyof Addressed]?: Addressed[Field] | undefined }) =>
  withHiddenUrls(sentOf({ url, config }));

/** Addresses that were sent as they are shown stay as they were. */
const unmasked = (given: Parameters<typeof addressesOf>[0], before: Addressed): Addressed =>
  keptWithCredentials(addressesOf(given), addressesOf(before), (path) => {
    const message = `${path}: is an address as it is shown, masked: send the address itself.`;
    throw new GatewayError("record_invalid", message, { param: path });
  }) as Addressed;

/**
 * For which workspaces a gateway is: all of them, or the ones that are named. A list of none is what is read where all are
 * allowed, and may be sent back with that.
 */
async function allowed(
  call: Pick<CheckedCall<unknown, unknown, unknown>, "workspaceOf">,
  { allow_all_workspaces, workspaces: sent }: Pick<z.output<typeof change>, "allow_all_workspaces" | "workspaces">,
  before: Pick<DeploymentDocument, "workspaces"> = { workspaces: [] },
): Promise<Pick<DeploymentDocument, "allow_all_workspaces" | "workspaces">> {
  const workspaces = allow_all_workspaces && sent?.length === 0 ? undefined : sent;
  if (!workspaces) {
    const all = allow_all_workspaces ?? true;
    return { allow_all_workspaces: all, workspaces: all ? [] : before.workspaces };
  }
  if (workspaces.length === 0) throw wrong("workspaces: names those that may use it; it is empty.");
  if (allow_all_workspaces) throw wrong("workspaces names some, and allow_all_workspaces says all: give one of them.");
  const named = await Promise.all(workspaces.map((ref, at) => call.workspaceOf(ref, `workspaces[${at}]`)));
  return { allow_all_workspaces: false, workspaces: named.map(({ id }) => id) };
}

const wrong = (message: string) => new GatewayError("record_invalid", message, { param: "workspaces" });
