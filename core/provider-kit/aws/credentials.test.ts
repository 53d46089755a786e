import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { folderOfFile } from "../../../test/support/folder-of-file.ts";
import { startUpstream } from "../../../test/support/upstream.ts";
import { apiKeyOf, authTypeOf } from "./auth-type.ts";
import { credentialsOf } from "./credentials.ts";
import { type AwsOptions, awsOptions } from "./options.ts";

const options = z.strictObject(awsOptions({ name: "anything" }));
const given = (more: Record<string, unknown> = {}): AwsOptions => options.parse(more);
const keys = { accessKeyId: "AKIDOWN", secretAccessKey: "own-secret" };

/** Nothing of the machine these tests run on. */
const variables = [
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_PROFILE",
  "AWS_ROLE_ARN",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
  "AWS_CONTAINER_CREDENTIALS_FULL_URI",
  "AWS_ASSUME_ROLE_ACCESS_KEY_ID",
  "AWS_ASSUME_ROLE_SECRET_ACCESS_KEY",
  "AWS_ASSUME_ROLE_REGION",
  "AWS_IMDS_V1",
  "AWS_ASSUME_ROLE_SOURCE_ARN",
  "AWS_ASSUME_ROLE_SOURCE_EXTERNAL_ID",
];
beforeEach(() => {
  for (const name of variables) vi.stubEnv(name, undefined);
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere");
  vi.stubEnv("AWS_CONFIG_FILE", "/nowhere");
});
afterEach(() => vi.unstubAllEnvs());

/** A token service that answers every role with keys named after it. */
async function startSts() {
  let count = 0;
  return startUpstream(({ body }, response) => {
    const asked = new URLSearchParams(body.toString());
    const role = asked.get("RoleArn")?.split("/").at(-1);
    const action = asked.get("Action");
    if (role === "closed") {
      response.writeHead(403, { "content-type": "text/xml" });
      response.end(
        "<ErrorResponse><Error><Code>AccessDenied</Code><Message>secret reason</Message></Error></ErrorResponse>",
      );
      return;
    }
    response.writeHead(200, { "content-type": "text/xml" });
    response.end(
      `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result><Credentials>` +
        `<AccessKeyId>KEY-${role}-${++count}</AccessKeyId><SecretAccessKey>s</SecretAccessKey>` +
        `<SessionToken>token-${role}</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>` +
        `<AssumedRoleUser><Arn>a</Arn><AssumedRoleId>b</AssumedRoleId></AssumedRoleUser></${action}Result></${action}Response>`,
    );
  });
}
const signer = (authorization: unknown) => /Credential=([^/]+)/.exec(String(authorization))?.[1];

describe("how calls are authenticated", () => {
  it.each<[Record<string, unknown>, string | undefined]>([
    [{}, undefined],
    [{ apiKey: "k", ...keys }, "apiKey"],
    [keys, "accessKey"],
    [{ accessKeyId: "AKIDOWN" }, undefined],
    [{ ...keys, roleArn: "arn:aws:iam::1:role/r" }, "assumedRole"],
    [{ roleArn: "arn:aws:iam::1:role/r" }, undefined],
    [{ authType: "assumedRole", roleArn: "arn:aws:iam::1:role/r" }, "assumedRole"],
    [{ authType: "assumedRole" }, undefined],
    [{ authType: "accessKey" }, undefined],
    [{ authType: "serviceRole" }, "serviceRole"],
    [{ authType: "apiKey" }, undefined],
  ])("with %j: %s", (more, type) => {
    expect(authTypeOf(given(more))).toBe(type);
  });

  it("with the API key of the environment only where the file says so", () => {
    vi.stubEnv("SERVICE_KEY", "from-env");
    expect(authTypeOf(given({}), "SERVICE_KEY")).toBeUndefined();
    expect(apiKeyOf(given({ authType: "apiKey" }), "SERVICE_KEY")).toBe("from-env");
    expect(apiKeyOf(given({ authType: "apiKey" }))).toBeUndefined();
    expect(apiKeyOf(given({ authType: "serviceRole" }), "SERVICE_KEY")).toBe("from-env");
    expect(apiKeyOf(given(keys), "SERVICE_KEY")).toBeUndefined();
    expect(apiKeyOf(given({ apiKey: "own" }), "SERVICE_KEY")).toBe("own");
  });
});

