import { z } from "../../core/index.ts";

/** What members of a virtual key are called in an integration (control-plane.md section 9). */
const names: Readonly<Record<string, string>> = {
  resourceName: "azure_resource_name",
  deploymentName: "azure_deployment_name",
  apiVersion: "azure_api_version",
  deploymentConfig: "azure_deployment_config",
  azureAuthMode: "azure_auth_mode",
  azureEntraTenantId: "azure_entra_tenant_id",
  azureEntraClientId: "azure_entra_client_id",
  azureEntraClientSecret: "azure_entra_client_secret",
  azureManagedClientId: "azure_managed_client_id",
  awsAuthType: "aws_auth_type",
  awsAccessKeyId: "aws_access_key_id",
  awsSecretAccessKey: "aws_secret_access_key",
  awsRegion: "aws_region",
  awsRoleArn: "aws_role_arn",
  awsExternalId: "aws_external_id",
  vertexProjectId: "vertex_project_id",
  vertexRegion: "vertex_region",
  vertexAuthType: "vertex_auth_type",
  vertexServiceAccountJson: "vertex_service_account_json",
  vertexSkipPtuCostAttribution: "vertex_skip_ptu_cost_attribution",
  workersAiAccountId: "workers_ai_account_id",
  customHost: "custom_host",
  customHeaders: "custom_headers",
};

const deploymentNames: Readonly<Record<string, string>> = {
  apiVersion: "azure_api_version",
  deploymentName: "azure_deployment_name",
};

const text = z.string().nullish();

/** The members as they are sent. Whatever else a vendor needs is sent under its name in an integration. */
export const virtualKeyMembers = {
  ...Object.fromEntries(
    Object.keys(names)
      .filter((name) => !["deploymentConfig", "vertexServiceAccountJson", "customHeaders"].includes(name))
      .map((name) => [name, name === "vertexSkipPtuCostAttribution" ? z.boolean().nullish() : text]),
  ),
  deploymentConfig: z
    .array(
      z.object({
        apiVersion: z.string().min(1),
        deploymentName: z.string().min(1),
        alias: z.string().min(1).optional(),
        is_default: z.boolean().optional(),
      }),
    )
    .nullish(),
  vertexServiceAccountJson: z.union([z.record(z.string(), z.unknown()), z.string()]).nullish(),
  customHeaders: z.record(z.string(), z.string()).nullish(),
};

type Members = Readonly<Record<string, unknown>>;

const renamed = (members: Members, table: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [table[name] ?? name, value]));

const inverse = (table: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(table).map(([from, to]) => [to, from]));

/** Of what was sent, the members of an integration; what is neither is left out. */
export function configurationsIn(sent: Members): Record<string, unknown> {
  const known = Object.entries(sent).filter(([name]) => name in names || /^[a-z]+(?:_[a-z0-9]+)+$/.test(name));
  const found = Object.fromEntries(known.filter(([name, value]) => value !== undefined && !own.has(name)));
  const { deploymentConfig } = found;
  return renamed(
    {
      ...found,
      ...(Array.isArray(deploymentConfig) && {
        deploymentConfig: deploymentConfig.map((one: Members) => renamed(one, deploymentNames)),
      }),
    },
    names,
  );
}

/** Fields of a virtual key itself that look like members, those that are only read among them. */
const own: ReadonlySet<string> = new Set([
  "workspace_id",
  "organisation_id",
  "usage_limits",
  "rate_limits",
  "expires_at",
  "secret_mappings",
  "reset_usage",
  "model_config",
  "created_at",
  "last_updated_at",
]);

/** Members of an integration as a virtual key shows them; masked ones keep their mark. */
export function modelConfigOf(configurations: Members): Record<string, unknown> {
  const back = inverse(names);
  const named = Object.entries(configurations).map(([name, value]) => [sentName(name, back), value]);
  const { deploymentConfig, ...others } = Object.fromEntries(named) as Record<string, unknown>;
  if (!Array.isArray(deploymentConfig))
    return { ...others, ...(deploymentConfig !== undefined && { deploymentConfig }) };
  return {
    ...others,
    deploymentConfig: deploymentConfig.map((one: Members) => renamed(one, inverse(deploymentNames))),
  };
}

const sentName = (name: string, back: Readonly<Record<string, string>>): string =>
  name.startsWith("masked_") ? `masked_${sentName(name.slice("masked_".length), back)}` : (back[name] ?? name);

const prefix = "model_config.";

/** A field of a mapping, as an integration has it. */
export function integrationTarget(target: string): string {
  if (target === "key") return target;
  const member = target.startsWith(prefix) ? target.slice(prefix.length) : target.replace(/^configurations\./, "");
  return `configurations.${names[member] ?? member}`;
}

/** The same as a virtual key has it. */
export const virtualKeyTarget = (target: string): string =>
  target === "key" ? target : prefix + sentName(target.replace(/^configurations\./, ""), inverse(names));
