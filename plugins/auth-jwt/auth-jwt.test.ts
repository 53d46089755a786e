import { generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { startTestGateway } from "../../test/support/gateway.ts";
import { startManagement, supportPlugin, testOrganisation } from "../../test/support/management.ts";
import { json, startUpstream } from "../../test/support/upstream.ts";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const keys = [{ ...pair.publicKey.export({ format: "jwk" }), kid: "k" }];

const sign = (claims: Record<string, unknown>, by = pair) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: "k" })
    .setExpirationTime("1h")
    .sign(by.privateKey);

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

  it("checks tokens with the key set of their organisation where that has one, and else with that of the file", async () => {
    const pairs = {
      file: pair,
      pasted: generateKeyPairSync("rsa", { modulusLength: 2048 }),
      fetched: generateKeyPairSync("rsa", { modulusLength: 2048 }),
    };
    const setOf = (name: keyof typeof pairs) => ({
      keys: [{ ...pairs[name].publicKey.export({ format: "jwk" }), kid: "k" }],
    });
    const issuer = await startUpstream((_, response) => json(response, 200, setOf("fetched")));
    const folder = temporaryFolder();
    const [own, others] = [testOrganisation, "22222222-2222-4222-8222-222222222222"];
    const { gateway, admin, as, workspace } = await startManagement(
      {
        "auth-jwt": { jwks: setOf("file"), organisations: [own, others] },
        whoami: supportPlugin(folder, "whoami"),
      },
      { folder, variables: { TRUSTED_CUSTOM_HOSTS: "127.0.0.1" } },
    );
    const elsewhere = (await as({ organisation: others })("POST", "/admin/workspaces", { name: "Theirs" })).body.slug;
    const tokens = new Map<string, string>();
    for (const [name, by] of Object.entries(pairs))
      for (const [organisation, slug] of [
        [own, workspace.slug],
        [others, elsewhere],
      ] as const) {
        const claims = { gateway_oid: organisation, gateway_workspace: slug, scope: "completions.write", sub: "s" };
        tokens.set(`${name} ${organisation}`, await sign(claims, by));
      }
    /** Which keys let into an organisation. */
    const letIn = async (organisation: string) => {
      const found: string[] = [];
      for (const name of Object.keys(pairs)) {
        const authorization = `Bearer ${tokens.get(`${name} ${organisation}`)}`;
        const { status } = await fetch(`${gateway.url}/v1/whoami/completions.write`, { headers: { authorization } });
        expect([200, 401]).toContain(status);
        if (status === 200) found.push(name);
      }
      return found;
    };
    const steps: readonly [object, string[]][] = [
      [{}, ["file"]],
      [{ jwks: setOf("pasted") }, ["pasted"]],
      [{ jwks: null, jwks_url: `${issuer.url}/jwks` }, ["fetched"]],
      [{ jwks: { keys: [{ kty: "RSA", kid: "k" }] }, jwks_url: null }, []],
      [{ jwks: null, jwks_url: null }, ["file"]],
    ];
    for (const [jwt, expected] of steps) {
      expect((await admin("PUT", "/admin/organisation", { settings: { jwt } })).status).toBe(200);
      await expect.poll(() => letIn(own), { interval: 10 }).toEqual(expected);
      expect(await letIn(others)).toEqual(["file"]);
    }
    // Another setting changes: the set is not fetched again.
    await admin("PUT", "/admin/organisation", { settings: { jwt: { jwks_url: `${issuer.url}/jwks` } } });
    await admin("PUT", "/admin/organisation", { settings: { user_api_key_limit: 5 } });
    await expect.poll(() => letIn(own), { interval: 10 }).toEqual(["fetched"]);
    expect(issuer.received).toHaveLength(1);
  });

  it("does not ask an address inside that came over the API", async () => {
    const folder = temporaryFolder();
    const { gateway, admin, workspace } = await startManagement(
      { "auth-jwt": { organisations: testOrganisation }, whoami: supportPlugin(folder, "whoami") },
      { folder },
    );
    await admin("PUT", "/admin/organisation", { settings: { jwt: { jwks_url: "http://169.254.169.254/jwks" } } });
    const authorization = `Bearer ${await sign({ gateway_workspace: workspace.slug, scope: "completions.write" })}`;
    const { status } = await fetch(`${gateway.url}/v1/whoami/completions.write`, { headers: { authorization } });
    expect(status).toBe(503);
    const told = gateway.log.lines.find(({ message }) => message === "a host was not called");
    expect(told?.fields).toMatchObject({ host: "169.254.169.254" });
  });

  it.each<[string, object, string]>([
    ["keys twice", { jwksUrl: "https://issuer.example/jwks", jwks: { keys } }, "auth-jwt.jwksUrl: excludes jwks"],
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