describe("credentials to sign with", () => {
  it("are the keys that are given, with their token", async () => {
    expect(await credentialsOf(given({ ...keys, sessionToken: "t" }))()).toEqual({ ...keys, sessionToken: "t" });
    await expect(async () => credentialsOf(given({}))()).rejects.toMatchObject({ code: "credential_missing" });
  });

  it("are those of a role, asked for once and signed for with the keys given", async () => {
    const sts = await startSts();
    const asked = { ...keys, roleArn: "arn:aws:iam::1:role/once", externalId: "ext-1", stsUrl: sts.url };
    const first = await credentialsOf(given(asked))();
    const again = await credentialsOf(given(asked))();
    expect(first).toMatchObject({ accessKeyId: "KEY-once-1", sessionToken: "token-once" });
    expect(again).toEqual(first);
    expect(sts.received).toHaveLength(1);
    const [call] = sts.received;
    const form = new URLSearchParams(call?.body.toString());
    expect(Object.fromEntries(form)).toMatchObject({ RoleArn: asked.roleArn, ExternalId: "ext-1" });
    expect(signer(call?.headers.authorization)).toBe("AKIDOWN");
    await credentialsOf(given({ ...asked, externalId: "ext-2" }))();
    expect(sts.received).toHaveLength(2);
  });

  it("stay known that are asked for again and again, however many sessions have tags of their own", () => {
    const role = given({ ...keys, roleArn: "arn:aws:iam::1:role/many" });
    const usual = credentialsOf(role);
    for (let user = 0; user < 2_000; user++) {
      credentialsOf(role, [{ Key: "user", Value: String(user) }]);
      expect(credentialsOf(role)).toBe(usual);
    }
  });

  it("go over a role in between, with the deployment's own keys", async () => {
    const sts = await startSts();
    vi.stubEnv("AWS_ASSUME_ROLE_ACCESS_KEY_ID", "AKIDDEPLOYMENT");
    vi.stubEnv("AWS_ASSUME_ROLE_SECRET_ACCESS_KEY", "deployment-secret");
    vi.stubEnv("AWS_ASSUME_ROLE_SOURCE_ARN", "arn:aws:iam::1:role/between");
    vi.stubEnv("AWS_ASSUME_ROLE_SOURCE_EXTERNAL_ID", "ext-between");
    const role = { authType: "assumedRole", roleArn: "arn:aws:iam::2:role/customer", stsUrl: sts.url };
    expect(await credentialsOf(given(role))()).toMatchObject({ sessionToken: "token-customer" });
    expect(sts.received.map(({ headers }) => signer(headers.authorization))).toEqual([
      "AKIDDEPLOYMENT",
      "KEY-between-1",
    ]);
  });

  it("are asked for in the region that the deployment has for it (operations.md section 3.5)", async () => {
    const sts = await startSts();
    vi.stubEnv("AWS_ASSUME_ROLE_ACCESS_KEY_ID", "AKIDDEPLOYMENT");
    vi.stubEnv("AWS_ASSUME_ROLE_SECRET_ACCESS_KEY", "deployment-secret");
    vi.stubEnv("AWS_ASSUME_ROLE_REGION", "eu-central-1");
    const role = { roleArn: "arn:aws:iam::2:role/away", region: "us-west-2", stsUrl: sts.url };
    await credentialsOf(given({ ...role, authType: "assumedRole" }))();
    await credentialsOf(given({ ...role, ...keys }))();
    expect(sts.received.map(({ headers }) => String(headers.authorization).split("/")[2])).toEqual([
      "eu-central-1",
      "us-west-2",
    ]);
  });

  it.each([
    [undefined, "credential_missing"],
    ["true", "AKIDINSTANCE"],
  ])(
    "are asked of an instance by its older protocol only where AWS_IMDS_V1 is true (%s)",
    async (allowed, expected) => {
      const instance = await startUpstream(({ method, url }, response) => {
        response.writeHead(method === "PUT" ? 404 : 200);
        const keysOfIt = {
          AccessKeyId: "AKIDINSTANCE",
          SecretAccessKey: "s",
          Token: "t",
          Expiration: "2099-01-01T00:00:00Z",
        };
        response.end(url?.endsWith("/role-1") ? JSON.stringify({ Code: "Success", ...keysOfIt }) : "role-1");
      });
      vi.stubEnv("AWS_EC2_METADATA_DISABLED", undefined);
      vi.stubEnv("AWS_EC2_METADATA_SERVICE_ENDPOINT", instance.url);
      vi.stubEnv("AWS_IMDS_V1", allowed);
      vi.resetModules();
      const fresh = await import("./credentials.ts");
      const had = await Promise.resolve(fresh.credentialsOf(given({ authType: "serviceRole" }))()).then(
        ({ accessKeyId }) => accessKeyId,
        ({ code }) => code,
      );
      expect(had).toBe(expected);
    },
  );

  it("are what the machine has, from the endpoint of its container", async () => {
    const container = await startUpstream((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const life = { Expiration: "2099-01-01T00:00:00Z", Token: "container-token" };
      response.end(JSON.stringify({ AccessKeyId: "AKIDCONTAINER", SecretAccessKey: "s", ...life }));
    });
    vi.stubEnv("AWS_CONTAINER_CREDENTIALS_FULL_URI", `${container.url}/creds`);
    expect(await credentialsOf(given({ authType: "serviceRole" }))()).toMatchObject({
      accessKeyId: "AKIDCONTAINER",
      sessionToken: "container-token",
    });
    await credentialsOf(given({ authType: "serviceRole", region: "eu-west-1" }))();
    expect(container.received).toHaveLength(1);
  });

  it("are those of a web identity, whose token stands in a file", async () => {
    const sts = await startSts();
    const file = join(folderOfFile(), "token");
    writeFileSync(file, "signed-by-the-cluster");
    vi.stubEnv("AWS_WEB_IDENTITY_TOKEN_FILE", file);
    vi.stubEnv("AWS_ROLE_ARN", "arn:aws:iam::1:role/pod");
    vi.stubEnv("AWS_ENDPOINT_URL_STS", sts.url);
    vi.resetModules();
    const fresh = await import("./credentials.ts");
    expect(await fresh.credentialsOf(given({ authType: "serviceRole" }))()).toMatchObject({
      sessionToken: "token-pod",
    });
    expect(sts.received[0]?.body.toString()).toContain("WebIdentityToken=signed-by-the-cluster");
  });

  it("that cannot be had are a missing credential, and the caller is not told why", async () => {
    const sts = await startSts();
    const role = { ...keys, roleArn: "arn:aws:iam::1:role/closed", stsUrl: sts.url };
    const error = await Promise.resolve(credentialsOf(given(role))()).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: "credential_missing" });
    expect(String((error as Error).message)).not.toContain("secret reason");
  });
});
