import { z } from "../../core/index.ts";
import { metadataSchema } from "./metadata-schema.ts";

/** Categories of security settings; a workspace may set those of a category the organisation has opened (section 2.8). */
export const categories = {
  logs: [
    "managersViewLogs",
    "managersViewLogMetadata",
    "membersViewLogs",
    "membersViewLogMetadata",
    "organisationAdminsViewLogs",
    "organisationAdminsViewLogMetadata",
  ],
  analytics: ["managersViewAnalytics", "membersViewAnalytics"],
  data_visibility: ["managersViewAllData", "membersViewAllData"],
  prompts: ["managersViewPrompts", "membersViewPrompts", "managersWritePrompts", "membersWritePrompts"],
  guardrails: ["managersViewGuardrails", "managersWriteGuardrails", "membersViewGuardrails"],
  configs: ["managersViewConfigs", "managersWriteConfigs", "membersViewConfigs", "membersWriteConfigs"],
  providers: ["managersViewProviders", "managersWriteProviders", "membersViewProviders"],
  integrations: ["managersWriteWsIntegrations", "managersWriteWsMcpIntegrations", "managersWriteMcpServers"],
  api_keys: ["managersViewApiKeys", "managersWriteApiKeys", "membersViewApiKeys", "membersWriteApiKeys"],
  workspace: ["managersManageWorkspace"],
} as const;

export type Category = keyof typeof categories;
export type SecurityToggle = (typeof categories)[Category][number];

/** Toggles that are off until somebody turns them on. */
const off: ReadonlySet<string> = new Set(["membersWritePrompts", "membersWriteConfigs", "managersManageWorkspace"]);

const toggles = Object.values(categories).flat() as SecurityToggle[];

export const securityDefaults = Object.fromEntries(toggles.map((toggle) => [toggle, !off.has(toggle)])) as Readonly<
  Record<SecurityToggle, boolean>
>;

export const securitySettings = z.strictObject(
  Object.fromEntries(toggles.map((toggle) => [toggle, z.boolean().optional()])) as Record<
    SecurityToggle,
    z.ZodOptional<z.ZodBoolean>
  >,
);

const days = z.int().min(1).max(365);

/** `weekly` is 7 days, `monthly` 30. */
const rotationDays = z.union([
  days,
  z.enum(["weekly", "monthly"]).transform((period) => (period === "weekly" ? 7 : 30)),
]);

const keyLife = z.strictObject({ default_days: days.nullable().optional(), max_days: days.nullable().optional() });

/** What exports of logs may be kept from holding; the others of their fields always may (control-plane.md section 15). */
const deniableFields = [
  "id",
  "trace_id",
  "created_at",
  "request",
  "response",
  "ai_org",
  "ai_model",
  "req_units",
  "res_units",
  "total_units",
  "request_url",
  "cost",
  "cost_currency",
  "response_time",
  "response_status_code",
  "config",
  "prompt_slug",
  "metadata",
] as const;

/** Fields that workspaces may be allowed to set for themselves, each under a category of its own name. */
export const overridable = {
  request_logging: z.strictObject({
    mode: z.enum(["full", "metrics_only"]).optional(),
    allow_workspace_override: z.boolean().optional(),
    enforce_debug_log_setting: z.boolean().optional(),
  }),
  export_settings: z.strictObject({ deniedFields: z.array(z.enum(deniableFields)) }),
  user_api_key_auto_create: z.boolean(),
  user_api_key_rotation_period: rotationDays.nullable(),
  user_api_key_ttl: keyLife.nullable(),
} as const;

/** Of an organisation or a workspace: either makes it stricter, and neither undoes what the other says (operations.md section 7). */
export const dataPlaneSettings = z.strictObject({ block_inline_config: z.boolean().optional() });

/** The settings of an organisation; what is not said has its default. */
export const organisationSettings = z.object({
  security_settings: securitySettings.optional(),
  data_plane_security_settings: dataPlaneSettings.optional(),
  request_logging: overridable.request_logging.optional(),
  export_settings: overridable.export_settings.optional(),
  user_api_key_auto_create: overridable.user_api_key_auto_create.optional(),
  user_api_key_rotation_period: overridable.user_api_key_rotation_period.optional(),
  user_api_key_ttl: overridable.user_api_key_ttl.optional(),
  default_workspace_user_api_key_auto_create: z.boolean().optional(),
  user_api_key_limit: z.int().min(1).nullable().optional(),
  api_key_metadata_schema: metadataSchema.nullable().optional(),
  workspace_metadata_schema: metadataSchema.nullable().optional(),
  session_settings: z.strictObject({ max_session_ttl: z.int().min(900).nullable() }).optional(),
  jwt: z
    .strictObject({
      jwks_url: z
        .url({ protocol: /^https?$/ })
        .nullable()
        .optional(),
      jwks: publicKeys().nullable().optional(),
    })
    .optional(),
  gateway_url: z
    .url()
    .transform((url) => (/\/v1\/?$/.test(url) ? url : `${url.replace(/\/$/, "")}/v1`))
    .nullable()
    .optional(),
  mcp_gateway_url: z.url().nullable().optional(),
});

export type OrganisationSettings = z.output<typeof organisationSettings>;

export const workspaceOverrides = z.partialRecord(
  z.enum([...(Object.keys(categories) as Category[]), ...(Object.keys(overridable) as (keyof typeof overridable)[])]),
  z.boolean(),
);

export type WorkspaceOverrides = z.output<typeof workspaceOverrides>;

/** A key set holds public parts only: a private one in it is a mistake that must not be kept. */
function publicKeys() {
  const hidden = ["d", "p", "q", "dp", "dq", "qi", "k"];
  return z
    .looseObject({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) })
    .superRefine(({ keys }, context) => {
      for (const [at, key] of keys.entries())
        if (hidden.some((part) => part in key))
          context.addIssue({ code: "custom", path: ["keys", at], message: "holds a private or a symmetric key" });
    });
}
