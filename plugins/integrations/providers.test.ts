import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../../test/support/management.ts";
import { type Opened, openIntegrations } from "./testing.ts";

let opened: Opened;
let admin: Caller;
let member: Caller;
let ws: string;

beforeAll(async () => {
  opened = await openIntegrations(
    {},
    { providers: { simulator: {}, acme: { use: "openai", apiKey: "sk-of-the-file-000" } } },
  );
  admin = opened.admin;
  ws = opened.workspace.slug;
  member = opened.as({ workspace: opened.workspace.id });
  await admin("POST", "/integrations", {
    name: "Shared",
    slug: "shared",
    ai_provider_id: "openai",
    key: "sk-shared-0000",
  });
  await admin("PUT", "/integrations/shared/workspaces", {
    workspaces: [{ id: ws, enabled: true, create_default_provider: false }],
  });
  await admin("POST", "/integrations", {
    name: "Closed",
    slug: "closed",
    ai_provider_id: "openai",
    key: "sk-closed-0000",
  });
});
afterAll(() => opened.close());

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

describe("providers", () => {
  it("are made, listed, read, changed and deleted", async () => {
    const body = {
      name: "Azure for claims, staging",
      integration_id: "shared",
      note: "until March",
      usage_limits: { type: "cost", credit_limit: 20, periodic_reset: "weekly" },
      rate_limits: { type: "requests", unit: "rpm", value: 30 },
      expires_at: tomorrow(),
      tags: { team: "claims" },
    };
    const made = await member("POST", "/providers", body);
    expect(made).toMatchObject({
      status: 200,
      body: { id: expect.any(String), slug: expect.stringMatching(/^azure-for-claim-[0-9a-f]{6}$/) },
    });
    const { id, slug } = made.body;
    const read = await member("GET", `/providers/${slug}`);
    expect(read.body).toMatchObject({
      ...body,
      id,
      slug,
      ai_provider_id: "openai",
      status: "active",
      reset_usage: 0,
      rate_limits: [body.rate_limits],
      last_reset_at: null,
      origin: "store",
      object: "provider",
    });
    const listed = await admin("GET", `/providers?workspace_id=${ws}&tags=${encodeURIComponent('{"team":"claims"}')}`);
    expect(listed.body).toMatchObject({ object: "list", total: 1, data: [{ id, slug }] });
    expect(
      (await member("PUT", `/providers/${slug}`, { name: "Renamed", note: null, rate_limits: null, reset_usage: true }))
        .body,
    ).toEqual({ id, slug });
    expect((await member("GET", `/providers/${id}`)).body).toMatchObject({
      name: "Renamed",
      note: null,
      rate_limits: null,
      usage_limits: body.usage_limits,
      last_reset_at: expect.stringMatching(/Z$/),
    });
    expect((await member("DELETE", `/providers/${slug}`)).body).toEqual({});
    expect(await member("GET", `/providers/${slug}`)).toMatchObject({ status: 403, body: { error: { code: "AB03" } } });
    expect(await member("POST", "/providers", { ...body, slug })).toMatchObject({
      status: 400,
      body: { error: { param: "slug" } },
    });
  });

  it("of the config file are listed, and changed there", async () => {
    const { body } = await member("GET", "/providers?page_size=500");
    const ofFile = body.data.filter(({ origin }: { origin: string }) => origin === "file");
    expect(ofFile).toMatchObject([
      { slug: "simulator", ai_provider_id: "simulator", integration_id: null, created_at: null, status: "active" },
      { slug: "acme", ai_provider_id: "openai" },
    ]);
    expect(JSON.stringify(body)).not.toContain("sk-of-the-file");
    expect((await member("GET", "/providers/acme")).body).toMatchObject({ slug: "acme", origin: "file" });
    expect((await member("PUT", "/providers/acme", { name: "mine" })).body.error.message).toContain("config file");
    expect((await member("DELETE", "/providers/acme")).status).toBe(400);
    expect(await member("POST", "/providers", { name: "x", integration_id: "shared", slug: "acme" })).toMatchObject({
      status: 400,
      body: { error: { code: "AB01", param: "slug" } },
    });
  });

  it("show what they are called with to the organisation, masked", async () => {
    await member("POST", "/providers", { name: "Shown", slug: "shown", integration_id: "shared" });
    const whole = await admin("GET", `/providers/shown?workspace_id=${ws}&include_configurations=true`);
    expect(whole.body).toMatchObject({ slug: "shown", masked_key: "sk*******00", configurations: {} });
    expect((await admin("GET", `/providers/shown?workspace_id=${ws}`)).body).not.toHaveProperty("masked_key");
    expect((await member("GET", "/providers/shown?include_configurations=true")).status).toBe(403);
    expect((await admin("GET", "/providers/shown?include_configurations=perhaps")).status).toBe(400);
  });

  it("expire, and go on with a new day", async () => {
    const { slug } = (
      await member("POST", "/providers", {
        name: "Short",
        integration_id: "shared",
        expires_at: new Date(Date.now() + 200).toISOString(),
      })
    ).body;
    await expect.poll(async () => (await member("GET", `/providers/${slug}`)).body.status).toBe("expired");
    await member("PUT", `/providers/${slug}`, { expires_at: tomorrow() });
    expect((await member("GET", `/providers/${slug}`)).body.status).toBe("active");
  });

  it.each<[string, object, number, string, string]>([
    ["no name", { integration_id: "shared" }, 400, "AB01", "name"],
    ["a name of a wrong type", { name: 5, integration_id: "shared" }, 400, "AB01", "name"],
    ["no integration", { name: "x" }, 400, "AB01", "integration_id"],
    ["an integration nobody has", { name: "x", integration_id: "none" }, 404, "AB02", "integration_id"],
    ["an integration that is not open", { name: "x", integration_id: "closed" }, 404, "AB02", "integration_id"],
    ["a slug that is none", { name: "x", integration_id: "shared", slug: "a/b" }, 400, "AB01", "slug"],
    ["a note that is too long", { name: "x", integration_id: "shared", note: "x".repeat(1025) }, 400, "AB01", "note"],
    [
      "a day that is over",
      { name: "x", integration_id: "shared", expires_at: "2020-01-01" },
      400,
      "AB01",
      "expires_at",
    ],
    ["a day that is none", { name: "x", integration_id: "shared", expires_at: "soon" }, 400, "AB01", "expires_at"],
    [
      "a budget below its alert",
      { name: "x", integration_id: "shared", usage_limits: { credit_limit: 5, alert_threshold: 6 } },
      400,
      "AB01",
      "usage_limits",
    ],
    [
      "two budgets",
      { name: "x", integration_id: "shared", usage_limits: [{ credit_limit: 5 }, { credit_limit: 6 }] },
      400,
      "AB01",
      "usage_limits",
    ],
    [
      "a rate below nothing",
      { name: "x", integration_id: "shared", rate_limits: { type: "requests", unit: "rpm", value: -1 } },
      400,
      "AB01",
      "rate_limits",
    ],
  ])("are refused with %s", async (_, body, status, code, param) => {
    const refused = await member("POST", "/providers", body);
    expect(refused).toMatchObject({ status, body: { error: { code } } });
    expect(refused.body.error.param).toContain(param);
  });

  it("that are virtual keys take their credentials with them, whichever way they are deleted", async () => {
    const before = (await member("GET", "/integrations")).body.total;
    const made = await member("POST", "/virtual-keys", { name: "Gone", provider: "openai", key: "sk-0123456789" });
    const { slug } = made.body.data;
    expect((await member("GET", "/integrations")).body.total).toBe(before + 1);
    expect((await member("DELETE", `/providers/${slug}`)).status).toBe(200);
    expect((await member("GET", "/integrations")).body.total).toBe(before);
    const shared = (await member("POST", "/virtual-keys", { name: "Two", provider: "openai", key: "sk-0123456789" }))
      .body.data.slug;
    const { integration_id } = (await member("GET", `/providers/${shared}`)).body;
    const other = (await member("POST", "/providers", { name: "Other", integration_id })).body.slug;
    expect((await member("DELETE", `/virtual-keys/${shared}`)).status).toBe(200);
    expect((await member("GET", `/providers/${other}`)).status).toBe(403);
  });

  it("are found by a slug that has the shape of an id", async () => {
    const slug = "7d9f3c1e-55aa-4b7e-9c10-3f2a1b0c9d8e";
    const { id } = (await member("POST", "/providers", { name: "Odd", slug, integration_id: "shared" })).body;
    for (const ref of [slug, id])
      expect((await member("GET", `/providers/${ref}`)).body).toMatchObject({ id, slug, name: "Odd" });
    expect((await admin("GET", `/providers/${slug}?workspace_id=${ws}`)).body.id).toBe(id);
    expect((await member("DELETE", `/providers/${slug}`)).status).toBe(200);
    expect((await member("GET", `/providers/${slug}`)).status).toBe(403);
  });

  it("belong to one workspace, whose name an organisation's key gives", async () => {
    const other = (await admin("POST", "/admin/workspaces", { name: "Other" })).body;
    const neighbour = opened.as({ workspace: other.uuid });
    const { slug, id } = (await member("POST", "/providers", { name: "Mine", slug: "mine", integration_id: "shared" }))
      .body;
    for (const ref of [slug, id]) expect((await neighbour("GET", `/providers/${ref}`)).status).toBe(403);
    expect(
      (await neighbour("GET", "/providers")).body.data.every(({ origin }: { origin: string }) => origin === "file"),
    ).toBe(true);
    expect((await neighbour("GET", `/providers?workspace_id=${ws}`)).status).toBe(403);
    // Who names a workspace means a provider of that one, by its id, too.
    const elsewhere = `/providers/${id}?workspace_id=${other.slug}`;
    for (const caller of [admin, member, neighbour])
      for (const method of ["GET", "PUT", "DELETE"])
        expect((await caller(method, elsewhere, method === "PUT" ? {} : undefined)).status).toBe(403);
    expect(await admin("GET", "/providers")).toMatchObject({ status: 400, body: { error: { param: "workspace_id" } } });
    expect(await admin("POST", "/providers", { name: "x", integration_id: "shared" })).toMatchObject({
      status: 400,
      body: { error: { param: "workspace_id" } },
    });
    expect((await admin("POST", "/providers", { name: "x", integration_id: "shared", workspace_id: ws })).status).toBe(
      200,
    );
    const own = {
      name: "Own",
      slug: "own",
      ai_provider_id: "openai",
      key: "k",
      workspace_id: other.slug,
      create_default_provider: false,
    };
    await admin("POST", "/integrations", own);
    // The same slug in another workspace is another provider.
    expect((await neighbour("POST", "/providers", { name: "Mine", slug: "mine", integration_id: "own" })).status).toBe(
      200,
    );
    expect((await admin("GET", `/providers/mine?workspace_id=${other.slug}`)).body.integration_id).toBe("own");
    expect((await admin("GET", `/providers/mine?workspace_id=${ws}`)).body.integration_id).toBe("shared");
    // Without a workspace nobody can tell which one is meant: none is changed by chance.
    for (const path of ["/providers/mine", "/virtual-keys/mine"])
      for (const method of ["GET", "PUT", "DELETE"])
        expect(await admin(method, path, method === "PUT" ? { name: "Changed" } : undefined)).toMatchObject({
          status: 400,
          body: { error: { code: "AB01", param: "workspace_id" } },
        });
    for (const caller of [neighbour, member])
      expect((await caller("GET", "/providers/mine")).body).toMatchObject({ name: "Mine", status: "active" });
    expect((await admin("GET", `/providers/${id}`)).body.integration_id).toBe("shared");
  });

  it.each([
    ["list", "GET", "", undefined],
    ["create", "POST", "", { name: "x", integration_id: "shared" }],
    ["read", "GET", "/scoped", undefined],
    ["update", "PUT", "/scoped", {}],
    ["delete", "DELETE", "/scoped", undefined],
  ])("ask for the scope to %s, in either family", async (verb, method, path, body) => {
    await member("POST", "/providers", { name: "Scoped", slug: "scoped", integration_id: "shared" });
    const scoped = (...scopes: string[]) => opened.as({ workspace: opened.workspace.id, scopes });
    const neighbour = verb === "read" ? "list" : "read";
    expect((await scoped(`providers.${neighbour}`, "workspaces.read")(method, `/providers${path}`, body)).status).toBe(
      403,
    );
    for (const family of ["providers", "virtual_keys"])
      expect([200, 403]).toContain((await scoped(`${family}.${verb}`)(method, `/providers${path}`, body)).status);
    expect(
      (await scoped(`virtual_keys.${verb}`)(method, `/providers${path === "" ? "" : "/shown"}`, body)).status,
    ).toBe(200);
  });
});

