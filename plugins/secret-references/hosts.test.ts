import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folderOfFile, openManagement, type TestManagement } from "../../test/support/management.ts";

let management: TestManagement;

beforeAll(async () => {
  management = await openManagement({ "secret-references": {} }, { folder: folderOfFile() });
});
afterAll(() => management.gateway.shutdown(0, 0));

/** A reference with this `auth_config`, as it may be changed, and what it shows of it. */
async function open(auth_config: object, manager_type = "hashicorp_vault", secret_path = "kv/data/openai") {
  const { admin } = management;
  const body = { name: "prod", manager_type, auth_config, secret_path };
  const path = `/secret-references/${(await admin("POST", "/secret-references", body)).body.slug}`;
  return {
    change: (sent: object) => admin("PUT", path, { auth_config: sent }),
    shown: async () => (await admin("GET", path)).body.auth_config,
  };
}

const vault_addr = "https://vault.example.net";
const other = "https://vault.elsewhere.example";
const token = { vault_auth_type: "token", vault_addr, vault_token: "hvs.token-1" };
const approle = { vault_auth_type: "approle", vault_addr, vault_role_id: "r", vault_secret_id: "s-123456" };
const entra = {
  azure_auth_mode: "entra",
  azure_entra_tenant_id: "t",
  azure_entra_client_id: "c",
  azure_entra_client_secret: "secret-1",
  azure_vault_url: "https://a.vault.azure.net",
};

describe.each([
  { what: "a vault that is shown a token", opening: [token], address: "vault_addr", credential: "vault_token" },
  { what: "a vault that is shown a role", opening: [approle], address: "vault_addr", credential: "vault_secret_id" },
  {
    what: "a vault of Azure",
    opening: [entra, "azure_kv", "key"],
    address: "azure_vault_url",
    credential: "azure_entra_client_secret",
  },
] as const)("the host of $what", ({ opening, address, credential }) => {
  const [auth_config, manager, path] = opening;

  it("is not changed without the credential", async () => {
    const { change, shown } = await open(auth_config, manager, path);
    const before = await shown();
    const mask = { [`masked_${credential}`]: before[`masked_${credential}`] };
    for (const beside of [{}, mask]) {
      const refused = await change({ [address]: other, ...beside });
      const param = `auth_config.${credential}`;
      expect(refused).toMatchObject({ status: 400, body: { error: { code: "AB01", param } } });
      expect(refused.body.error.message).toContain("goes to another host now");
      expect(await shown()).toEqual(before);
    }
  });

  it("is changed with the credential", async () => {
    const { change, shown } = await open(auth_config, manager, path);
    expect((await change({ [address]: other, [credential]: "another" })).status).toBe(200);
    expect((await shown())[address]).toBe(other);
  });

  it("has another path with the credential as it is", async () => {
    const { change, shown } = await open(auth_config, manager, path);
    const below = `${(await shown())[address]}/below`;
    expect((await change({ [address]: below })).status).toBe(200);
    expect((await shown())[address]).toBe(below);
  });
});

describe("the host of a vault that no credential is kept for", () => {
  const kubernetes = { vault_auth_type: "kubernetes", vault_addr, vault_role: "gateway" };

  it("is changed", async () => {
    const { change } = await open(kubernetes);
    expect((await change({ vault_addr: other })).status).toBe(200);
  });

  it("is changed where the change takes the credential away", async () => {
    const { change } = await open(token);
    expect((await change({ ...kubernetes, vault_addr: other })).status).toBe(200);
  });
});
