import { Secret, z } from "../../core/index.ts";
import { managers, managerTypes } from "./managers/index.ts";

const url = z.url({ protocol: /^https?$/ });
const text = z.string().min(1);

/** The fields of `auth_config` in which credentials stand, whoever the manager is. */
const masked: ReadonlySet<string> = new Set(Object.values(managers).flatMap((one) => [...one.masked]));

/** Credentials in the file are made unprintable: options are logged and explained. */
const authConfig = z
  .record(z.string(), z.unknown())
  .transform((values) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        masked.has(name) && typeof value === "string" ? new Secret(value) : value,
      ]),
    ),
  );

const declared = z.strictObject({
  name: text.max(255).exactOptional(),
  description: z.string().max(1024).exactOptional(),
  manager_type: z.enum(managerTypes),
  auth_config: authConfig.default({}),
  secret_path: text.max(1024),
  secret_key: text.max(255).exactOptional(),
  allowed_workspaces: z.array(text).min(1).exactOptional(),
  tags: z.record(z.string(), z.string()).exactOptional(),
});

export type DeclaredReference = z.output<typeof declared>;

export const secretReferencesOptions = z.strictObject({
  references: z
    .record(z.string().regex(/^[a-zA-Z0-9_-]{1,255}$/, "a slug holds letters, digits, _ and - only"), declared)
    .default({})
    .describe(
      "References by slug, with the fields of POST /secret-references. `manager_type` may be `env` and `file` too; " +
        "`secret_path` is then a variable, or a file relative to this one.",
    ),
  machineIdentity: z
    .boolean()
    .default(true)
    .describe(
      "Whether references made over the API may show who this machine is: `assumedRole` and `serviceRole`, `managed` " +
        "and `default`, `kubernetes`, `workload`.",
    ),
  kubernetesTokenFile: text
    .default("/var/run/secrets/kubernetes.io/serviceaccount/token")
    .describe("What a vault is shown by `kubernetes`."),
  awsUrl: url.exactOptional().describe("Where AWS Secrets Manager is, if not at the public endpoint of the region."),
  stsUrl: url.exactOptional().describe("Where roles of AWS are assumed, if not at the public endpoint of the region."),
  azureScope: text
    .default("https://vault.azure.net/.default")
    .describe("What tokens for Azure Key Vault are asked for."),
  azureAuthorityHost: url
    .exactOptional()
    .describe("Where Entra tokens are had. Absent: AZURE_AUTHORITY_HOST, or Microsoft's public cloud."),
  azureIdentityEndpoint: url.exactOptional().describe("Where the machine's managed identity of Azure is had."),
  googleUrl: url.default("https://secretmanager.googleapis.com").describe("Where Google Secret Manager is."),
  googleTokenUrl: url
    .default("https://oauth2.googleapis.com/token")
    .describe("Where service accounts of Google Cloud are given tokens."),
});

export type SecretReferencesOptions = z.output<typeof secretReferencesOptions>;
