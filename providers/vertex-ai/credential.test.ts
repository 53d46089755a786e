import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { json, startUpstream } from "../../test/support/upstream.ts";
import { fetchedCredential } from "./credential.ts";
import { vertexOptions } from "./options.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const account = (more: object = {}) => ({
  type: "service_account",
  project_id: "p2",
  private_key_id: "key-1",
  private_key: pem,
  client_email: "gateway@p2.iam.gserviceaccount.com",
  ...more,
});

const tokenServer = (answer: object = { access_token: "fetched-token", expires_in: 3600 }, status = 200) =>
  startUpstream((_, response) => json(response, status, answer, { "metadata-flavor": "Google" }));

const headersOf = (options: object) => {
  const credential = fetchedCredential(vertexOptions.parse({ region: "global", projectId: "p", ...options }));
  return (credential ?? expect.fail("no credential"))();
};

const part = (assertion: string, at: number): unknown =>
  JSON.parse(Buffer.from(assertion.split(".")[at] ?? "", "base64url").toString());

afterEach(() => vi.unstubAllEnvs());

describe("the credential of a service account", () => {
  it("is a signed request for a token, made once", async () => {
    const { url, received } = await tokenServer();
    const options = { serviceAccountJson: account(), tokenUrl: url };
    const before = Math.floor(Date.now() / 1_000);
    expect(await headersOf(options)).toEqual({ authorization: "Bearer fetched-token" });
    expect(await headersOf(options)).toEqual({ authorization: "Bearer fetched-token" });
    expect(received).toHaveLength(1);
    const form = new URLSearchParams(received[0]?.body.toString());
    expect(form.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
    const assertion = form.get("assertion") ?? "";
    expect(part(assertion, 0)).toEqual({ alg: "RS256", typ: "JWT", kid: "key-1" });
    const claims = part(assertion, 1) as { iat: number; exp: number };
    expect(claims).toEqual({
      iss: "gateway@p2.iam.gserviceaccount.com",
      sub: "gateway@p2.iam.gserviceaccount.com",
      aud: url,
      iat: expect.any(Number),
      exp: claims.iat + 3_600,
      scope: "https://www.googleapis.com/auth/cloud-platform",
    });
    expect(claims.iat).toBeGreaterThanOrEqual(before);
    const [head, body, signature = ""] = assertion.split(".");
    const signed = Buffer.from(`${head}.${body}`);
    expect(
      verify(
        "RSA-SHA256",
        signed,
        createPublicKey(publicKey.export({ type: "spki", format: "pem" })),
        Buffer.from(signature, "base64url"),
      ),
    ).toBe(true);
  });

  it("is not shared with whoever knows its name and not its key", async () => {
    const { url, received } = await tokenServer();
    await headersOf({ serviceAccountJson: account(), tokenUrl: url });
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const private_key = other.export({ type: "pkcs8", format: "pem" }).toString();
    await headersOf({ serviceAccountJson: account({ private_key }), tokenUrl: url });
    expect(received).toHaveLength(2);
  });

  it("names what to look at when the vendor refuses", async () => {
    const { url } = await tokenServer({ error: "invalid_grant", error_description: "Invalid JWT Signature." }, 400);
    const error = await headersOf({ serviceAccountJson: account(), tokenUrl: url }).catch((caught: Error) => caught);
    expect(error).toMatchObject({
      code: "credential_missing",
      message: expect.stringMatching(/it answered 400 invalid_grant\. Check the service account in serviceAccountJson/),
    });
  });

  it("says that a key is none without quoting it", async () => {
    const options = { serviceAccountJson: account({ private_key: "my-secret-key" }), tokenUrl: "http://127.0.0.1:1" };
    const error = await headersOf(options).catch((caught: Error) => caught);
    expect(error).toMatchObject({ code: "credential_missing", message: expect.stringContaining("private_key") });
    expect(String(error)).not.toContain("my-secret-key");
  });

  it("is none where the caller has a token already", () => {
    expect(fetchedCredential(vertexOptions.parse({ region: "global", apiKey: "token" }))).toBeUndefined();
  });
});

describe("the credential of a workload", () => {
  it("is the machine's service account, told by its metadata server", async () => {
    const { url, received } = await tokenServer({ access_token: "of-the-machine", expires_in: 3600 });
    vi.stubEnv("GCE_METADATA_HOST", url.replace("http://", ""));
    vi.stubEnv("GCP_WIF_AUDIENCE", "");
    expect(await headersOf({ authType: "workload" })).toEqual({ authorization: "Bearer of-the-machine" });
    expect(received[0]?.url).toMatch(/^\/computeMetadata\/v1\/instance\/service-accounts\/default\/token/);
    expect(received[0]?.headers["metadata-flavor"]).toBe("Google");
  });

  it("is exchanged for a token of another identity provider", async () => {
    const { url, received } = await tokenServer({
      access_token: "federated",
      issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
      token_type: "Bearer",
      expires_in: 3600,
    });
    const folder = await mkdtemp(join(tmpdir(), "wif-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "token"), "subject-token");
    const workloadIdentity = {
      type: "external_account",
      audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/a/providers/b",
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      token_url: `${url}/v1/token`,
      credential_source: { file: join(folder, "token") },
    };
    expect(await headersOf({ authType: "workload", workloadIdentity })).toEqual({ authorization: "Bearer federated" });
    const form = new URLSearchParams(received[0]?.body.toString());
    expect(received[0]?.url).toBe("/v1/token");
    expect(form.get("subject_token")).toBe("subject-token");
    expect(form.get("scope")).toBe("https://www.googleapis.com/auth/cloud-platform");
  });

  it.each([
    ["{no", "credential_missing", "workloadIdentity is not a JSON object"],
    [{ type: "authorized_user" }, "upstream_unreachable", "Check workloadIdentity"],
  ])("says what is wrong with %j", async (workloadIdentity, code, message) => {
    await expect(headersOf({ authType: "workload", workloadIdentity })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });
});
