import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { boundProvider } from "../core/conformance/testing.ts";
import type { ProviderDefinition } from "../core/provider-kit/provider-definition.ts";
import { json, startUpstream } from "../test/support/upstream.ts";
import anthropic from "./anthropic/index.ts";
import databricks from "./databricks.ts";
import openai from "./openai.ts";

afterEach(() => vi.unstubAllEnvs());

const tokenServer = (answer: object = { access_token: "of-the-vendor", expires_in: 600 }, status = 200) =>
  startUpstream((_, response) => json(response, status, answer));

/** Where a platform keeps its token. */
async function tokenFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "identity-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "token"), "said.by.platform\n");
  return join(folder, "token");
}

async function headersOf(definition: ProviderDefinition, options: object) {
  const { headers, usable } = await boundProvider(definition, { ...options });
  expect(usable).toBe(true);
  return typeof headers === "function" ? headers() : headers;
}

it("Anthropic is shown a token for what the platform says of this machine", async () => {
  const { url, received } = await tokenServer();
  vi.stubEnv("ANTHROPIC_IDENTITY_TOKEN_FILE", await tokenFile());
  const options = { federationRuleId: "fdrl_1", organizationId: "org", workspaceId: "wrkspc_1", tokenUrl: url };
  const shown = { authorization: "Bearer of-the-vendor", "anthropic-version": "2023-06-01" };
  expect(await headersOf(anthropic, options)).toEqual({ ...shown, "anthropic-beta": "oauth-2025-04-20" });
  expect(await headersOf(anthropic, { ...options, beta: "mine" })).toMatchObject({
    "anthropic-beta": "mine,oauth-2025-04-20",
  });
  expect(received).toHaveLength(1);
  expect(received[0]?.headers["anthropic-beta"]).toBe("oauth-2025-04-20,oidc-federation-2026-04-01");
  expect(JSON.parse(`${received[0]?.body}`)).toEqual({
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion: "said.by.platform",
    federation_rule_id: "fdrl_1",
    organization_id: "org",
    workspace_id: "wrkspc_1",
  });
});

it.each([
  ["sk-ant-oat01-abc", "mine,oauth-2025-04-20"],
  ["sk-ant-api03-abc", "mine"],
])("Anthropic is told that %s is a token, where it is one, beside the betas of a client", async (apiKey, said) => {
  const { headerFilters } = await boundProvider(anthropic, { apiKey });
  expect(headerFilters?.["anthropic-beta"]?.("mine") ?? "mine").toBe(said);
  expect(headerFilters?.["anthropic-beta"]?.("oauth-2025-04-20, mine") ?? "oauth-2025-04-20, mine").toBe(
    "oauth-2025-04-20, mine",
  );
});

it("OpenAI is shown a token for what the platform says of this machine", async () => {
  const { url, received } = await tokenServer();
  const options = { identityProviderId: "idp_1", serviceAccountId: "sa_1", tokenUrl: url, organization: "org" };
  expect(await headersOf(openai, { ...options, identityTokenFile: await tokenFile() })).toEqual({
    authorization: "Bearer of-the-vendor",
    "openai-organization": "org",
  });
  expect(received[0]?.headers["content-type"]).toBe("application/json");
  expect(JSON.parse(`${received[0]?.body}`)).toEqual({
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token: "said.by.platform",
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    identity_provider_id: "idp_1",
    service_account_id: "sa_1",
  });
});

it("Databricks is shown a token of a service principal", async () => {
  const { url, received } = await tokenServer();
  const options = { workspace: "dbc-1", clientId: "principal", clientSecret: "its-secret", tokenUrl: `${url}/oidc` };
  expect(await headersOf(databricks, options)).toEqual({ authorization: "Bearer of-the-vendor" });
  expect(received[0]).toMatchObject({
    url: "/oidc",
    headers: { authorization: `Basic ${Buffer.from("principal:its-secret").toString("base64")}` },
  });
  expect(`${received[0]?.body}`).toBe("grant_type=client_credentials&scope=all-apis");
  expect(await headersOf(databricks, { ...options, apiKey: "k" })).toEqual({ authorization: "Bearer k" });
});

it.each<[ProviderDefinition, object, string]>([
  [anthropic, { federationRuleId: "r" }, "organizationId beside federationRuleId"],
  [anthropic, { federationRuleId: "r", organizationId: "o" }, "ANTHROPIC_IDENTITY_TOKEN_FILE"],
  [openai, { identityProviderId: "i" }, "serviceAccountId and identityTokenFile"],
  [databricks, { workspace: "w", clientId: "c" }, "clientSecret"],
])("$name says what it lacks of %o", async (definition, options, missing) => {
  const { lacks, usable } = await boundProvider(definition, { ...options });
  expect(lacks).toContain(missing);
  expect(usable).toBe(false);
});

it("a refused exchange says what to look at, and not what was shown", async () => {
  const { url } = await tokenServer({ error: "invalid_grant", error_description: "said.by.platform is old" }, 401);
  const options = { federationRuleId: "fdrl_2", organizationId: "org", tokenUrl: url };
  const failed = headersOf(anthropic, { ...options, identityTokenFile: await tokenFile() });
  await expect(failed).rejects.toMatchObject({
    code: "credential_missing",
    message: expect.stringMatching(
      /^anthropic: no token from .*: it answered 401 invalid_grant\. Check federationRuleId/,
    ),
  });
  await expect(failed).rejects.not.toMatchObject({ message: expect.stringContaining("said.by.platform") });
});
