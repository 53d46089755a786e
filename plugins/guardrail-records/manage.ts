import {
  type CheckedCall,
  type ChecksService,
  fields,
  GatewayError,
  keptWithCredentials,
  type Managed,
  type ManagementCall,
  type ManagementService,
  manageResource,
  notPutBack,
  shownMasked,
  timesOf,
  withHiddenCredentials,
  z,
} from "../../core/index.ts";
import { actionsField } from "./actions.ts";
import { addressesIn, checkList, checkShape, type KeptCheck } from "./checks.ts";
import type { GuardrailDocument, GuardrailStore, VersionStore } from "./guardrail-store.ts";

const created = z.object({
  name: fields.name,
  workspace_id: z.string().optional(),
  organisation_id: z.string().optional().describe("Makes it the organisation's, for all its workspaces."),
  checks: z.array(checkShape).min(1),
  actions: actionsField,
});
const updated = z.object({
  name: fields.name.optional(),
  checks: z.array(checkShape).min(1).optional(),
  actions: actionsField.optional(),
});

type Known = Pick<ChecksService, "all" | "named" | "mistakes" | "misspelt" | "doubt">;
type Verb = "create" | "read" | "update" | "delete" | "list";
const scopesOf = (verb: Verb) => [`guardrails.${verb}`, `organisation_guardrails.${verb}`];
/** The scope for what belongs to a workspace, or to the whole organisation. */
const scopeFor = (verb: Verb, workspace: string | null): string =>
  workspace === null ? `organisation_guardrails.${verb}` : `guardrails.${verb}`;

const summary = z.looseObject({ id: z.string(), slug: z.string(), name: z.string(), status: z.string() });
const written = z.object({ id: z.string(), slug: z.string(), version_id: z.string() });

interface ManageParts {
  readonly store: GuardrailStore;
  readonly versions: VersionStore;
  readonly checks: Known;
  /** Holds addresses to the rules. */
  readonly acceptsUrl: (url: string) => boolean;
}

/**
 * Guardrails of workspaces and of organisations (control-plane.md section 10). Each version is kept before anything points
 * to it.
 */
export function manageGuardrails(
  management: ManagementService,
  { store, versions, checks: known, acceptsUrl }: ManageParts,
): void {
  const listed = checkList(known);
  manageResource(management, {
    tag: "guardrails",
    what: "guardrail",
    path: "/guardrails",
    parameter: "guardrailId",
    audit: "guardrails",
    kind: "guardrails",
    store,
    allow: refuseForeign,
    create: {
      scopes: scopesOf("create"),
      body: created.extend({ checks: listed }),
      answer: written,
      async run(call) {
        const { organisation, body, principal } = call;
        const workspace = await ownerOf(call);
        call.require(scopeFor("create", workspace));
        const by = principal.user ?? principal.id;
        const { name, actions } = body;
        const checks = keptChecks(body.checks, undefined, known, acceptsUrl);
        const id = crypto.randomUUID();
        const own = { workspace_id: workspace, name, checks, actions };
        const { id: version_id } = await versions.create(organisation, {}, { guardrail_id: id, ...own });
        const made = await store.create(
          organisation,
          { id, name },
          { ...own, version_id, owner_id: by, updated_by: null },
        );
        return { id: made.id, slug: made.document.slug, version_id };
      },
    },
    list: {
      scopes: scopesOf("list"),
      query: z.object({
        workspace_id: z.string().optional(),
        organisation_id: z.string().optional().describe("Without workspace_id: those of the organisation itself."),
        ids: fields.commaList.optional().describe("Ids, with commas."),
      }),
      page: { size: 100, max: 1000 },
      select: selectionOf,
      row: summaryOf,
      envelope: (data, total) => ({ data, total }),
      answer: z.object({ data: z.array(summary), total: z.int() }),
    },
    read: {
      scopes: scopesOf("read"),
      row: (record) => ({
        ...summaryOf(record),
        version_id: record.document.version_id,
        checks: shownMasked(withHiddenCredentials(record.document.checks)),
        actions: record.document.actions,
      }),
      answer: summary.extend({ checks: z.array(z.looseObject({ id: z.string() })), actions: z.looseObject({}) }),
    },
    update: {
      scopes: scopesOf("update"),
      body: updated.extend({ checks: listed.optional() }),
      answer: written,
      async run({ organisation, found, body, principal }) {
        const before = found.document.checks;
        const checks = body.checks && keptChecks(body.checks, before, known, acceptsUrl);
        const kept = await store.update(found, async (document) => {
          const own = {
            workspace_id: document.workspace_id,
            name: body.name ?? document.name,
            checks: checks ?? document.checks,
            actions: body.actions ?? document.actions,
          };
          const { id: version_id } = await versions.create(organisation, {}, { guardrail_id: found.id, ...own });
          return { ...document, ...own, version_id, updated_by: principal.user ?? principal.id };
        });
        return { id: kept.id, slug: kept.document.slug, version_id: kept.document.version_id };
      },
    },
    remove: { scopes: scopesOf("delete") },
  });
  management.needs("workspaces", async (organisation, { id }) => {
    const { total } = await store.select(organisation, { where: { workspace_id: id }, page: { number: 0, size: 1 } });
    return total === 0 ? [] : [`${total} guardrails`];
  });
}

