import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { json, startUpstream } from "../../test/support/upstream.ts";
import { entraCredential, entraLacks, entraToken } from "./entra.ts";
import { type EntraOptions, entraOptions } from "./entra-options.ts";

const schema = z.strictObject(entraOptions);
const secretText = "client-secret-0123456789";

/** Answers with a token, and keeps what it was asked. */
const tokenServer = (answer: object = { access_token: "fetched-token", expires_in: 3600 }, status = 200) =>
  startUpstream((_, response) => json(response, status, answer));

const client = (authorityHost: string, more: object = {}): EntraOptions =>
  schema.parse({
    authMode: "entra",
    entraTenantId: "tenant-1",
    entraClientId: "client-1",
    entraClientSecret: secretText,
    authorityHost,
    ...more,
  });

const headersOf = (options: EntraOptions) => {
  const credential = entraCredential("some-provider", options) ?? expect.fail("no credential");
  return credential();
};

/** Credentials of this machine at AWS, which are over at once, so that nobody keeps them. */
function atAws(): void {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", secretText);
  vi.stubEnv("AWS_CREDENTIAL_EXPIRATION", "2020-01-01T00:00:00Z");
}

afterEach(() => vi.unstubAllEnvs());

describe("a credential of Entra ID", () => {
  it("is fetched with a client's secret, once for all who share it, and not before it is asked for", async () => {
    const server = await tokenServer();
    const credential = entraCredential("some-provider", client(server.url));
    expect(server.received).toEqual([]);
    expect(await credential?.()).toEqual({ authorization: "Bearer fetched-token" });
    expect(await headersOf(client(`${server.url}`))).toEqual({ authorization: "Bearer fetched-token" });
    const [asked, ...others] = server.received;
    expect(others).toEqual([]);
    expect(asked).toMatchObject({ method: "POST", url: "/tenant-1/oauth2/v2.0/token" });
    expect(Object.fromEntries(new URLSearchParams(asked?.body.toString()))).toEqual({
      grant_type: "client_credentials",
      client_id: "client-1",
      client_secret: secretText,
      scope: "https://cognitiveservices.azure.com/.default",
    });
  });

  it("is another one for another scope or secret", async () => {
    const server = await tokenServer();
    await headersOf(client(server.url));
    await headersOf(client(server.url, { entraScope: "https://ai.azure.com/.default" }));
    await headersOf(client(server.url, { entraClientSecret: "another" }));
    expect(server.received).toHaveLength(3);
  });

  it("is the machine's own, or that of one of its identities", async () => {
    const server = await tokenServer({ access_token: "of-the-machine", expires_in: "86400" });
    const machine = (more: object) =>
      schema.parse({ authMode: "managed", identityEndpoint: `${server.url}/identity`, ...more });
    expect(await headersOf(machine({}))).toEqual({ authorization: "Bearer of-the-machine" });
    await headersOf(machine({ managedClientId: "identity-2" }));
    expect(server.received.map(({ method, url, headers }) => [method, url, headers.metadata])).toEqual([
      ["GET", "/identity?api-version=2018-02-01&resource=https%3A%2F%2Fcognitiveservices.azure.com%2F", "true"],
      [
        "GET",
        "/identity?api-version=2018-02-01&resource=https%3A%2F%2Fcognitiveservices.azure.com%2F&client_id=identity-2",
        "true",
      ],
    ]);
  });

  it("is that of the workload, told by the platform's file and variables", async () => {
    const server = await tokenServer();
    const folder = await mkdtemp(join(tmpdir(), "entra-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "token"), "assertion-of-the-platform\n");
    vi.stubEnv("AZURE_AUTHORITY_HOST", `${server.url}/`);
    vi.stubEnv("AZURE_TENANT_ID", "tenant-2");
    vi.stubEnv("AZURE_CLIENT_ID", "client-2");
    vi.stubEnv("AZURE_FEDERATED_TOKEN_FILE", join(folder, "token"));
    expect(await headersOf(schema.parse({ authMode: "workload" }))).toEqual({ authorization: "Bearer fetched-token" });
    const [asked] = server.received;
    expect(asked?.url).toBe("/tenant-2/oauth2/v2.0/token");
    expect(Object.fromEntries(new URLSearchParams(asked?.body.toString()))).toEqual({
      grant_type: "client_credentials",
      client_id: "client-2",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: "assertion-of-the-platform",
      scope: "https://cognitiveservices.azure.com/.default",
    });
  });

  it("is that of a client which trusts what this machine is at AWS", async () => {
    const server = await startUpstream((request, response) => {
      if (request.url !== "/aws/") return json(response, 200, { access_token: "fetched-token", expires_in: 3600 });
      response.writeHead(200, { "content-type": "text/xml" });
      response.end(
        "<GetWebIdentityTokenResponse><GetWebIdentityTokenResult><WebIdentityToken>said.by.aws</WebIdentityToken>" +
          "</GetWebIdentityTokenResult></GetWebIdentityTokenResponse>",
      );
    });
    atAws();
    vi.stubEnv("AWS_REGION", "eu-central-1");
    const options = { authMode: "entraFederated", federationUrl: `${server.url}/aws` };
    const { entraClientSecret: _, ...federated } = client(server.url, options);
    expect(await headersOf(federated)).toEqual({ authorization: "Bearer fetched-token" });
    const [aws, entra] = server.received;
    expect(aws?.headers.authorization).toContain("/eu-central-1/sts/aws4_request");
    expect(Object.fromEntries(new URLSearchParams(aws?.body.toString()))).toEqual({
      Action: "GetWebIdentityToken",
      Version: "2011-06-15",
      "Audience.member.1": "api://AzureADTokenExchange",
      SigningAlgorithm: "RS256",
      DurationSeconds: "300",
    });
    expect(entra?.url).toBe("/tenant-1/oauth2/v2.0/token");
    expect(Object.fromEntries(new URLSearchParams(entra?.body.toString()))).toMatchObject({
      client_id: "client-1",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: "said.by.aws",
    });
  });

  it("says what AWS refused", async () => {
    const { url } = await startUpstream((_, response) => {
      response.writeHead(403, { "content-type": "text/xml" });
      response.end("<ErrorResponse><Error><Code>AccessDenied</Code><Message>no</Message></Error></ErrorResponse>");
    });
    atAws();
    const options = client(url, { authMode: "entraFederated", federationRegion: "eu-central-1", federationUrl: url });
    await expect(headersOf(options)).rejects.toMatchObject({
      code: "credential_missing",
      message: expect.stringContaining(`some-provider: no token from ${url}/: it answered 403 AccessDenied. Check`),
    });
  });

  it("says that what AWS answered broke off", async () => {
    const { url } = await startUpstream((_, response) => {
      response.writeHead(200, { "content-type": "text/xml", "content-length": "500" });
      response.write("<a>", () => response.destroy());
    });
    atAws();
    const options = client(url, { authMode: "entraFederated", federationRegion: "eu-central-1", federationUrl: url });
    await expect(headersOf(options)).rejects.toMatchObject({
      code: "upstream_unreachable",
      message: expect.stringContaining(`some-provider: no token from ${url}/: it cannot be reached`),
    });
  });

  it("says whose file cannot be read", async () => {
    const options = { authMode: "workload", workloadTenantId: "t", workloadClientId: "c", federatedTokenFile: "/none" };
    await expect(headersOf(schema.parse(options))).rejects.toThrow(
      "some-provider: federatedTokenFile /none cannot be read (ENOENT).",
    );
  });

  it.each([
    [
      401,
      { error: "invalid_client", error_description: `AADSTS7000215: bad secret ${secretText}` },
      "credential_missing",
      "it answered 401 invalid_client (AADSTS7000215)",
    ],
    [503, {}, "upstream_unreachable", "it answered 503"],
    [429, { error: `${secretText} is too much` }, "upstream_unreachable", "it answered 429"],
    [200, { token_type: "Bearer" }, "upstream_unreachable", "its answer holds no access_token"],
  ])("names what to look at, and no secret, after %s %j", async (status, answer, code, why) => {
    const { url } = await tokenServer(answer, status);
    const error = await headersOf(client(url)).catch((caught: Error) => caught);
    expect(error).toMatchObject({
      code,
      message: `some-provider: no token from ${url}/tenant-1/oauth2/v2.0/token: ${why}. Check entraTenantId, entraClientId and entraClientSecret.`,
    });
    expect(String(error)).not.toContain(secretText);
  });

  it("says when nobody answers", async () => {
    await expect(headersOf(client("http://127.0.0.1:1"))).rejects.toMatchObject({
      code: "upstream_unreachable",
      message: expect.stringContaining("it cannot be reached"),
    });
  });

  it.each([
    [{ authMode: "entra", entraTenantId: "t", entraClientId: "c" }, "entraClientSecret"],
    [{ authMode: "workload" }, "AZURE_FEDERATED_TOKEN_FILE"],
    [{ authMode: "entraFederated", entraTenantId: "t" }, "entraClientId"],
    [{ authMode: "entraFederated", entraTenantId: "t", entraClientId: "c" }, "AWS_REGION"],
  ])("lacks what its mode needs: %j", (options, missing) => {
    expect(entraLacks(schema.parse(options))).toContain(missing);
    expect(entraCredential("some-provider", schema.parse(options))).toBeUndefined();
  });

  it("is not needed for keys, nor where a token is given", () => {
    expect(entraLacks(schema.parse({}))).toBeUndefined();
    expect(entraCredential("some-provider", schema.parse({}))).toBeUndefined();
    expect(entraToken(schema.parse({}))).toBeUndefined();
    for (const adToken of ["own-token", "Bearer own-token"])
      expect(entraToken(schema.parse({ adToken }))).toEqual({ authorization: "Bearer own-token" });
  });
});
