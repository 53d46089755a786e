import { GatewayError, unlessDeleted } from "../../core/index.ts";
import type { Change, OrganisationDocument } from "./organisation.ts";
import {
  type Category,
  categories,
  type OrganisationSettings,
  overridable,
  securityDefaults,
  type WorkspaceOverrides,
} from "./settings.ts";
import type { WorkspaceDocument, WorkspaceStore } from "./workspace.ts";

type Said = Pick<OrganisationDocument, "settings" | "workspace_overrides">;

/** Which settings are opened to workspaces. That of logging has a second name, among the settings (section 2.8). */
export function overridesOf({ settings, workspace_overrides: open }: Said): WorkspaceOverrides {
  const logging = open.request_logging ?? settings.request_logging?.allow_workspace_override;
  return logging === undefined ? open : { ...open, request_logging: logging };
}

/** What a change opens and closes, under whichever of its names. Throws AB01 where it says both of one. */
export function overridesIn(given: {
  readonly settings?: OrganisationSettings | undefined;
  readonly workspace_overrides?: WorkspaceOverrides | undefined;
}): WorkspaceOverrides {
  const { workspace_overrides: open = {} } = given;
  const logging = given.settings?.request_logging?.allow_workspace_override;
  if (logging === undefined) return open;
  if (open.request_logging === !logging) {
    const param = "settings.request_logging.allow_workspace_override";
    const message = `${param}: is ${logging}, and workspace_overrides.request_logging, which is the same, ${!logging}: send one of them.`;
    throw new GatewayError("record_invalid", message, { param });
  }
  return { ...open, request_logging: logging };
}

/**
 * A category that is opened begins, in every workspace, with what the organisation has; one that is closed drops what
 * workspaces had set.
 */
export async function followOverrides(
  workspaces: WorkspaceStore,
  organisation: string,
  { before, after: { settings } }: Change,
  given: WorkspaceOverrides,
): Promise<void> {
  const open = overridesOf(before);
  const switched = Object.entries(given).filter(([category, on]) => (open[category as Category] ?? false) !== on);
  if (switched.length === 0) return;
  const { records } = await workspaces.select(organisation);
  for (const record of records)
    await unlessDeleted(workspaces, record, () =>
      workspaces.update(record, (document) => ({
        ...document,
        settings: switched.reduce((own, [category, on]) => switchedTo(own, category, on, settings), document.settings),
      })),
    );
}

function switchedTo(
  own: WorkspaceDocument["settings"],
  category: string,
  on: boolean | undefined,
  settings: OrganisationDocument["settings"],
): WorkspaceDocument["settings"] {
  if (category in overridable) {
    const { [category as keyof typeof own]: _, ...rest } = own;
    const value = settings[category as keyof typeof overridable];
    return on && value !== undefined ? { ...rest, [category]: value } : rest;
  }
  const toggles: readonly string[] = categories[category as Category] ?? [];
  const kept = Object.entries(own.security_settings ?? {}).filter(([toggle]) => !toggles.includes(toggle));
  const all: Readonly<Record<string, boolean | undefined>> = { ...securityDefaults, ...settings.security_settings };
  const copied = on ? toggles.map((toggle) => [toggle, all[toggle]]) : [];
  return { ...own, security_settings: Object.fromEntries([...kept, ...copied]) };
}
