import { generateKeyPairSync } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../core/cli/testing.ts";
import { addressRules } from "../../../core/http/upstream/address-rules.ts";
import { outbound } from "../../../core/http/upstream/outbound.ts";
import { undiciTransport } from "../../../core/http/upstream/undici-transport.ts";
import { silentLogger } from "../../../core/log.ts";
import { type Answering, json, type Received, startUpstream } from "../../../test/support/upstream.ts";
import { type SecretReferencesOptions, secretReferencesOptions } from "../options.ts";
import { type ManagerType, managers } from "./index.ts";

/** Nothing of the machine these tests run on. */
const ofMachine = /^(?:AWS_(?!EC2_METADATA_DISABLED)|AZURE_|GCP_|GCE_|GOOGLE_|VAULT_)/;
beforeEach(() => {
  for (const name of Object.keys(process.env)) if (ofMachine.test(name)) vi.stubEnv(name, undefined);
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere");
  vi.stubEnv("AWS_CONFIG_FILE", "/nowhere");
});
afterEach(() => vi.unstubAllEnvs());

interface Fetched {
  readonly auth?: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly key?: string;
  readonly options?: Partial<Record<keyof SecretReferencesOptions, unknown>>;
  readonly trusted?: boolean;
  readonly folder?: string;
}

/** What fetches a secret of a manager: each call asks it. */
function opened(type: ManagerType, { auth = {}, path, key, options = {}, trusted = true, folder = "." }: Fetched) {
  const rules = addressRules({ trustedHosts: ["127.0.0.1"], ownHosts: [] });
  const transport = undiciTransport({ connectionsPerHost: 2, connectTimeout: 1_000, rules });
  onTestFinished(() => transport.close());
  const tools = {
    ask: outbound(transport, rules, silentLogger),
    folder,
    options: secretReferencesOptions.parse(options),
  };
  const fetch = managers[type].open({ auth, path, trusted }, tools);
  return async () => (await fetch()).value(key);
}
const failure = (fetching: Promise<string>) => fetching.catch((error: unknown) => error);

/** A stand-in that answers by path, and notes what it was sent. */
const standIn = (answers: Record<string, [number, unknown] | ((request: Received) => [number, unknown])>) => {
  const answer: Answering = (request, response) => {
    const found = answers[request.url] ?? [404, { errors: [] }];
    const [status, body] = typeof found === "function" ? found(request) : found;
    json(response, status, body);
  };
  return startUpstream(answer);
};
const sent = (received: readonly Received[]) => received.map(({ method, url }) => `${method} ${url}`);

