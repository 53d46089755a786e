import type { OrganisationFacts } from "../../core/index.ts";
import type { OrganisationDocument } from "./organisation.ts";
import type { WorkspaceSettings } from "./workspace.ts";

/** What was decided, for a workspace that may have decided some of it for itself. */
export function factsOf(
  { name, settings, defaults, exclusions }: OrganisationDocument,
  own: WorkspaceSettings = {},
): OrganisationFacts {
  const logging = { ...settings.request_logging, ...own.request_logging };
  const life = own.user_api_key_ttl ?? settings.user_api_key_ttl;
  const { jwks_url, jwks } = settings.jwt ?? {};
  return {
    name,
    blockInlineConfig: [settings, own].some((said) => said.data_plane_security_settings?.block_inline_config),
    jwt: { url: jwks_url ?? undefined, keys: jwks ?? undefined },
    logging: logging.mode ?? "full",
    loggingEnforced: settings.request_logging?.enforce_debug_log_setting ?? false,
    inputGuardrails: defaults.input_guardrails,
    outputGuardrails: defaults.output_guardrails,
    excluded: exclusions,
    userKeys: {
      rotationDays: own.user_api_key_rotation_period ?? settings.user_api_key_rotation_period ?? null,
      defaultDays: life?.default_days ?? null,
      maxDays: life?.max_days ?? null,
      most: settings.user_api_key_limit ?? null,
    },
    keyMetadata: settings.api_key_metadata_schema ?? null,
    deniedExportFields: (own.export_settings ?? settings.export_settings)?.deniedFields ?? [],
  };
}
