/** Other names of vendors (control-plane.md section 9). */
const aliases: Readonly<Record<string, string>> = {
  "open-ai": "openai",
  "hugging-face": "huggingface",
};

export const vendorOf = (name: string): string => aliases[name] ?? name;

/** A member that has to be there: always, or beside some values of another one. */
interface Requirement {
  readonly member: string;
  readonly beside?: { readonly member: string; readonly values: readonly string[] };
  /** What may be there in its place. */
  readonly unless?: string;
}

const when = (member: string, value: string, ...members: readonly string[]): Requirement[] =>
  members.map((one) => ({ member: one, beside: { member, values: [value] } }));

const always = (...members: readonly string[]): Requirement[] => members.map((member) => ({ member }));

const entra = [
  ...when("azure_auth_mode", "entra", "azure_entra_tenant_id", "azure_entra_client_id", "azure_entra_client_secret"),
  ...when("azure_auth_mode", "entraFederated", "azure_entra_tenant_id", "azure_entra_client_id"),
];

const aws = [
  ...always("aws_auth_type", "aws_region"),
  ...when("aws_auth_type", "accessKey", "aws_access_key_id", "aws_secret_access_key"),
  ...when("aws_auth_type", "assumedRole", "aws_role_arn"),
];

/**
 * What an integration has to say of itself (control-plane.md section 7.3), beyond what the provider cannot do without. A
 * virtual key says less: it is older than most of this.
 */
export const requirements: Readonly<Record<string, readonly Requirement[]>> = {
  "azure-openai": [
    ...always("azure_auth_mode", "azure_deployment_config"),
    { member: "azure_resource_name", unless: "custom_host" },
    ...entra,
  ],
  "azure-ai": [...always("azure_auth_mode"), { member: "azure_foundry_url", unless: "custom_host" }, ...entra],
  bedrock: aws,
  "bedrock-mantle": aws,
  sagemaker: aws,
  "claude-platform-aws": aws,
  "vertex-ai": [
    ...always("vertex_auth_type", "vertex_region"),
    ...when("vertex_auth_type", "basic", "vertex_project_id"),
    ...when("vertex_auth_type", "serviceAccount", "vertex_service_account_json"),
  ],
  "workers-ai": always("workers_ai_account_id"),
  cortex: always("snowflake_account"),
  databricks: always("databricks_workspace"),
};

/** Members that each entry of a list has to have. */
const inLists: Readonly<Record<string, readonly string[]>> = {
  azure_deployment_config: ["azure_deployment_name", "azure_api_version", "azure_model_slug"],
};

type Configurations = Readonly<Record<string, unknown>>;

/** The required members that are missing: `aws_region`, `azure_deployment_config.0.azure_api_version`. */
export function missingMembers(vendor: string, configurations: Configurations, later: readonly string[]): string[] {
  const isThere = (member: string) => later.includes(member) || !isEmpty(configurations[member]);
  const missing = (requirements[vendor] ?? [])
    .filter(({ beside }) => !beside || beside.values.includes(String(configurations[beside.member])))
    .filter(({ member, unless }) => !isThere(member) && !(unless !== undefined && isThere(unless)))
    .map(({ member }) => member);
  const within = Object.entries(inLists).flatMap(([list, members]) =>
    entriesOf(configurations[list]).flatMap((entry, at) =>
      members.filter((member) => isEmpty(entry[member])).map((member) => `${list}.${at}.${member}`),
    ),
  );
  return [...missing, ...within];
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

const entriesOf = (value: unknown): Configurations[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === "object" && entry !== null) : [];