describe("HashiCorp Vault", () => {
  const second = (data: unknown) => ({ data: { data, metadata: { version: 3 } }, lease_duration: 0 });
  const mount = (version: string) => ({ data: { path: "team/kv/", type: "kv", options: { version } } });
  const token = (url: string) => ({ vault_auth_type: "token", vault_addr: url, vault_token: "t-1" });

  it("reads secrets of both versions of its engine, and finds those people forgot to write data for", async () => {
    const { url, received } = await standIn({
      "/v1/kv/data/openai": [200, second({ api_key: "sk-2" })],
      "/v1/sys/internal/ui/mounts/team/kv/openai": [200, mount("2")],
      "/v1/team/kv/data/openai": [200, second({ api_key: "sk-3", org: "o" })],
      "/v1/sys/internal/ui/mounts/old/openai%20key": [200, { data: { path: "old/", options: { version: "1" } } }],
      "/v1/old/openai%20key": [200, { data: { api_key: "sk-1", data: "x" } }],
      "/v1/closed/openai": [200, { data: { api_key: "sk-4" } }],
    });
    const read = (path: string, key?: string) =>
      opened("hashicorp_vault", { auth: token(url), path, ...(key && { key }) })();
    expect(await read("kv/data/openai")).toBe("sk-2");
    expect(await read("team/kv/openai", "org")).toBe("o");
    expect(await read("team/kv/openai")).toBe('{"api_key":"sk-3","org":"o"}');
    expect(await read("old/openai key", "api_key")).toBe("sk-1");
    expect(await read("closed/openai")).toBe("sk-4");
    expect(new Set(received.map(({ headers }) => headers["x-vault-token"]))).toEqual(new Set(["t-1"]));
  });

  it("shows a role's token in its namespace, logs in once, and again when the token was revoked", async () => {
    let logins = 0;
    let revoked = "";
    const { url, received } = await standIn({
      "/v1/auth/approle/login": () => [200, { auth: { client_token: `t-${++logins}`, lease_duration: 3600 } }],
      "/v1/kv/data/a": ({ headers }) => (headers["x-vault-token"] === revoked ? [403, {}] : [200, second({ a: "sk" })]),
    });
    const auth = { vault_auth_type: "approle", vault_addr: `${url}/`, vault_role_id: "r", vault_secret_id: "s" };
    const read = opened("hashicorp_vault", { auth: { ...auth, vault_namespace: "team" }, path: "kv/data/a" });
    expect([await read(), await read(), logins]).toEqual(["sk", "sk", 1]);
    revoked = "t-1";
    expect([await read(), await read(), logins]).toEqual(["sk", "sk", 2]);
    expect(JSON.parse(received[0]?.body.toString() ?? "")).toEqual({ role_id: "r", secret_id: "s" });
    expect(new Set(received.map(({ headers }) => headers["x-vault-namespace"]))).toEqual(new Set(["team"]));
  });

  it("is shown the machine's token by kubernetes, read anew for each login", async () => {
    const folder = temporaryFolder({ token: "jwt-1\n" });
    const { url, received } = await standIn({
      "/v1/auth/kubernetes/login": [200, { auth: { client_token: "t", lease_duration: 0 } }],
      "/v1/kv/data/a": [200, second({ a: "sk" })],
    });
    const auth = { vault_auth_type: "kubernetes", vault_addr: url, vault_role: "gateway" };
    const options = { kubernetesTokenFile: `${folder}/token` };
    expect(await opened("hashicorp_vault", { auth, path: "kv/data/a", options })()).toBe("sk");
    expect(JSON.parse(received[0]?.body.toString() ?? "")).toEqual({ role: "gateway", jwt: "jwt-1" });
    const missing = opened("hashicorp_vault", { auth, path: "kv/data/a", options: { kubernetesTokenFile: "/none" } });
    expect(await failure(missing())).toMatchObject({
      code: "secret_unresolved",
      message: expect.stringContaining("/none"),
    });
  });

  it.each<[string, number, string]>([
    ["a secret that is not there", 404, "secret_unresolved"],
    ["a policy that forbids", 403, "secret_unresolved"],
    ["a sealed vault", 503, "upstream_unreachable"],
    ["too many questions", 429, "upstream_unreachable"],
  ])("tells %s from the others", async (_, status, code) => {
    const { url } = await standIn({ "/v1/kv/data/a": [status, { errors: ["t-1 was refused"] }] });
    const error = await failure(opened("hashicorp_vault", { auth: token(url), path: "kv/data/a" })());
    expect(error).toMatchObject({ code });
    expect(String(error)).not.toContain("t-1");
  });

  it("is called where the rules let it, for references that are not the operator's", async () => {
    const auth = token("http://10.0.0.1:8200");
    const error = await failure(opened("hashicorp_vault", { auth, path: "kv/data/a", trusted: false })());
    expect(error).toMatchObject({ code: "address_blocked" });
  });
});

