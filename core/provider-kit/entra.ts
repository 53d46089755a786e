import type { Headers } from "../model/headers.ts";
import { webIdentityToken } from "./aws/web-identity-token.ts";
import type { EntraOptions } from "./entra-options.ts";
import { environmentVariable } from "./environment-variable.ts";
import { fetchToken } from "./fetch-token.ts";
import { tokenInFile } from "./platform-credential.ts";
import { TokenCache } from "./token-cache.ts";
import type { Token } from "./token-source.ts";

/**
 * Tokens by identity, for all generations of the config: what was fetched for a credential is good for it whoever
 * carries the credential.
 */
const tokens = new TokenCache();

/** How long a token is kept, however long it is good for (providers.md section 10.3). */
const renewAfter = 15 * 60_000;

const publicCloud = "https://login.microsoftonline.com";

/**
 * The headers of a mode that shows an Entra token, asked for before each call; undefined for keys, and where something
 * is missing for the mode (`entraLacks` says what). `name` is the provider's, for messages.
 */
export function entraCredential(name: string, options: EntraOptions): (() => Promise<Headers>) | undefined {
  if (entraLacks(options) !== undefined) return undefined;
  switch (options.authMode) {
    case "entra":
      return asHeaders([options.entraClientSecret], options, () => clientToken(name, options));
    case "managed":
      return asHeaders([options.managedClientId, options.identityEndpoint], options, () => machineToken(name, options));
    case "workload":
      return asHeaders([options.federatedTokenFile], options, () => workloadToken(name, options));
    case "entraFederated":
      return asHeaders([regionOf(options), options.federationUrl], options, () => federatedToken(name, options));
    default:
      return undefined;
  }
}

/** A token the caller has already, whose name may stand in front of it. */
export const entraToken = ({ adToken }: Pick<EntraOptions, "adToken">): Headers | undefined =>
  adToken && { authorization: `Bearer ${adToken.reveal().replace(/^Bearer\s+/i, "")}` };

/** What a mode needs and does not have, as it goes on after "needs". */
export function entraLacks(options: EntraOptions): string | undefined {
  const { authMode, entraTenantId, entraClientId, entraClientSecret } = options;
  if (authMode === "entra" && !(entraTenantId && entraClientId && entraClientSecret))
    return "entraTenantId, entraClientId and entraClientSecret for the authMode entra";
  if (authMode === "entraFederated") {
    if (!(entraTenantId && entraClientId)) return "entraTenantId and entraClientId for the authMode entraFederated";
    if (!regionOf(options)) return "federationRegion, or the variable AWS_REGION, for the authMode entraFederated";
  }
  if (authMode === "workload") {
    const { tenantId, clientId, file } = workloadOf(options);
    if (!(tenantId && clientId && file))
      return (
        "workloadTenantId, workloadClientId and federatedTokenFile for the authMode workload, or the variables " +
        "AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_FEDERATED_TOKEN_FILE"
      );
  }
  return undefined;
}

function asHeaders(
  secrets: Parameters<TokenCache["source"]>[0],
  { authMode, entraTenantId, entraClientId, entraScope, authorityHost, ...options }: EntraOptions,
  fetch: () => Promise<Token>,
): () => Promise<Headers> {
  const { workloadTenantId, workloadClientId } = options;
  const identity = [entraTenantId, entraClientId, workloadTenantId, workloadClientId];
  const source = tokens.source([authMode, ...identity, entraScope, authorityHost, ...secrets], () => ({
    fetch,
    renewAfter,
  }));
  return async () => ({ authorization: `Bearer ${(await source()).text}` });
}

const tokenUrl = ({ authorityHost }: EntraOptions, tenant: string): string => {
  const host = authorityHost ?? environmentVariable("AZURE_AUTHORITY_HOST") ?? publicCloud;
  return `${host.replace(/\/+$/, "")}/${tenant}/oauth2/v2.0/token`;
};

const clientToken = (provider: string, options: EntraOptions): Promise<Token> =>
  fetchToken({
    provider,
    check: "entraTenantId, entraClientId and entraClientSecret",
    url: tokenUrl(options, options.entraTenantId ?? ""),
    form: {
      grant_type: "client_credentials",
      client_id: options.entraClientId ?? "",
      client_secret: options.entraClientSecret?.reveal() ?? "",
      scope: options.entraScope,
    },
  });

/** The instance metadata service names a resource where the other forms name a scope. */
function machineToken(
  provider: string,
  { identityEndpoint, managedClientId, entraScope }: EntraOptions,
): Promise<Token> {
  const query = new URLSearchParams({
    "api-version": "2018-02-01",
    resource: entraScope.replace(/\.default$/, ""),
    ...(managedClientId !== undefined && { client_id: managedClientId }),
  });
  return fetchToken({
    provider,
    check: "that this machine has a managed identity, and managedClientId",
    url: `${identityEndpoint}?${query}`,
    headers: { metadata: "true" },
  });
}

const workloadOf = ({ workloadTenantId, workloadClientId, federatedTokenFile }: EntraOptions) => ({
  tenantId: workloadTenantId ?? environmentVariable("AZURE_TENANT_ID"),
  clientId: workloadClientId ?? environmentVariable("AZURE_CLIENT_ID"),
  file: federatedTokenFile ?? environmentVariable("AZURE_FEDERATED_TOKEN_FILE"),
});

/** The file is read each time: what it holds expires, too, and is replaced by the platform. */
async function workloadToken(provider: string, options: EntraOptions): Promise<Token> {
  const { tenantId = "", clientId = "", file = "" } = workloadOf(options);
  return exchanged(await tokenInFile({ provider, option: "federatedTokenFile", file }), {
    provider,
    options,
    tenantId,
    clientId,
    check: workloadCheck,
  });
}

const workloadCheck = "workloadTenantId, workloadClientId and the federated credential of the client";

const regionOf = ({ federationRegion }: EntraOptions) => federationRegion ?? environmentVariable("AWS_REGION");

/** A client may trust a role of AWS: what AWS says of this machine is shown for it (providers.md section 10.3). */
async function federatedToken(provider: string, options: EntraOptions): Promise<Token> {
  const { entraTenantId: tenantId = "", entraClientId: clientId = "", federationUrl: stsUrl } = options;
  const check = "entraTenantId, entraClientId and the federated credential of the client, which names an issuer at AWS";
  const assertion = await webIdentityToken({
    provider,
    check:
      "that this machine has credentials at AWS that allow sts:GetWebIdentityToken, and that the account allows it",
    audience: "api://AzureADTokenExchange",
    region: regionOf(options) ?? "",
    stsUrl,
  });
  return exchanged(assertion, { provider, options, tenantId, clientId, check });
}

interface Exchange {
  readonly provider: string;
  readonly options: EntraOptions;
  readonly tenantId: string;
  readonly clientId: string;
  readonly check: string;
}

/** A token for what another platform says of this machine. */
const exchanged = (assertion: string, { provider, options, tenantId, clientId, check }: Exchange): Promise<Token> =>
  fetchToken({
    provider,
    check,
    url: tokenUrl(options, tenantId),
    form: {
      grant_type: "client_credentials",
      client_id: clientId,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertion,
      scope: options.entraScope,
    },
  });