describe("virtual keys", () => {
  it("are an integration and a provider under one slug", async () => {
    const body = {
      name: "Old Azure account",
      provider: "azure-openai",
      key: "az-test-key",
      note: "legacy",
      resourceName: "claims-eu",
      deploymentConfig: [
        { apiVersion: "2024-08-01-preview", deploymentName: "gpt-4o-eu", alias: "gpt-4o", is_default: true },
      ],
      azureEntraClientSecret: "entra-secret-value",
      rate_limits: { type: "requests", unit: "rpm", value: 3 },
    };
    const made = await member("POST", "/virtual-keys", body);
    expect(made).toMatchObject({
      status: 200,
      body: { success: true, data: { slug: expect.stringMatching(/^old-azure-accou-[0-9a-f]{6}$/) } },
    });
    const { slug } = made.body.data;
    expect((await member("GET", `/virtual-keys/${slug}`)).body).toMatchObject({
      slug,
      name: "Old Azure account",
      note: "legacy",
      status: "active",
      reset_usage: 0,
      model_config: {
        resourceName: "claims-eu",
        deploymentConfig: body.deploymentConfig,
        masked_azureEntraClientSecret: "en*******ue",
      },
      rate_limits: [body.rate_limits],
      secret_mappings: [],
      object: "virtual-key",
    });
    expect((await member("GET", `/providers/${slug}`)).body).toMatchObject({ integration_id: slug, note: "legacy" });
    expect((await member("GET", `/integrations/${slug}`)).body).toMatchObject({
      workspace_id: opened.workspace.id,
      masked_key: "az*******ey",
      configurations: {
        azure_resource_name: "claims-eu",
        azure_deployment_config: [
          {
            azure_api_version: "2024-08-01-preview",
            azure_deployment_name: "gpt-4o-eu",
            alias: "gpt-4o",
            is_default: true,
          },
        ],
      },
    });
    expect(
      (
        await member("PUT", `/virtual-keys/${slug}`, {
          name: "New",
          key: "az-other-key",
          resourceName: "claims-us",
          note: null,
        })
      ).body,
    ).toEqual({});
    const changed = (await member("GET", `/virtual-keys/${slug}`)).body;
    expect(changed).toMatchObject({
      name: "New",
      note: null,
      model_config: { resourceName: "claims-us", deploymentConfig: body.deploymentConfig },
    });
    expect((await member("GET", `/integrations/${slug}`)).body.masked_key).toBe("az*******ey");
    const list = (await admin("GET", `/virtual-keys?workspace_id=${ws}&page_size=1`)).body;
    expect(list).toMatchObject({ object: "list", total: 1, data: [{ slug }] });
    expect((await member("DELETE", `/virtual-keys/${slug}`)).body).toEqual({});
    for (const path of [`/virtual-keys/${slug}`, `/providers/${slug}`])
      expect((await member("GET", path)).status).toBe(403);
    expect((await member("GET", `/integrations/${slug}`)).status).toBe(404);
  });

  it("know vendors by their older names, and take secrets from elsewhere", async () => {
    opened.secrets({ vault: "sk-vault" });
    const aliased = await member("POST", "/virtual-keys", { name: "a", provider: "open-ai", key: "sk-1" });
    expect((await member("GET", `/virtual-keys/${aliased.body.data.slug}`)).body.provider).toBe("openai");
    const mapped = await member("POST", "/virtual-keys", {
      name: "b",
      provider: "bedrock",
      awsRegion: "eu-west-1",
      awsAccessKeyId: "AKIA00000000",
      secret_mappings: [{ target_field: "awsSecretAccessKey", secret_reference_id: "vault" }],
    });
    expect(mapped.status, JSON.stringify(mapped.body)).toBe(200);
    const { slug } = mapped.body.data;
    expect((await member("GET", `/virtual-keys/${slug}`)).body).toMatchObject({
      model_config: { awsRegion: "eu-west-1", masked_awsAccessKeyId: "AK*******00" },
      secret_mappings: [{ target_field: "model_config.awsSecretAccessKey", secret_reference_id: "vault" }],
    });
    expect((await member("GET", `/integrations/${slug}`)).body.secret_mappings).toMatchObject([
      { target_field: "configurations.aws_secret_access_key" },
    ]);
  });

  it.each<[string, object, string]>([
    ["without a name", { provider: "openai", key: "k" }, "name"],
    ["without a vendor", { name: "x", key: "k" }, "provider"],
    ["of a vendor nobody knows", { name: "x", provider: "nobody", key: "k" }, "provider"],
    ["without a key", { name: "x", provider: "openai" }, "key"],
    [
      "of Azure without a resource",
      { name: "x", provider: "azure-openai", key: "k", deploymentName: "d", apiVersion: "v1" },
      "resourceName",
    ],
    [
      "with a deployment of no name",
      { name: "x", provider: "azure-openai", key: "k", resourceName: "r", deploymentConfig: [{ apiVersion: "v1" }] },
      "deploymentConfig[0].deploymentName",
    ],
    [
      "at an internal host",
      { name: "x", provider: "openai", key: "k", customHost: "http://10.0.0.1/v1" },
      "customHost",
    ],
    ["with a wrong type", { name: "x", provider: "openai", key: "k", awsRegion: 5 }, "awsRegion"],
  ])("are refused %s", async (_, body, param) => {
    expect(await member("POST", "/virtual-keys", body)).toMatchObject({
      status: 400,
      body: { success: false, error: { code: "AB01", param } },
    });
  });

  it("are no others' providers, and ask for scopes of their own", async () => {
    expect((await member("GET", "/virtual-keys/shown")).status).toBe(403);
    expect((await member("GET", "/virtual-keys/acme")).status).toBe(403);
    expect((await admin("POST", "/virtual-keys", { name: "x", provider: "openai", key: "k" })).body.error.param).toBe(
      "workspace_id",
    );
    const { slug } = (await member("POST", "/virtual-keys", { name: "s", provider: "openai", key: "k" })).body.data;
    const scoped = (scope: string) => opened.as({ workspace: opened.workspace.id, scopes: [scope] });
    const cases: [string, string, string, number][] = [
      ["virtual_keys.list", "GET", "/virtual-keys", 200],
      ["providers.list", "GET", "/virtual-keys", 200],
      ["virtual_keys.read", "GET", "/virtual-keys", 403],
      ["virtual_keys.read", "GET", `/virtual-keys/${slug}`, 200],
      ["providers.read", "GET", `/virtual-keys/${slug}`, 403],
      ["virtual_keys.update", "PUT", `/virtual-keys/${slug}`, 200],
      ["virtual_keys.read", "PUT", `/virtual-keys/${slug}`, 403],
      ["virtual_keys.update", "DELETE", `/virtual-keys/${slug}`, 403],
      ["virtual_keys.delete", "DELETE", `/virtual-keys/${slug}`, 200],
    ];
    for (const [scope, method, path, status] of cases)
      expect(
        (await scoped(scope)(method, path, method === "PUT" ? {} : undefined)).status,
        `${scope} ${method} ${path}`,
      ).toBe(status);
  });
});
