import { fields, GatewayError, grantableScopes, plainScope, z } from "../../core/index.ts";
import type { KeyKind } from "./kinds.ts";
import { rotationPolicy } from "./rotation.ts";

/** Of what is said as one or as a list of one. */
const one = <Schema extends z.ZodType>(schema: Schema) =>
  fields.oneOrMany(schema).transform((all, context) => {
    if (all.length > 1) context.addIssue({ code: "custom", message: "may be one only" });
    return all[0] ?? null;
  });

const defaults = z.object({
  config_id: z.string().min(1).nullable().optional(),
  metadata: z.record(z.string(), z.string().max(128)).nullable().optional(),
  allow_config_override: z.boolean().optional(),
});

const common = {
  description: fields.description.optional(),
  rate_limits: fields.rateLimits.nullable().optional(),
  usage_limits: one(fields.newUsageLimits).nullable().optional(),
  defaults: defaults.nullable().optional(),
  alert_emails: z.array(fields.email).max(50).optional(),
  expires_at: fields.instant.nullable().optional(),
  rotation_policy: rotationPolicy.nullable().optional(),
};

const scopes = z.array(z.string()).min(1);

export const createBody = z.object({
  name: fields.name,
  scopes,
  workspace_id: z.string().optional(),
  user_id: z.string().optional(),
  ...common,
});

export const updateBody = z.object({
  name: fields.name.optional(),
  scopes: scopes.optional(),
  user_id: z.string().nullable().optional(),
  reset_usage: fields.resetUsage.optional(),
  ...common,
});

/** Scopes as they are kept. Throws 400 AB01 for one that a key of this kind may not hold. */
export function checkedScopes(given: readonly string[], kind: KeyKind): string[] {
  const grantable = grantableScopes(kind);
  return [
    ...new Set(
      given.map((written, at) => {
        const scope = plainScope(written);
        if (grantable.has(scope)) return scope;
        throw new GatewayError("record_invalid", `scopes[${at}]: ${kind} keys may not hold "${written}".`, {
          param: `scopes[${at}]`,
        });
      }),
    ),
  ];
}
