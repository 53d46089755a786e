import { entraCredential, entraOptions, environmentVariable, GatewayError, isRecord, z } from "../../../core/index.ts";
import { SecretContent } from "../secret-content.ts";
import { answerOf, type ManagerOptions, manager, refused, wordIn } from "./manager.ts";

const text = z.string().min(1);
const id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.-]*$/, "must be an id: letters, digits, dots and hyphens");
const azure_vault_url = z.url({ protocol: /^https?$/ });
const auth = z.discriminatedUnion("azure_auth_mode", [
  z.object({
    azure_auth_mode: z.literal("entra"),
    azure_entra_tenant_id: id,
    azure_entra_client_id: id,
    azure_entra_client_secret: text,
    azure_vault_url,
  }),
  z.object({ azure_auth_mode: z.literal("managed"), azure_managed_client_id: id.nullish(), azure_vault_url }),
  z.object({ azure_auth_mode: z.literal("default"), azure_vault_url }),
]);
type Auth = z.output<typeof auth>;

const identity = z.strictObject(entraOptions);
const name = /^[0-9a-zA-Z-]{1,127}(?:\/[0-9a-fA-F]{1,64})?$/;

/** Azure Key Vault: the latest version of a secret, by its name. */
export default manager<Auth>({
  auth,
  masked: ["azure_entra_client_secret"],
  addresses: ({ azure_vault_url: url }) => ({ azure_vault_url: url }),
  showsMachine: ({ azure_auth_mode }) => azure_auth_mode !== "entra",
  refusePath: (path) => (name.test(path) ? undefined : "is the name of a secret: letters, digits and hyphens"),
  open({ auth: given, path, trusted }, { ask, options }) {
    const url = `${given.azure_vault_url.replace(/\/+$/, "")}/secrets/${path}?api-version=7.4`;
    return async () => {
      // The machine's token is good for every vault that lets it in, so it is shown to the vendor's hosts only.
      if (given.azure_auth_mode !== "entra" && !trusted && !isVendors(url))
        throw new GatewayError("secret_unresolved", `This machine's identity is not shown to ${new URL(url).host}.`);
      const credential = entraCredential("secret-references", identity.parse(shownTo(given, options)));
      if (!credential) throw new GatewayError("secret_unresolved", "This machine has no identity to show.");
      const { status, body } = await answerOf(ask, { method: "GET", url, headers: await credential(), trusted });
      if (status !== 200)
        throw refused(status, "a read of the secret", wordIn(isRecord(body.error) && body.error.code));
      if (typeof body.value !== "string") throw new GatewayError("secret_unresolved", "Its answer holds no secret.");
      return new SecretContent(body.value);
    };
  },
});

/** Key Vault in the public cloud, China and the US government's. */
const isVendors = (url: string): boolean =>
  /^https:\/\/[^/]+\.vault\.(?:azure\.net|azure\.cn|usgovcloudapi\.net)\//i.test(url);

/** As options of whoever knows callers by Entra. */
function shownTo(given: Auth, { azureScope, azureAuthorityHost, azureIdentityEndpoint }: ManagerOptions) {
  const common = {
    entraScope: azureScope,
    ...(azureAuthorityHost && { authorityHost: azureAuthorityHost }),
    ...(azureIdentityEndpoint && { identityEndpoint: azureIdentityEndpoint }),
  };
  switch (given.azure_auth_mode) {
    case "entra":
      return {
        ...common,
        authMode: "entra",
        entraTenantId: given.azure_entra_tenant_id,
        entraClientId: given.azure_entra_client_id,
        entraClientSecret: given.azure_entra_client_secret,
      };
    case "managed":
      return { ...common, authMode: "managed", ...managedClient(given.azure_managed_client_id) };
    case "default":
      return { ...common, ...machine() };
  }
}

const managedClient = (id: string | null | undefined) => (id ? { managedClientId: id } : {});

/** What the environment says this machine is (operations.md section 3.5); without a word, its managed identity. */
function machine() {
  const entraTenantId = environmentVariable("AZURE_ENTRA_TENANT_ID");
  const entraClientId = environmentVariable("AZURE_ENTRA_CLIENT_ID");
  const entraClientSecret = environmentVariable("AZURE_ENTRA_CLIENT_SECRET");
  const hasClient = entraTenantId && entraClientId && entraClientSecret;
  const found = hasClient ? "entra" : environmentVariable("AZURE_FEDERATED_TOKEN_FILE") ? "workload" : "managed";
  const authMode = environmentVariable("AZURE_AUTH_MODE") ?? found;
  if (authMode === "managed") return { authMode, ...managedClient(environmentVariable("AZURE_MANAGED_CLIENT_ID")) };
  return authMode === "entra" ? { authMode, entraTenantId, entraClientId, entraClientSecret } : { authMode };
}
