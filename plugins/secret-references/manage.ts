import {
  type CheckedCall,
  fields,
  GatewayError,
  givenSlug,
  listed,
  type Managed,
  type ManagementCall,
  type ManagementService,
  manageResource,
  maskedSecret,
  nothing,
  timesOf,
  z,
} from "../../core/index.ts";
import { checkedReference, otherManagers, type Rules, refuseMistakes } from "./checked-reference.ts";
import { refuseOtherVault } from "./hosts.ts";
import { type ManagerType, managers, managerTypes } from "./managers/index.ts";
import type { ReferenceDocument, ReferenceStore } from "./reference-store.ts";

const type = z.enum(managerTypes.filter((one) => managers[one].ofFile !== true) as [ManagerType, ...ManagerType[]]);
const path = z.string().min(1).max(1024);
const key = z.string().min(1).max(255).nullable();
const workspace = z.string().min(1);
const workspaces = z.array(workspace).min(1);
const authConfig = z.record(z.string(), z.unknown());

const created = z.object({
  name: fields.name,
  slug: givenSlug.optional(),
  description: fields.description.default(null),
  manager_type: type,
  auth_config: authConfig,
  secret_path: path,
  secret_key: key.default(null),
  allow_all_workspaces: z.boolean().optional(),
  allowed_workspaces: workspaces.optional(),
  tags: fields.tags.default(null),
});
const updatable = z.object({
  name: fields.name.optional(),
  description: fields.description.optional(),
  auth_config: authConfig.optional(),
  secret_path: path.optional(),
  secret_key: key.optional(),
  allow_all_workspaces: z.boolean().optional(),
  /** Empty where all are allowed, as it is read. */
  allowed_workspaces: z.array(workspace).optional(),
  tags: fields.tags.optional(),
});
const known = Object.keys(updatable.shape);

const row = z.looseObject({ id: z.string(), slug: z.string(), name: z.string(), manager_type: z.string() });

/** Where credentials are, for whoever may name them (control-plane.md section 17). */
export function manageReferences(management: ManagementService, store: ReferenceStore, rules: Rules): void {
  manageResource(management, {
    tag: "secret-references",
    what: "secret reference",
    path: "/secret-references",
    parameter: "secretReferenceId",
    audit: "secret_references",
    kind: "secret_references",
    key: "organisation",
    store,
    create: {
      scopes: ["secret_references.create"],
      body: created,
      answer: z.object({ id: z.string(), slug: z.string(), object: z.literal(object) }),
      run: (call) => createReference(call, store, rules),
    },
    list: {
      scopes: ["secret_references.list"],
      query: z.object({
        manager_type: z.enum(managerTypes).optional(),
        tags: fields.tagsQuery.optional(),
        search: z.string().min(1).max(255).optional(),
      }),
      page: { size: 20, max: 100 },
      select: ({ query: { manager_type, tags, search } }) => ({
        ...(manager_type && { where: { manager_type } }),
        ...((tags || search !== undefined) && {
          filter: ({ document }) =>
            document.name.toLowerCase().includes(search?.toLowerCase() ?? "") &&
            Object.entries(tags ?? {}).every(([name, value]) => document.tags?.[name] === value),
        }),
      }),
      row: rowOf,
      envelope: listed,
      answer: z.object({ object: z.literal("list"), total: z.int(), data: z.array(row) }),
    },
    read: { scopes: ["secret_references.read"], row: detailOf, answer: row },
    update: {
      scopes: ["secret_references.update"],
      body: updatable,
      answer: nothing,
      run: (call) => updateReference(call, store, rules),
    },
    remove: { scopes: ["secret_references.delete"] },
  });
  // In place of the kind's own finder: each says itself which workspaces may name it.
  management.keeps("secret_references", async (organisation, workspace, ref) => {
    const found = await store.get(organisation, ref);
    if (!found || !(await mayName(found, workspace, management))) return undefined;
    const { id, document } = found;
    return { id, ...(document.slug !== undefined && { slug: document.slug }), workspace: null };
  });
}

const object = "secret-reference";

async function mayName(
  { tenant, document: { allowed_workspaces: allowed } }: Managed<ReferenceDocument>,
  workspace: string | undefined,
  management: Pick<ManagementService, "reference">,
): Promise<boolean> {
  if (workspace === undefined || allowed === null || allowed.includes(workspace)) return true;
  // The file may name a workspace by its slug.
  const slug = (await management.reference("workspaces", tenant, undefined, workspace))?.slug;
  return slug !== undefined && allowed.includes(slug);
}