/** The workspace it is for; null for the whole organisation. */
async function ownerOf(call: CheckedCall<undefined, z.output<typeof created>, object>): Promise<string | null> {
  const { own, body } = call;
  if (own) return (await call.workspace())?.id ?? own.id;
  if ((body.workspace_id === undefined) === (body.organisation_id === undefined))
    throw new GatewayError(
      "record_invalid",
      "Whose it is says workspace_id, or organisation_id for the whole organisation: give one of them.",
      { param: "workspace_id" },
    );
  return (await call.workspace())?.id ?? null;
}

/** A workspace reads what its organisation owns, and changes what is its own. */
function refuseForeign(call: ManagementCall, { document }: Managed<GuardrailDocument>, verb: Verb): void {
  const { workspace_id: workspace } = document;
  if (verb === "read" && call.own) return call.require("guardrails.read");
  if (workspace === null && call.own)
    throw new GatewayError("forbidden", "This guardrail is the organisation's, whose API key changes it.");
  call.require(scopeFor(verb, workspace));
}

/** Which ones a caller sees: its workspace's with the organisation's, or of those the ones its scopes are for. */
async function selectionOf(
  call: CheckedCall<
    undefined,
    unknown,
    { workspace_id?: string | undefined; organisation_id?: string | undefined; ids?: string[] | undefined }
  >,
) {
  const { ids, workspace_id, organisation_id } = call.query;
  const workspace = await call.workspace();
  const ofOrganisation = organisation_id !== undefined && workspace_id === undefined && !call.own;
  const seen = ({ id, document, origin }: Managed<GuardrailDocument>) => {
    if (ids?.length && !ids.includes(id)) return false;
    if (ofOrganisation && document.workspace_id !== null) return false;
    return call.own !== undefined || origin === "file" || call.holds(scopeFor("list", document.workspace_id));
  };
  return { ...(workspace && { workspace: workspace.id }), filter: seen };
}

/** Checks as they are kept, their addresses allowed and their credentials put back where they were sent masked. */
function keptChecks(
  checks: readonly KeptCheck[],
  before: readonly KeptCheck[] | undefined,
  known: Known,
  acceptsUrl: (url: string) => boolean,
): readonly KeptCheck[] {
  const refuse = (param: string, message: string): never => {
    throw new GatewayError("record_invalid", `${param}: ${message}`, { param });
  };
  for (const { place, url } of addressesIn(known, checks))
    if (!acceptsUrl(url)) refuse(`checks${place}`, "is not a URL that may be called");
  return keptWithCredentials(withHiddenCredentials(checks), before && withHiddenCredentials(before), (path, why) =>
    refuse(`checks${path}`, notPutBack(why)),
  ) as readonly KeptCheck[];
}

function summaryOf(record: Managed<GuardrailDocument>) {
  const { id, tenant, document } = record;
  const { slug = id, name, workspace_id, owner_id, updated_by } = document;
  return {
    id,
    name,
    slug,
    organisation_id: tenant,
    workspace_id,
    status: "active",
    ...timesOf(record),
    owner_id,
    updated_by,
  };
}
