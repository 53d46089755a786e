import { CheckError, type CheckTools, entraCredential, entraOptions, GatewayError, z } from "../../../core/index.ts";
import { credentialsOf } from "../credentials.ts";
import { baseOf } from "./address.ts";

const id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.-]*$/);
const resource = z
  .object({
    resourceName: id.optional(),
    customHost: z.url({ protocol: /^https?$/ }).optional(),
    azureAuthMode: z.enum(["apiKey", "entra", "managed"]).default("apiKey"),
    apiKey: z.string().min(1).optional(),
    tenantId: id.optional(),
    clientId: id.optional(),
    clientSecret: z.string().min(1).optional(),
  })
  .superRefine(({ resourceName, customHost, azureAuthMode: mode, ...given }, context) => {
    const lacks = (name: string) => context.addIssue({ code: "custom", path: [name], message: "is missing" });
    if (resourceName === undefined && customHost === undefined) lacks("resourceName");
    if (given.apiKey !== undefined) return;
    if (mode === "apiKey") lacks("apiKey");
    if (mode !== "entra") return;
    for (const name of ["tenantId", "clientId", "clientSecret"] as const) if (given[name] === undefined) lacks(name);
  });
type Resource = z.output<typeof resource>;

const identity = z.object(entraOptions);

export interface AzureCall {
  /** Whose credentials: those of content safety serve its other checks, too. */
  readonly product: "contentSafety" | "pii";
  readonly path: string;
  readonly apiVersion: string;
  readonly body: object;
}

/** Asks an Azure AI service of the check's credentials (guardrails.md section 13.6). Certificates are always verified. */
export async function askAzure(tools: CheckTools, { product, path, apiVersion, body }: AzureCall): Promise<unknown> {
  const of =
    product === "pii"
      ? credentialsOf(tools, { pii: resource }).pii
      : credentialsOf(tools, { contentSafety: resource }).contentSafety;
  const base = baseOf(of.customHost ?? `https://${of.resourceName}.cognitiveservices.azure.com`);
  const { json } = await tools.ask({
    url: `${base}${path}?api-version=${encodeURIComponent(apiVersion)}`,
    headers: { ...tools.forwarded, ...(await shown(of, tools)) },
    body,
  });
  return json;
}

async function shown(of: Resource, { trusted }: CheckTools): Promise<Readonly<Record<string, string>>> {
  if (of.apiKey !== undefined) return { "ocp-apim-subscription-key": of.apiKey };
  // The machine's token opens every resource that lets the machine in: whoever brings a host must not be sent it.
  if (of.azureAuthMode === "managed" && !trusted)
    throw new CheckError("The identity of this machine is shown with credentials of the operator only.", {
      label: "CredentialsError",
    });
  const options = identity.parse({
    authMode: of.azureAuthMode,
    ...(of.azureAuthMode === "managed"
      ? { managedClientId: of.clientId }
      : { entraTenantId: of.tenantId, entraClientId: of.clientId, entraClientSecret: of.clientSecret }),
  });
  try {
    return (await entraCredential("azure", options)?.()) ?? {};
  } catch (error) {
    if (error instanceof GatewayError) throw new CheckError(error.message, { label: "CredentialsError" });
    throw error;
  }
}

/** The characters that content safety takes in one call. What is longer is a 400. */
export const longest = 10_000;

/** The parameter each of these checks has. */
export const apiVersion = (usual: string) =>
  z.string().min(1).default(usual).describe("The version of the service's API.");

/** Credentials as the tables have them. */
export const tried = {
  contentSafety: { resourceName: "acme", apiKey: "k" },
  pii: { resourceName: "acme-language", azureAuthMode: "apiKey", apiKey: "l" },
};