describe("AWS Secrets Manager", () => {
  const keys = { aws_access_key_id: "AKIDOWN", aws_secret_access_key: "own-secret", aws_region: "eu-west-1" };
  const accessKey = { aws_auth_type: "accessKey", ...keys };
  const answering = (body: unknown, status = 200) => standIn({ "/": [status, body] });
  const signer = ({ headers }: Received) => /Credential=([^,]+)/.exec(String(headers.authorization))?.[1];

  it("is asked for the value of a name or an ARN, signed", async () => {
    const { url, received } = await answering({ Name: "prod/openai", SecretString: '{"api_key":"sk-1"}' });
    const options = { awsUrl: `${url}/` };
    const path = "prod/openai";
    expect(await opened("aws_sm", { auth: accessKey, path, key: "api_key", options })()).toBe("sk-1");
    const [call] = received;
    expect(call).toMatchObject({
      method: "POST",
      headers: { "content-type": "application/x-amz-json-1.1", "x-amz-target": "secretsmanager.GetSecretValue" },
    });
    expect(JSON.parse(call?.body.toString() ?? "")).toEqual({ SecretId: path });
    expect(call && signer(call)).toMatch(/^AKIDOWN\/\d{8}\/eu-west-1\/secretsmanager\/aws4_request$/);
  });

  it("holds bytes as well", async () => {
    const { url } = await answering({ SecretBinary: Buffer.from("sk-binary").toString("base64") });
    expect(await opened("aws_sm", { auth: accessKey, path: "a", options: { awsUrl: `${url}/` } })()).toBe("sk-binary");
  });

  it("is shown a role assumed from the machine, or what the machine is, in the region of the ARN", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDMACHINE");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "machine-secret");
    const sts = await startUpstream(({ body }, response) => {
      const asked = new URLSearchParams(body.toString());
      response.writeHead(200, { "content-type": "text/xml" });
      response.end(
        '<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>' +
          `<AccessKeyId>KEY-${asked.get("RoleArn")?.split("/").at(-1)}-${asked.get("ExternalId")}</AccessKeyId>` +
          "<SecretAccessKey>s</SecretAccessKey><SessionToken>tok</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>" +
          "</Credentials></AssumeRoleResult></AssumeRoleResponse>",
      );
    });
    const { url, received } = await answering({ SecretString: "sk" });
    const options = { awsUrl: `${url}/`, stsUrl: sts.url };
    const role = { aws_role_arn: "arn:aws:iam::1:role/vault", aws_external_id: "x", aws_region: "us-east-1" };
    expect(await opened("aws_sm", { auth: { aws_auth_type: "assumedRole", ...role }, path: "a", options })()).toBe(
      "sk",
    );
    const arn = "arn:aws:secretsmanager:ap-south-1:1:secret:a";
    expect(await opened("aws_sm", { auth: { aws_auth_type: "serviceRole" }, path: arn, options })()).toBe("sk");
    expect(received.map((one) => signer(one)?.replace(/\/\d{8}\//, "/"))).toEqual([
      "KEY-vault-x/us-east-1/secretsmanager/aws4_request",
      "AKIDMACHINE/ap-south-1/secretsmanager/aws4_request",
    ]);
    expect(received[0]?.headers["x-amz-security-token"]).toBe("tok");
  });

  it("needs a region from somewhere", async () => {
    const read = opened("aws_sm", { auth: { aws_auth_type: "serviceRole" }, path: "a" });
    expect(await failure(read())).toMatchObject({
      code: "secret_unresolved",
      message: expect.stringContaining("AWS_REGION"),
    });
  });

  it.each([
    [
      400,
      { __type: "ResourceNotFoundException", message: "own-secret" },
      "secret_unresolved",
      "ResourceNotFoundException",
    ],
    [500, {}, "upstream_unreachable", "500"],
    [200, {}, "secret_unresolved", "no secret"],
  ])("tells a %s from the others", async (status, body, code, message) => {
    const { url } = await answering(body, status);
    const error = await failure(opened("aws_sm", { auth: accessKey, path: "a", options: { awsUrl: `${url}/` } })());
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(String(error)).not.toContain("own-secret");
  });
});

describe("Azure Key Vault", () => {
  const vault = (more: object = {}) =>
    standIn({
      "/secrets/openai-key?api-version=7.4": ({ headers }) => [
        200,
        { value: `sk for ${headers.authorization}`, id: "x" },
      ],
      "/tenant/oauth2/v2.0/token": [200, { access_token: "of-the-client", expires_in: 3600 }],
      ...more,
    });
  const identity = (clientId = "") =>
    `/identity?api-version=2018-02-01&resource=https%3A%2F%2Fvault.azure.net%2F${clientId && `&client_id=${clientId}`}`;
  const machine = (clientId?: string) => ({
    [identity(clientId)]: [200, { access_token: "of-the-machine", expires_in: "3600" }],
  });

  it("is shown a client, whose tokens are for vaults", async () => {
    const { url, received } = await vault();
    const entra = { azure_entra_tenant_id: "tenant", azure_entra_client_id: "c-1", azure_entra_client_secret: "s-1" };
    const auth = { azure_auth_mode: "entra", ...entra, azure_vault_url: `${url}/` };
    const options = { azureAuthorityHost: url };
    const read = opened("azure_kv", { auth, path: "openai-key", options, trusted: false });
    expect(await read()).toBe("sk for Bearer of-the-client");
    const form = new URLSearchParams(received[0]?.body.toString());
    expect(form.get("scope")).toBe("https://vault.azure.net/.default");
  });

  it("is shown the machine's identity, or what the environment says the machine is", async () => {
    const { url } = await vault({ ...machine(), ...machine("m-1") });
    const options = { azureAuthorityHost: url, azureIdentityEndpoint: `${url}/identity` };
    const read = (auth: object) =>
      opened("azure_kv", { auth: { ...auth, azure_vault_url: url }, path: "openai-key", options })();
    expect(await read({ azure_auth_mode: "managed" })).toBe("sk for Bearer of-the-machine");
    expect(await read({ azure_auth_mode: "managed", azure_managed_client_id: "m-1" })).toContain("of-the-machine");
    expect(await read({ azure_auth_mode: "default" })).toContain("of-the-machine");
    for (const name of ["TENANT_ID", "CLIENT_ID", "CLIENT_SECRET"]) vi.stubEnv(`AZURE_ENTRA_${name}`, "tenant");
    expect(await read({ azure_auth_mode: "default" })).toContain("of-the-client");
    vi.stubEnv("AZURE_AUTH_MODE", "managed");
    expect(await read({ azure_auth_mode: "default" })).toContain("of-the-machine");
  });

  it("is one of the vendor's hosts where the machine shows who it is for somebody else", async () => {
    const { url, received } = await vault(machine());
    const options = { azureIdentityEndpoint: `${url}/identity` };
    const auth = { azure_auth_mode: "managed", azure_vault_url: url };
    const error = await failure(opened("azure_kv", { auth, path: "openai-key", options, trusted: false })());
    expect(error).toMatchObject({
      code: "secret_unresolved",
      message: expect.stringContaining("identity is not shown"),
    });
    expect(sent(received)).toEqual([]);
  });

  it("tells what it does not have", async () => {
    const { url } = await vault({
      "/secrets/none?api-version=7.4": [404, { error: { code: "SecretNotFound" } }],
      ...machine(),
    });
    const options = { azureIdentityEndpoint: `${url}/identity` };
    const read = opened("azure_kv", {
      auth: { azure_auth_mode: "managed", azure_vault_url: url },
      path: "none",
      options,
    });
    expect(await failure(read())).toMatchObject({
      code: "secret_unresolved",
      message: expect.stringContaining("SecretNotFound"),
    });
  });
});

