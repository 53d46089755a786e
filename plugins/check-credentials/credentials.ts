import {
  GatewayError,
  listed,
  type Managed,
  type ManagedDocument,
  type ManagementService,
  manageResource,
  maskedSecret,
  type ResourceParts,
  ResourceStore,
  timesOf,
  z,
} from "../../core/index.ts";

/** What a partner lets us in with, as it is kept. */
interface CredentialsDocument extends ManagedDocument {
  /** The partner: `patronus`, `azure`. */
  readonly plugin_id: string;
  /** The same where the organisation has it, which has one for a partner as a workspace has; null where a workspace has it. */
  readonly taken_plugin_id: string | null;
  readonly credentials: Readonly<Record<string, string>>;
}

const credentials = z.record(z.string().min(1).max(128), z.string().max(16_384));
const answer = z.looseObject({ id: z.string(), plugin_id: z.string(), object: z.literal("plugin") });

/** Credentials of partners (control-plane.md section 24): written, replaced, never read back. */
export function manageCredentials(management: ManagementService, parts: ResourceParts<CredentialsDocument>): void {
  const store = new ResourceStore<CredentialsDocument>(
    {
      collection: "check_credentials",
      what: "plugin credential",
      schemaVersion: 1,
      indexes: ["plugin_id"],
      unique: [["workspace_id", "plugin_id"], ["taken_plugin_id"]],
      sealed: ["credentials"],
      unseen: 404,
      shared: true,
    },
    parts,
  );
  const row = (record: Managed<CredentialsDocument>) => {
    const { plugin_id, workspace_id, credentials: kept } = record.document;
    const masked = Object.entries(kept).map(([name, value]) => [`masked_${name}`, maskedSecret(value)]);
    return {
      id: record.id,
      plugin_id,
      workspace_id,
      credentials: Object.fromEntries(masked),
      ...timesOf(record),
      object: "plugin",
    };
  };
  manageResource(management, {
    tag: "plugins",
    what: "plugin credential",
    path: "/plugins",
    parameter: "id",
    audit: "plugins",
    key: "organisation",
    store,
    create: {
      scopes: ["plugins.create"],
      body: z.object({ plugin_id: z.string().min(1).max(255), credentials, workspace_id: z.string().optional() }),
      answer: z.object({ id: z.string() }),
      async run(call) {
        const { plugin_id, credentials: given } = call.body;
        const workspace = await call.workspace();
        if (!workspace) await refuseTaken(store, call.organisation, plugin_id);
        const document = {
          workspace_id: workspace?.id ?? null,
          plugin_id,
          taken_plugin_id: workspace ? null : plugin_id,
          credentials: given,
        };
        return { id: (await store.create(call.organisation, {}, document)).id };
      },
    },
    list: {
      scopes: ["plugins.list"],
      row,
      envelope: listed,
      answer: z.object({ object: z.literal("list"), total: z.int(), data: z.array(answer) }),
    },
    update: {
      scopes: ["plugins.update"],
      body: z.object({ credentials }),
      answer: z.object({ id: z.string() }),
      async run({ found, body }) {
        await store.update(found, (document) => ({ ...document, credentials: body.credentials }));
        return { id: found.id };
      },
    },
  });
}

/** The store refuses a second one by itself, but not beside those that were kept without `taken_plugin_id`. */
async function refuseTaken(
  store: ResourceStore<CredentialsDocument>,
  organisation: string,
  plugin_id: string,
): Promise<void> {
  const filter = ({ document }: Managed<CredentialsDocument>) => document.workspace_id === null;
  const { total } = await store.select(organisation, { where: { plugin_id }, filter });
  if (total === 0) return;
  const message = "There is a plugin credential with the same plugin_id already.";
  throw new GatewayError("already_exists", message, { param: "plugin_id" });
}
