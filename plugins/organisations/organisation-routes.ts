import {
  fields,
  GatewayError,
  keptWithCredentials,
  type ManagementService,
  nothing,
  refuseUnusableSchema,
  shownMasked,
  withHiddenUrls,
  z,
} from "../../core/index.ts";
import type { OrganisationDocument, OrganisationStore } from "./organisation.ts";
import { manageDefaults } from "./organisation-defaults.ts";
import { followOverrides, overridesIn, overridesOf } from "./overrides.ts";
import { organisationSettings, securityDefaults, workspaceOverrides } from "./settings.ts";
import type { WorkspaceStore } from "./workspace.ts";

const body = z.object({
  name: fields.name.optional(),
  settings: organisationSettings.optional(),
  workspace_overrides: workspaceOverrides.optional(),
});

/** The organisation itself (control-plane.md section 18). */
export function manageOrganisation(
  management: ManagementService,
  organisations: OrganisationStore,
  workspaces: WorkspaceStore,
): void {
  const shared = { tag: "organisation", path: "/admin/organisation", key: "organisation" } as const;
  management.operation({
    ...shared,
    method: "GET",
    summary: "Reads the organisation with its settings.",
    scopes: ["organisation_settings.read"],
    answer: z.looseObject({ id: z.string(), name: z.string() }),
    async run({ organisation }) {
      const document = await organisations.get(organisation);
      const { name, settings, default_workspace } = document;
      const open = overridesOf(document);
      const shown = await workspaces.get(organisation, default_workspace);
      return {
        id: organisation,
        name,
        settings: {
          ...(shownMasked(withHiddenUrls(settings)) as typeof settings),
          security_settings: { ...securityDefaults, ...settings.security_settings },
          ...(open.request_logging !== undefined && {
            request_logging: { ...settings.request_logging, allow_workspace_override: open.request_logging },
          }),
        },
        workspace_overrides: open,
        default_workspace: shown ? { id: shown.id, slug: shown.document.slug } : null,
      };
    },
  });
  management.operation({
    ...shared,
    method: "PUT",
    summary: "Changes the settings of the organisation that are sent; groups of settings are merged.",
    scopes: ["organisation_settings.update"],
    audit: { resource: "organisation", action: "update" },
    body,
    answer: nothing,
    async run({ organisation, body: given }) {
      for (const field of ["api_key_metadata_schema", "workspace_metadata_schema"] as const)
        await refuseUnusableSchema(given.settings?.[field], `settings.${field}`);
      const switched = overridesIn(given);
      const { before, after } = await organisations.change(organisation, (document) => ({
        ...document,
        name: given.name ?? document.name,
        settings: merged(document.settings, given.settings && unmasked(given.settings, document.settings)),
        workspace_overrides: { ...document.workspace_overrides, ...switched },
      }));
      await followOverrides(workspaces, organisation, { before, after }, switched);
      return {};
    },
  });
  manageDefaults(management, organisations);
  for (const side of ["input", "output"] as const) manageExclusions(management, organisations, workspaces, side);
}

/** Settings that were sent with their addresses as they are shown: what is masked in them stays as it was. */
const unmasked = (given: Settings, before: Settings): Settings =>
  keptWithCredentials(withHiddenUrls(given), withHiddenUrls(before), (path) => {
    const message = `settings.${path}: is an address as it is shown, masked: send the address itself.`;
    throw new GatewayError("record_invalid", message, { param: `settings.${path}` });
  }) as Settings;

type Settings = OrganisationDocument["settings"];

/** Members of groups of settings are merged; everything else is replaced. */
function merged(
  settings: OrganisationDocument["settings"],
  given: OrganisationDocument["settings"] = {},
): OrganisationDocument["settings"] {
  const grouped = ["security_settings", "data_plane_security_settings", "request_logging", "jwt"] as const;
  const groups = grouped.flatMap((group) =>
    given[group] ? [[group, { ...settings[group], ...given[group] }] as const] : [],
  );
  return { ...settings, ...given, ...Object.fromEntries(groups) };
}

/** Workspaces whose requests do not meet the organisation's guardrails. */
function manageExclusions(
  management: ManagementService,
  organisations: OrganisationStore,
  workspaces: WorkspaceStore,
  side: "input" | "output",
): void {
  const shared = {
    tag: "organisation",
    path: `/workspace-exclusions/${side}-guardrails`,
    key: "organisation",
  } as const;
  management.operation({
    ...shared,
    method: "GET",
    summary: `Lists the workspaces that the organisation's ${side} guardrails leave out.`,
    scopes: ["organisation_exclusions.list"],
    answer: z.object({ data: z.array(z.looseObject({ workspace_id: z.string() })), total: z.int() }),
    async run({ organisation }) {
      const { exclusions } = await organisations.get(organisation);
      const found = await Promise.all(exclusions[side].map((id) => workspaces.get(organisation, id)));
      const data = found.flatMap((workspace) => (workspace ? [{ workspace_id: workspace.document.slug ?? "" }] : []));
      return { data, total: data.length };
    },
  });
  management.operation({
    ...shared,
    method: "PUT",
    summary: `Says which workspaces the organisation's ${side} guardrails leave out.`,
    scopes: ["organisation_exclusions.update"],
    audit: { resource: "organisation", action: "update" },
    body: z.object({
      organisation_id: z.string().optional(),
      workspaces: z.array(z.object({ workspace_id: z.string(), excluded: z.boolean() })),
      override_existing: z.boolean().default(false),
    }),
    answer: nothing,
    async run(call) {
      const named = await Promise.all(
        call.body.workspaces.map(async ({ workspace_id, excluded }, at) => ({
          id: (await call.workspaceOf(workspace_id, `workspaces[${at}].workspace_id`)).id,
          excluded,
        })),
      );
      await organisations.change(call.organisation, (document) => {
        const out = new Set(call.body.override_existing ? [] : document.exclusions[side]);
        for (const { id, excluded } of named) excluded ? out.add(id) : out.delete(id);
        return { ...document, exclusions: { ...document.exclusions, [side]: [...out] } };
      });
      return {};
    },
  });
}