describe("Google Secret Manager", () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const private_key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const account = { client_email: "gateway@p1.iam.gserviceaccount.com", private_key };
  const payload = (text: string) =>
    [200, { payload: { data: Buffer.from(text).toString("base64") } }] as [number, unknown];
  const google = () =>
    standIn({
      "/token": [200, { access_token: "of-the-account", expires_in: 3600 }],
      "/v1/projects/p1/secrets/openai/versions/latest:access": ({ headers }) =>
        payload(`sk for ${headers.authorization}`),
      "/v1/projects/p1/secrets/openai/versions/3:access": payload("sk-3"),
      "/v1/projects/p1/secrets/closed/versions/latest:access": [403, { error: { status: "PERMISSION_DENIED" } }],
    });

  it.each([
    ["as text", JSON.stringify(account)],
    ["as it is", account],
  ])("is shown a service account %s", async (_, json) => {
    const { url } = await google();
    const auth = { gcp_auth_type: "serviceAccount", gcp_service_account_json: json, gcp_project_id: "p1" };
    const options = { googleUrl: url, googleTokenUrl: `${url}/token` };
    expect(await opened("gcp_sm", { auth, path: "openai", options })()).toBe("sk for Bearer of-the-account");
    expect(await opened("gcp_sm", { auth, path: "openai/versions/3", options })()).toBe("sk-3");
    const error = await failure(opened("gcp_sm", { auth, path: "closed", options })());
    expect(error).toMatchObject({ code: "secret_unresolved", message: expect.stringContaining("PERMISSION_DENIED") });
  });

  it("is shown what the machine is", async () => {
    const { url } = await google();
    const metadata = await startUpstream((_, response) =>
      json(response, 200, { access_token: "of-the-machine", expires_in: 3600 }, { "metadata-flavor": "Google" }),
    );
    vi.stubEnv("GCE_METADATA_HOST", metadata.url.replace("http://", ""));
    const auth = { gcp_auth_type: "workload", gcp_project_id: "p1" };
    expect(await opened("gcp_sm", { auth, path: "openai", options: { googleUrl: url } })()).toBe(
      "sk for Bearer of-the-machine",
    );
  });

  it("says that a key file is none", async () => {
    const auth = { gcp_auth_type: "serviceAccount", gcp_service_account_json: "{}", gcp_project_id: "p1" };
    expect(await failure(opened("gcp_sm", { auth, path: "a" })())).toMatchObject({
      code: "secret_unresolved",
      message: expect.stringContaining("client_email"),
    });
  });
});

describe("the machine itself", () => {
  it("holds secrets in variables and in files", async () => {
    const folder = temporaryFolder({ "secrets/key": "sk-file\n", empty: "\n" });
    vi.stubEnv("SOME_KEY", '{"a":"sk-env"}');
    expect(await opened("env", { path: "SOME_KEY", key: "a" })()).toBe("sk-env");
    expect(await opened("file", { path: "secrets/key", folder })()).toBe("sk-file");
    for (const [type, path] of [
      ["env", "NO_SUCH_KEY"],
      ["file", "none"],
      ["file", "empty"],
    ] as const)
      expect(await failure(opened(type, { path, folder })())).toMatchObject({
        code: "secret_unresolved",
        message: expect.stringContaining(path),
      });
  });
});
