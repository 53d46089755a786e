import { generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { startTestGateway } from "../../test/support/gateway.ts";
import { startManagement, supportPlugin, testOrganisation } from "../../test/support/management.ts";
import { json, startUpstream } from "../../test/support/upstream.ts";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const keys = [{ ...pair.publicKey.export({ format: "jwk" }), kid: "k" }];

const sign = (claims: Record<string, unknown>) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: "k" })
    .setExpirationTime("1h")
    .sign(pair.privateKey);

describe("auth-jwt", () => {
  it("lets tokens of an issuer call models and manage their workspace, next to keys", async () => {
    const issuer = await startUpstream((_, response) => json(response, 200, { keys }));
    const folder = temporaryFolder();
    const { gateway, admin, workspace } = await startManagement(
      {
        "auth-jwt": { jwksUrl: `${issuer.url}/jwks`, organisations: testOrganisation },
        "api-keys": { bootstrapKey: "the-first-key-of-a-test" },
        whoami: supportPlugin(folder, "whoami"),
      },
      { folder },
    );
    const { body } = await admin("POST", "/admin/workspaces", { name: "Other" });
    const claims = { gateway_oid: testOrganisation, gateway_workspace: workspace.slug, email_id: "iris@example.org" };
    const scope = "completions.write workspaces.list workspaces.read workspaces.create";
    const bearer = async (more: object = {}) => `Bearer ${await sign({ ...claims, scope, ...more })}`;
    const get = async (path: string, authorization: string) => {
      const response = await fetch(`${gateway.url}/v1${path}`, { headers: { authorization } });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const good = await bearer();
    expect(await get("/whoami/completions.write", good)).toMatchObject({
      status: 200,
      body: {
        workspace: workspace.id,
        metadata: { _user: "iris@example.org" },
        scopes: expect.not.arrayContaining(["workspaces.create"]),
      },
    });
    expect(await get("/whoami/prompts.render", good)).toMatchObject({
      status: 403,
      body: { data: { errorCode: "AB03" } },
    });
    expect(await get("/admin/workspaces", good)).toMatchObject({ status: 200, body: { total: 1 } });
    expect((await get(`/admin/workspaces/${body.slug}`, good)).status).toBe(404);
    expect(await get("/whoami/completions.write", `${good}x`)).toMatchObject({
      status: 401,
      body: { error: { code: "invalid_jwt", type: "authentication_error" } },
    });
    expect(await get("/admin/workspaces", `${good}x`)).toMatchObject({
      status: 401,
      body: { error: { code: "AB05" } },
    });
    expect(issuer.received).toHaveLength(1);
    const { body: made } = await admin("POST", "/api-keys/workspace/service", {
      name: "n",
      workspace_id: workspace.slug,
      scopes: ["completions.write"],
    });
    expect((await get("/whoami/completions.write", `Bearer ${made.key}`)).status).toBe(200);
  });

  it.each<[string, object, string]>([
    ["keys twice", { jwksUrl: "https://issuer.example/jwks", jwks: { keys } }, "exclude each other"],
    ["a private key", { jwks: { keys: [{ ...pair.privateKey.export({ format: "jwk" }), kid: "k" }] } }, "secret part"],
    ["no usable key", { jwks: { keys: [] } }, "none of its keys"],
    ["a shared secret's algorithm", { jwks: { keys }, algorithms: ["HS256"] }, "HS256"],
    [
      "scopes a token cannot have",
      { jwks: { keys }, defaultScopes: "completions.write,audit_logs.list" },
      "defaultScopes",
    ],
  ])("does not start with %s", async (_, options, reason) => {
    const config = {
      plugins: {
        "records-file": {},
        management: {},
        organisations: {},
        "auth-jwt": options,
        routing: { default: "simulator" },
      },
      providers: { simulator: {} },
    };
    await expect(startTestGateway(JSON.stringify(config), {}, temporaryFolder())).rejects.toThrow(reason);
  });
});