async function createReference(
  call: CheckedCall<undefined, z.output<typeof created>, object>,
  store: ReferenceStore,
  rules: Rules,
) {
  const { organisation, body, principal } = call;
  const { slug, allow_all_workspaces, allowed_workspaces, ...given } = body;
  const { auth = {}, mistakes } = checkedReference(given, rules);
  refuseMistakes([...mistakes, ...otherManagers(given.manager_type, given.auth_config)]);
  if (allow_all_workspaces === true && allowed_workspaces) throw bothSaid();
  if (allow_all_workspaces === false && !allowed_workspaces) throw noneSaid();
  const made = await store.create(
    organisation,
    { name: given.name, slug },
    {
      ...given,
      workspace_id: null,
      auth_config: auth,
      allowed_workspaces: allowed_workspaces ? await idsOf(call, allowed_workspaces) : null,
      created_by: principal.user ?? principal.id,
    },
  );
  return { id: made.id, slug: made.document.slug, object };
}

async function updateReference(
  call: CheckedCall<Managed<ReferenceDocument>, z.output<typeof updatable>, object>,
  store: ReferenceStore,
  rules: Rules,
) {
  const { found, body, sent } = call;
  if (!known.some((field) => sent.has(field)))
    throw new GatewayError("record_invalid", `There is nothing to change: name one of ${known.join(", ")}.`);
  const { auth_config, allow_all_workspaces, allowed_workspaces: named, ...given } = body;
  if (named?.length === 0 && !allow_all_workspaces) throw noneSaid();
  const allowed_workspaces = named?.length === 0 ? undefined : named;
  if (allow_all_workspaces === false && !allowed_workspaces && found.document.allowed_workspaces === null)
    throw noneSaid();
  const workspaces = allowed_workspaces ? await idsOf(call, allowed_workspaces) : undefined;
  await store.update(found, (document) => {
    const changed = {
      ...document,
      ...withoutAbsent(given),
      ...(auth_config && { auth_config: { ...document.auth_config, ...auth_config } }),
      ...(workspaces ? { allowed_workspaces: workspaces } : allow_all_workspaces && { allowed_workspaces: null }),
    };
    if (!auth_config && given.secret_path === undefined) return changed;
    refuseMistakes(otherManagers(document.manager_type, auth_config));
    const { auth = {}, mistakes } = checkedReference(changed, rules);
    refuseMistakes(mistakes);
    const checked = { ...changed, auth_config: auth };
    refuseOtherVault(document, checked, auth_config);
    return checked;
  });
  return {};
}

const withoutAbsent = <Given extends object>(
  given: Given,
): { [Field in keyof Given]: Exclude<Given[Field], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;

const bothSaid = () =>
  new GatewayError("record_invalid", "allowed_workspaces excludes allow_all_workspaces: give one of them.", {
    param: "allowed_workspaces",
  });

const noneSaid = () =>
  new GatewayError("record_invalid", "allowed_workspaces says which workspaces, where not all are allowed.", {
    param: "allowed_workspaces",
  });

const idsOf = async (call: ManagementCall, refs: readonly string[]): Promise<string[]> => {
  const found = await Promise.all(refs.map((ref, at) => call.workspaceOf(ref, `allowed_workspaces[${at}]`)));
  return [...new Set(found.map(({ id }) => id))];
};

function rowOf(record: Managed<ReferenceDocument>) {
  const { id, document } = record;
  const { slug = id, name, manager_type } = document;
  return { id, name, slug, manager_type, status: "ACTIVE", ...timesOf(record), object };
}

function detailOf(record: Managed<ReferenceDocument>) {
  const { tenant, document } = record;
  const { description, secret_path, secret_key, allowed_workspaces, tags, created_by } = document;
  return {
    ...rowOf(record),
    organisation_id: tenant,
    description,
    secret_path,
    secret_key,
    allow_all_workspaces: allowed_workspaces === null,
    allowed_workspaces: allowed_workspaces ?? [],
    tags,
    created_by,
    auth_config: shownAuth(document),
  };
}

/** Credentials go by another name where they are shown shortened. */
const shownAuth = ({ manager_type, auth_config }: ReferenceDocument) =>
  Object.fromEntries(
    Object.entries(auth_config).map(([name, value]) =>
      managers[manager_type].masked.includes(name) && typeof value === "string"
        ? [`masked_${name}`, maskedSecret(value)]
        : [name, value],
    ),
  );
