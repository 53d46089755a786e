import { z } from "zod";
import { secret } from "../secrets/secret.ts";

const id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.-]*$/, { error: "an id: letters, digits, dots and hyphens" });

/** Options of providers whose vendor knows callers by Microsoft Entra ID (providers.md section 10.3). */
export const entraOptions = {
  authMode: z
    .enum(["apiKey", "default", "entra", "managed", "workload", "entraFederated"])
    .default("apiKey")
    .describe(
      "Whose token is shown: none but the key's, a client's with a secret, this machine's identity, or, with " +
        "`entraFederated`, a client's that trusts what this machine is at AWS.",
    ),
  adToken: secret().exactOptional().describe("An Entra token of one's own, instead of a key."),
  entraTenantId: id.exactOptional().describe("The tenant of the client."),
  entraClientId: id.exactOptional().describe("The client."),
  entraClientSecret: secret().exactOptional().describe("The client's secret."),
  entraScope: z
    .string()
    .regex(/^[\w:/.-]+$/)
    .default("https://cognitiveservices.azure.com/.default")
    .describe("What tokens are asked for."),
  managedClientId: id.exactOptional().describe("Which of the machine's managed identities; absent: its own."),
  workloadTenantId: id.exactOptional().describe("Tenant of the workload identity. Absent: AZURE_TENANT_ID."),
  workloadClientId: id.exactOptional().describe("Client of the workload identity. Absent: AZURE_CLIENT_ID."),
  federatedTokenFile: z
    .string()
    .exactOptional()
    .describe("The file with the token of the workload. Absent: AZURE_FEDERATED_TOKEN_FILE."),
  authorityHost: z
    .url({ protocol: /^https?$/ })
    .exactOptional()
    .describe("Where tokens are had. Absent: AZURE_AUTHORITY_HOST, or Microsoft's public cloud."),
  federationRegion: z
    .string()
    .regex(/^[a-z]{2,}(?:-[a-z0-9]+)+$/, "a region, as in us-east-1")
    .exactOptional()
    .describe("The AWS region whose token service says who this machine is, for entraFederated. Absent: AWS_REGION."),
  federationUrl: z
    .url({ protocol: /^https?$/ })
    .exactOptional()
    .describe("Where that token service is, if not at the public endpoint of the region."),
  identityEndpoint: z
    .url({ protocol: /^https?$/ })
    .default("http://169.254.169.254/metadata/identity/oauth2/token")
    .describe("Where the machine's managed identity is had."),
};

export type EntraOptions = z.output<z.ZodObject<typeof entraOptions>>;

/** The options above that come in headers of a caller. Files and endpoints are not among them. */
export const entraHeaders = {
  authMode: "azure-auth-mode",
  adToken: "azure-ad-token",
  entraTenantId: "azure-entra-tenant-id",
  entraClientId: "azure-entra-client-id",
  entraClientSecret: "azure-entra-client-secret",
  entraScope: "azure-entra-scope",
  managedClientId: "azure-managed-client-id",
  workloadTenantId: "azure-workload-tenant-id",
  workloadClientId: "azure-workload-client-id",
} as const;

/** Those that choose whose identity is shown: with one of a caller's, nothing stored is. */
export const entraTenantOptions: readonly string[] = [
  "entraTenantId",
  "entraClientId",
  "entraScope",
  "managedClientId",
  "workloadTenantId",
  "workloadClientId",
];

/** The modes that show the identity of this machine. */
export const entraMachineValues = { authMode: ["managed", "workload", "entraFederated"] } as const;
