import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../../test/support/management.ts";
import { type Opened, openIntegrations } from "./testing.ts";

let opened: Opened;
let admin: Caller;
let member: Caller;

beforeAll(async () => {
  opened = await openIntegrations();
  admin = opened.admin;
  member = opened.as({ workspace: opened.workspace.id });
});
afterAll(() => opened.close());

const made = async (body: object, caller = admin) => {
  const answer = await caller("POST", "/integrations", {
    name: "Acme",
    ai_provider_id: "openai",
    key: "sk-1234567890",
    ...body,
  });
  expect(answer).toMatchObject({ status: 200, body: { id: expect.any(String), slug: expect.any(String) } });
  return answer.body as { id: string; slug: string };
};

const azure = {
  azure_auth_mode: "default",
  azure_resource_name: "claims-eu",
  azure_deployment_config: [
    {
      azure_deployment_name: "gpt-4o-eu",
      azure_api_version: "2024-08-01-preview",
      azure_model_slug: "gpt-4o",
      is_default: true,
    },
  ],
};

describe("integrations", () => {
  it("are made, listed, read, changed and deleted", async () => {
    const { id, slug } = await made({
      name: "Production Azure",
      ai_provider_id: "azure-openai",
      key: "az-live-key",
      description: "eu",
      configurations: azure,
      pricing_adjustments: { multiplier: { default: 0.8, cache_read_input_token: 0.9 } },
      tags: { env: "prod" },
    });
    expect(slug).toMatch(/^production-azur-[0-9a-f]{6}$/);
    const read = await admin("GET", `/integrations/${slug}`);
    expect(read).toMatchObject({
      status: 200,
      body: {
        id,
        slug,
        organisation_id: opened.organisation,
        workspace_id: null,
        ai_provider_id: "azure-openai",
        name: "Production Azure",
        description: "eu",
        status: "active",
        tags: { env: "prod" },
        masked_key: "az*******ey",
        configurations: azure,
        global_workspace_access_settings: null,
        allow_all_models: true,
        workspace_count: 0,
        secret_mappings: [],
        pricing_adjustments: { multiplier: { default: 0.8, cache_read_input_token: 0.9 } },
        origin: "store",
        object: "integration",
      },
    });
    const change = {
      name: "Azure",
      description: null,
      configurations: { azure_resource_name: "claims-us" },
      tags: null,
    };
    expect(await admin("PUT", `/integrations/${id}`, change)).toMatchObject({ status: 200, body: {} });
    expect((await admin("GET", `/v2/integrations/${id}`)).body).toMatchObject({
      name: "Azure",
      description: null,
      tags: null,
      masked_key: "az*******ey",
      configurations: { ...azure, azure_resource_name: "claims-us" },
    });
    const listed = await admin("GET", "/integrations?type=organisation");
    expect(listed.body.data.find((row: { id: string }) => row.id === id)).toMatchObject({
      slug,
      object: "integration",
    });
    expect(listed.body.data[0]).not.toHaveProperty("configurations");
    expect((await admin("DELETE", `/integrations/${slug}`)).body).toEqual({});
    expect(await admin("GET", `/integrations/${slug}`)).toMatchObject({
      status: 404,
      body: { error: { code: "AB08" } },
    });
    expect((await admin("DELETE", `/integrations/${slug}`)).status).toBe(404);
    expect((await admin("POST", "/integrations", { name: "x", slug, ai_provider_id: "openai", key: "k" })).status).toBe(
      409,
    );
  });

  it("of a workspace come with a provider", async () => {
    const { slug } = await made({ name: "Ours", slug: "ours" }, member);
    expect((await member("GET", "/providers/ours")).body).toMatchObject({
      slug: "ours",
      integration_id: "ours",
      name: "Ours",
    });
    await made({ name: "Named", default_provider_slug: "by-name" }, member);
    expect((await member("GET", "/providers/by-name")).status).toBe(200);
    const without = await made({ name: "Without", create_default_provider: false }, member);
    expect((await member("GET", `/providers/${without.slug}`)).status).toBe(403);
    const taken = await member("POST", "/integrations", {
      name: "Taken",
      slug: "taken",
      ai_provider_id: "openai",
      key: "k",
      default_provider_slug: slug,
    });
    expect(taken).toMatchObject({ status: 400, body: { error: { code: "AB01", param: "default_provider_slug" } } });
    expect((await member("GET", "/integrations/taken")).status).toBe(404);
    expect((await member("DELETE", `/integrations/${slug}`)).status).toBe(200);
    expect((await member("GET", "/providers/ours")).status).toBe(403);
  });

  it("of the organisation are seen by the workspaces they are open to, in lists only", async () => {
    const { slug } = await made({ name: "Of all", slug: "of-all" });
    const seen = async (query = "") => {
      const { body } = await member("GET", `/integrations${query}`);
      return body.data.map((row: { slug: string }) => row.slug);
    };
    expect(await seen()).not.toContain(slug);
    expect((await member("GET", `/integrations/${slug}`)).status).toBe(404);
    await admin("PUT", `/integrations/${slug}/workspaces`, {
      workspaces: [{ id: opened.workspace.slug, enabled: true }],
    });
    expect(await seen()).toContain(slug);
    expect(await seen("?type=workspace")).not.toContain(slug);
    const ofWorkspace = await admin("GET", `/integrations?workspace_id=${opened.workspace.slug}`);
    expect(ofWorkspace.body.data.map((row: { slug: string }) => row.slug)).toContain(slug);
    for (const [method, path, body] of [
      ["GET", `/integrations/${slug}`],
      ["PUT", `/integrations/${slug}`, { name: "mine" }],
      ["DELETE", `/integrations/${slug}`],
      ["GET", `/integrations/${slug}/models`],
      ["PUT", `/integrations/${slug}/workspaces`, { workspaces: [] }],
    ] as const)
      expect(await member(method, path, body), `${method} ${path}`).toMatchObject({
        status: 403,
        body: { error: { code: "AB03" } },
      });
  });

  it("are found by their tags, in pages", async () => {
    for (const name of ["t1", "t2", "t3"]) await made({ name, tags: { team: "tags", name } });
    const names = async (query: string) => {
      const { body } = await admin("GET", `/integrations?${query}`);
      return [body.total, ...body.data.map((row: { name: string }) => row.name)];
    };
    const tags = encodeURIComponent(JSON.stringify({ team: "tags" }));
    expect(await names(`tags=${tags}`)).toEqual([3, "t3", "t2", "t1"]);
    expect(await names(`tags=${tags}&page_size=2&current_page=1`)).toEqual([3, "t1"]);
    expect(await names(`tags=${encodeURIComponent(JSON.stringify({ team: "tags", name: "t2" }))}`)).toEqual([1, "t2"]);
    expect((await admin("GET", "/integrations?tags=nonsense")).status).toBe(400);
    expect((await admin("GET", "/integrations?type=other")).status).toBe(400);
  });

  it("ask for the scope of their owner", async () => {
    const ours = await made({ name: "Scoped" }, member);
    const theirs = await made({ name: "Scoped" });
    const scoped = (scopes: string[], workspace?: string) => opened.as({ scopes, ...(workspace && { workspace }) });
    const body = { name: "S", ai_provider_id: "openai", key: "k" };
    const cases: [string, Caller, string, string, unknown, number][] = [
      ["makes one", scoped(["organisation_integrations.create"]), "POST", "/integrations", body, 200],
      [
        "makes none for a workspace",
        scoped(["organisation_integrations.create"]),
        "POST",
        "/integrations",
        { ...body, workspace_id: opened.workspace.slug },
        403,
      ],
      [
        "makes one for a workspace",
        scoped(["workspace_integrations.create"]),
        "POST",
        "/integrations",
        { ...body, workspace_id: opened.workspace.slug },
        200,
      ],
      ["makes none for all", scoped(["workspace_integrations.create"]), "POST", "/integrations", body, 403],
      ["reads one", scoped(["workspace_integrations.read"]), "GET", `/integrations/${ours.slug}`, undefined, 200],
      [
        "reads none of all",
        scoped(["workspace_integrations.read"]),
        "GET",
        `/integrations/${theirs.slug}`,
        undefined,
        403,
      ],
      [
        "reads those of all",
        scoped(["organisation_integrations.read"]),
        "GET",
        `/integrations/${theirs.slug}`,
        undefined,
        200,
      ],
      ["changes none", scoped(["organisation_integrations.read"]), "PUT", `/integrations/${theirs.slug}`, {}, 403],
      [
        "deletes none",
        scoped(["organisation_integrations.update"]),
        "DELETE",
        `/integrations/${theirs.slug}`,
        undefined,
        403,
      ],
      ["lists", scoped(["workspace_integrations.list"], opened.workspace.id), "GET", "/integrations", undefined, 200],
      [
        "lists none",
        scoped(["workspace_integrations.read"], opened.workspace.id),
        "GET",
        "/integrations",
        undefined,
        403,
      ],
      [
        "tells models",
        scoped(["organisation_integrations.update"]),
        "PUT",
        `/integrations/${theirs.slug}/models`,
        { models: [] },
        200,
      ],
      [
        "opens none",
        scoped(["organisation_integrations.read"]),
        "PUT",
        `/integrations/${theirs.slug}/workspaces`,
        { workspaces: [] },
        403,
      ],
    ];
    for (const [name, caller, method, path, sent, status] of cases)
      expect((await caller(method, path, sent)).status, name).toBe(status);
  });

  it("belong to one organisation", async () => {
    const { slug, id } = await made({ name: "Foreign" });
    const stranger = opened.as({ organisation: "22222222-2222-4222-8222-222222222222" });
    for (const ref of [slug, id]) expect((await stranger("GET", `/integrations/${ref}`)).status).toBe(404);
    const other = (await admin("POST", "/admin/workspaces", { name: "Another" })).body;
    const ours = await made({ name: "Ours alone" }, member);
    const neighbour = opened.as({ workspace: other.uuid });
    expect((await neighbour("GET", `/integrations/${ours.slug}`)).status).toBe(404);
    expect(
      (
        await neighbour("POST", "/integrations", {
          name: "x",
          ai_provider_id: "openai",
          key: "k",
          workspace_id: opened.workspace.slug,
        })
      ).status,
    ).toBe(403);
    expect((await admin("DELETE", `/admin/workspaces/${opened.workspace.slug}`)).body.error.message).toMatch(
      /\d+ integrations?/,
    );
  });
});

describe("an integration is refused", () => {
  const openai = { name: "x", ai_provider_id: "openai", key: "sk" };
  const bedrock = { name: "x", ai_provider_id: "bedrock" };
  const keys = { aws_access_key_id: "AKIA1234", aws_secret_access_key: "wJalr" };
  it.each<[string, object, string, string?]>([
    ["without a name", { ...openai, name: undefined }, "name"],
    ["with a name that is too long", { ...openai, name: "x".repeat(256) }, "name"],
    ["with a slug that is none", { ...openai, slug: "a b" }, "slug"],
    ["without a vendor", { ...openai, ai_provider_id: undefined }, "ai_provider_id"],
    [
      "of a vendor nobody knows",
      { ...openai, ai_provider_id: "nobody" },
      "ai_provider_id",
      '"nobody" is not a known provider',
    ],
    ["with a key of a wrong type", { ...openai, key: 5 }, "key"],
    ["without a key", { ...openai, key: undefined }, "key", "is required"],
    ["with a description that is too long", { ...openai, description: "x".repeat(1025) }, "description"],
    ["with configurations that are none", { ...openai, configurations: [] }, "configurations"],
    [
      "with a price below nothing",
      { ...openai, pricing_adjustments: { multiplier: { default: -1 } } },
      "pricing_adjustments.multiplier.default",
    ],
    [
      "with a price nobody knows",
      { ...openai, pricing_adjustments: { multiplier: { other: 1 } } },
      "pricing_adjustments.multiplier",
    ],
    ["with tags that are no texts", { ...openai, tags: { a: 1 } }, "tags.a"],
    [
      "of Azure without a mode",
      { ...openai, ai_provider_id: "azure-openai", configurations: { ...azure, azure_auth_mode: undefined } },
      "configurations.azure_auth_mode",
      "is required",
    ],
    [
      "of Azure with a mode nobody knows",
      { ...openai, ai_provider_id: "azure-openai", configurations: { ...azure, azure_auth_mode: "magic" } },
      "configurations.azure_auth_mode",
    ],
    [
      "of Azure without deployments",
      { ...openai, ai_provider_id: "azure-openai", configurations: { ...azure, azure_deployment_config: [] } },
      "configurations.azure_deployment_config",
      "is required",
    ],
    [
      "of Azure with a deployment of no model",
      {
        ...openai,
        ai_provider_id: "azure-openai",
        configurations: {
          ...azure,
          azure_deployment_config: [{ azure_deployment_name: "a", azure_api_version: "v1" }],
        },
      },
      "configurations.azure_deployment_config.0.azure_model_slug",
    ],
    [
      "of Azure with a resource that is a host",
      {
        ...openai,
        ai_provider_id: "azure-openai",
        configurations: { ...azure, azure_resource_name: "evil.example/x" },
      },
      "configurations.azure_resource_name",
    ],
    [
      "of Entra without its secret",
      {
        ...openai,
        key: undefined,
        ai_provider_id: "azure-openai",
        configurations: { ...azure, azure_auth_mode: "entra", azure_entra_tenant_id: "t", azure_entra_client_id: "c" },
      },
      "configurations.azure_entra_client_secret",
    ],
    [
      "of Bedrock without a region",
      { ...bedrock, configurations: { aws_auth_type: "accessKey", ...keys } },
      "configurations.aws_region",
    ],
    [
      "of Bedrock without keys",
      { ...bedrock, configurations: { aws_auth_type: "accessKey", aws_region: "eu-west-1" } },
      "configurations.aws_access_key_id",
    ],
    [
      "of Bedrock with a region that is none",
      { ...bedrock, configurations: { aws_auth_type: "accessKey", aws_region: "x/y", ...keys } },
      "configurations.aws_region",
    ],
    [
      "of Vertex without a project",
      {
        ...openai,
        ai_provider_id: "vertex-ai",
        configurations: { vertex_auth_type: "basic", vertex_region: "us-central1" },
      },
      "configurations.vertex_project_id",
    ],
    [
      "of Workers AI without an account",
      { ...openai, ai_provider_id: "workers-ai" },
      "configurations.workers_ai_account_id",
    ],
    [
      "at a host that is internal",
      { ...openai, configurations: { custom_host: "http://10.0.0.1/v1" } },
      "configurations.custom_host",
      "server.trustedHosts",
    ],
    [
      "at a host that is a metadata service",
      { ...openai, configurations: { custom_host: "http://169.254.169.254/v1" } },
      "configurations.custom_host",
    ],
    [
      "at a host that is no URL",
      { ...openai, configurations: { custom_host: "example" } },
      "configurations.custom_host",
    ],
    [
      "at a Foundry that is internal",
      {
        ...openai,
        ai_provider_id: "azure-ai",
        configurations: { azure_auth_mode: "default", azure_foundry_url: "http://192.168.0.1/models" },
      },
      "configurations.azure_foundry_url",
    ],
    [
      "with a header that may not be set",
      { ...openai, configurations: { custom_headers: { host: "evil" } } },
      "configurations.custom_headers",
    ],
    [
      "with a header that breaks the line",
      { ...openai, configurations: { custom_headers: { "x-a": "a\r\nb: c" } } },
      "configurations.custom_headers.x-a",
    ],
    [
      "with a header that may not be forwarded",
      { ...openai, configurations: { forward_headers: ["metadata-flavor"] } },
      "configurations.forward_headers",
    ],
    [
      "with a secret nobody has",
      { ...openai, secret_mappings: [{ target_field: "key", secret_reference_id: "none" }] },
      "secret_mappings[0].secret_reference_id",
      "404",
    ],
    [
      "with a field mapped twice",
      {
        ...openai,
        secret_mappings: [
          { target_field: "key", secret_reference_id: "a" },
          { target_field: "key", secret_reference_id: "a" },
        ],
      },
      "secret_mappings[1].target_field",
    ],
    ["for a workspace nobody has", { ...openai, workspace_id: "ws-none" }, "workspace_id", "404"],
  ])("%s", async (_, body, param, says = "") => {
    const refused = await admin("POST", "/integrations", body);
    const [status, code] = says === "404" ? [404, "AB02"] : [400, "AB01"];
    expect(refused, JSON.stringify(refused.body)).toMatchObject({
      status,
      body: { data: { errorCode: code }, error: { code, param } },
    });
    if (says !== "404") expect(refused.body.error.message).toContain(says);
    expect(JSON.stringify(refused.body)).not.toContain("wJalr");
  });

  it("where a workspace would borrow the identity of this machine, and not where the organisation does", async () => {
    const bodies = [
      { ...bedrock, configurations: { aws_auth_type: "serviceRole", aws_region: "eu-west-1" } },
      {
        ...bedrock,
        configurations: {
          aws_auth_type: "assumedRole",
          aws_region: "eu-west-1",
          aws_role_arn: "arn:aws:iam::1:role/r",
        },
      },
      { name: "x", ai_provider_id: "azure-openai", configurations: { ...azure, azure_auth_mode: "managed" } },
      {
        name: "x",
        ai_provider_id: "vertex-ai",
        configurations: { vertex_auth_type: "workload", vertex_region: "us-central1", vertex_project_id: "p" },
      },
    ];
    for (const body of bodies) {
      const refused = await member("POST", "/integrations", body);
      expect(refused, JSON.stringify(body)).toMatchObject({ status: 400 });
      expect(refused.body.error.message).toContain("credentials of this machine");
      expect((await admin("POST", "/integrations", body)).status, JSON.stringify(body)).toBe(200);
    }
    const own = {
      ...bedrock,
      configurations: {
        aws_auth_type: "assumedRole",
        aws_region: "eu-west-1",
        aws_role_arn: "arn:aws:iam::1:role/r",
        ...keys,
      },
    };
    expect((await member("POST", "/integrations", own)).status).toBe(200);
  });
});

describe("the secrets of an integration", () => {
  it("are masked wherever they stand, and survive being sent back masked", async () => {
    opened.secrets({ vault: "sk-in-the-vault" });
    const account = { client_email: "a@b.example", private_key: "-----BEGIN PRIVATE KEY-----", project_id: "p" };
    const configurations = {
      vertex_auth_type: "serviceAccount",
      vertex_region: "us-central1",
      vertex_service_account_json: account,
      custom_headers: { "x-team": "claims", "x-api-key": "secret-of-a-proxy" },
      some_token: "a-token-of-something",
      nested: { client_secret: "deeper-secret", client_id: "id" },
    };
    const { slug } = await made({ ai_provider_id: "vertex-ai", key: undefined, configurations });
    const shown = (await admin("GET", `/integrations/${slug}`)).body.configurations;
    const masked = {
      vertex_auth_type: "serviceAccount",
      vertex_region: "us-central1",
      vertex_service_account_json: { client_email: "a@b.example", masked_private_key: "--*******--", project_id: "p" },
      custom_headers: { "x-team": "claims", "masked_x-api-key": "se*******xy" },
      masked_some_token: "a-*******ng",
      nested: { masked_client_secret: "de*******et", client_id: "id" },
    };
    expect(shown).toEqual(masked);
    expect((await admin("PUT", `/integrations/${slug}`, { configurations: shown })).status).toBe(200);
    expect((await admin("GET", `/integrations/${slug}`)).body.configurations).toEqual(masked);
    const added = {
      custom_headers: { ...shown.custom_headers, "x-new": "1" },
      masked_some_token: undefined,
      some_token: null,
    };
    await admin("PUT", `/integrations/${slug}`, { configurations: added });
    const { masked_some_token: _, ...rest } = masked;
    expect((await admin("GET", `/integrations/${slug}`)).body.configurations).toEqual({
      ...rest,
      custom_headers: { ...masked.custom_headers, "x-new": "1" },
    });
  });

  it("may lie elsewhere: the field is completed, and the reference stays while it is needed", async () => {
    opened.secrets({ vault: "sk-in-the-vault", other: { id: "x" } });
    const { slug } = await made({
      ai_provider_id: "bedrock",
      key: undefined,
      configurations: { aws_auth_type: "accessKey", aws_region: "eu-west-1", aws_access_key_id: "AKIA12345678" },
      secret_mappings: [{ target_field: "aws_secret_access_key", secret_reference_id: "vault" }],
    });
    const mapping = {
      target_field: "configurations.aws_secret_access_key",
      secret_reference_id: "vault",
      secret_key: null,
      value_format: null,
    };
    expect((await admin("GET", `/integrations/${slug}`)).body.secret_mappings).toEqual([mapping]);
    const changed = [
      { target_field: "configurations.aws_access_key_id", secret_reference_id: "other", secret_key: "id" },
      mapping,
    ];
    expect((await admin("PUT", `/integrations/${slug}`, { secret_mappings: changed })).status).toBe(200);
    expect(
      (
        await admin("PUT", `/integrations/${slug}`, {
          secret_mappings: [],
          configurations: { aws_access_key_id: null },
        })
      ).status,
    ).toBe(400);
    expect((await admin("GET", `/integrations/${slug}`)).body.secret_mappings).toHaveLength(2);
  });
});

describe("models of an integration", () => {
  it("are told, laid over each other, and taken away", async () => {
    const { slug } = await made({ name: "Models" });
    const path = `/integrations/${slug}/models`;
    expect((await admin("GET", path)).body).toEqual({ total: 0, models: [], allow_all_models: true });
    const custom = {
      slug: "ft-1",
      enabled: true,
      is_custom: true,
      base_model_slug: "gpt-4o",
      configurations: {
        custom_host: "https://models.example/v1",
        custom_headers: { authorization: "Bearer of-a-model" },
      },
      pricing_config: {
        type: "static",
        pay_as_you_go: { request_token: { price: 0.00025 }, response_token: { price: 0.001 } },
      },
    };
    const plain = { slug: "gpt-4o", enabled: false };
    expect((await admin("PUT", path, { models: [custom, plain], allow_all_models: false })).body).toEqual({});
    const told = (await admin("GET", `/integrations/${slug}/integration-models`)).body;
    expect(told).toMatchObject({ total: 2, allow_all_models: false });
    expect(told.models).toMatchObject([
      {
        ...custom,
        name: "ft-1",
        configurations: {
          custom_host: "https://models.example/v1",
          custom_headers: { masked_authorization: "Be*******el" },
        },
      },
      { slug: "gpt-4o", name: "gpt-4o", enabled: false, is_custom: null, base_model_slug: null, configurations: null },
    ]);
    await admin("PUT", path, { models: [{ ...told.models[0], enabled: false }] });
    const again = (await admin("GET", path)).body;
    expect(again.models.map(({ slug: one, enabled }: { slug: string; enabled: boolean }) => [one, enabled])).toEqual([
      ["ft-1", false],
      ["gpt-4o", false],
    ]);
    expect(again.models[0].configurations).toEqual(told.models[0].configurations);
    expect((await admin("GET", `/integrations/${slug}`)).body.allow_all_models).toBe(false);
    expect(await admin("DELETE", `${path}?slugs=ft-1,gpt-4o`)).toMatchObject({
      status: 400,
      body: { error: { param: "slugs" } },
    });
    expect((await admin("DELETE", `${path}?slugs=ft-1`)).body).toEqual({});
    expect((await admin("GET", path)).body.total).toBe(1);
  });

  it.each<[string, object, string]>([
    ["without models", {}, "models"],
    ["that is no list", { models: {} }, "models"],
    ["without a slug", { models: [{ enabled: true }] }, "models[0].slug"],
    ["that does not say whether it is enabled", { models: [{ slug: "a" }] }, "models[0].enabled"],
    [
      "of its own without a base",
      { models: [{ slug: "a", enabled: true, is_custom: true }] },
      "models[0].base_model_slug",
    ],
    [
      "with empty configurations",
      { models: [{ slug: "a", enabled: true, configurations: {} }] },
      "models[0].configurations",
    ],
    [
      "at an internal host",
      { models: [{ slug: "a", enabled: true, configurations: { custom_host: "http://10.0.0.1" } }] },
      "models[0].configurations.custom_host",
    ],
    [
      "with headers that are no texts",
      { models: [{ slug: "a", enabled: true, configurations: { custom_headers: { a: 1 } } }] },
      "models[0].configurations.custom_headers.a",
    ],
    [
      "with a price that is none",
      {
        models: [
          {
            slug: "a",
            enabled: true,
            pricing_config: { type: "static", pay_as_you_go: { request_token: { price: -1 } } },
          },
        ],
      },
      "models[0].pricing_config.pay_as_you_go.request_token.price",
    ],
  ])("are refused %s", async (_, body, param) => {
    const { slug } = await made({ name: "Refused" });
    expect(await admin("PUT", `/integrations/${slug}/models`, body)).toMatchObject({
      status: 400,
      body: { error: { code: "AB01", param } },
    });
  });
});

describe("access of workspaces", () => {
  it("is granted with a provider, limited, and taken away", async () => {
    const { slug } = await made({ name: "Shared", slug: "shared" });
    const path = `/integrations/${slug}/workspaces`;
    const other = (await admin("POST", "/admin/workspaces", { name: "Second" })).body;
    const grant = {
      workspaces: [
        {
          id: opened.workspace.slug,
          enabled: true,
          default_provider_slug: "shared-here",
          usage_limits: [{ type: "tokens", credit_limit: 5000000, periodic_reset: "monthly" }],
          rate_limits: [{ type: "requests", unit: "rpm", value: 300 }],
        },
        { id: other.uuid, enabled: true, create_default_provider: false },
      ],
    };
    expect((await admin("PUT", path, grant)).body).toEqual({});
    expect((await admin("GET", path)).body).toMatchObject({
      total: 2,
      workspaces: [
        {
          id: opened.workspace.slug,
          enabled: true,
          usage_limits: [{ type: "tokens", credit_limit: 5000000 }],
          rate_limits: [{ unit: "rpm", value: 300 }],
        },
        { id: other.slug, enabled: true, usage_limits: null, rate_limits: null },
      ],
      global_workspace_access: null,
    });
    expect((await member("GET", "/providers/shared-here")).body).toMatchObject({ integration_id: "shared" });
    expect((await admin("GET", `/integrations/${slug}`)).body.workspace_count).toBe(2);
    await admin("PUT", path, { workspaces: [{ id: opened.workspace.id, enabled: true, reset_usage: true }] });
    expect(
      (await member("GET", "/providers")).body.data.filter(
        (row: { integration_id: string }) => row.integration_id === "shared",
      ),
    ).toHaveLength(1);
    await admin("PUT", path, {
      workspaces: [{ id: other.slug, enabled: true }],
      override_existing_workspace_access: true,
    });
    expect((await admin("GET", path)).body.workspaces.map((row: { enabled: boolean }) => row.enabled)).toEqual([
      false,
      true,
    ]);
    expect((await member("GET", "/providers/shared-here")).status).toBe(200);
  });

  it("is given to workspaces that are made later, and on request to all", async () => {
    const { slug } = await made({ name: "For everybody", slug: "for-everybody" });
    const path = `/integrations/${slug}/workspaces`;
    const global = { enabled: true, rate_limits: [{ type: "requests", unit: "rpm", value: 7 }] };
    await admin("PUT", path, { workspaces: [], global_workspace_access: global });
    const later = (await admin("POST", "/admin/workspaces", { name: "Later" })).body;
    const rows = async (): Promise<string[]> =>
      (await admin("GET", path)).body.workspaces.map(({ id }: { id: string }) => id);
    expect(await rows()).toEqual([later.slug]);
    const theirs = opened.as({ workspace: later.uuid });
    expect((await theirs("GET", "/providers/for-everybody")).body).toMatchObject({ integration_id: slug });
    expect((await admin("GET", path)).body.workspaces[0].rate_limits).toEqual(global.rate_limits);
    expect((await admin("GET", `/integrations/${slug}`)).body.global_workspace_access_settings).toMatchObject({
      enabled: true,
    });
    await admin("PUT", path, { workspaces: [], override_existing_workspace_access: true });
    expect(await rows()).toContain(opened.workspace.slug);
    expect((await member("GET", "/providers/for-everybody")).status).toBe(200);
    await admin("PUT", path, { workspaces: [], global_workspace_access: null });
    expect((await admin("GET", path)).body.global_workspace_access).toBeNull();
  });

  it("is refused", async () => {
    const { slug } = await made({ name: "Refusing" });
    const ours = await made({ name: "Of one" }, member);
    await made({ name: "Taken already", slug: "taken-already" }, member);
    const ws = opened.workspace.slug;
    const cases: [string, string, object, number, string, string | null][] = [
      ["without workspaces", slug, {}, 400, "AB01", "workspaces"],
      [
        "for a workspace nobody has",
        slug,
        { workspaces: [{ id: "ws-none", enabled: true }] },
        404,
        "AB02",
        "workspaces[0].id",
      ],
      ["without a word", slug, { workspaces: [{ id: ws }] }, 400, "AB01", "workspaces[0].enabled"],
      [
        "with two budgets",
        slug,
        { workspaces: [{ id: ws, enabled: true, usage_limits: [{ credit_limit: 1 }, { credit_limit: 2 }] }] },
        400,
        "AB01",
        "workspaces[0].usage_limits",
      ],
      [
        "with a slug that is taken",
        slug,
        { workspaces: [{ id: ws, enabled: true, default_provider_slug: "taken-already" }] },
        400,
        "AB01",
        "default_provider_slug",
      ],
      ["for what one workspace owns", ours.slug, { workspaces: [] }, 400, "AB01", null],
    ];
    for (const [name, ref, body, status, code, param] of cases)
      expect(await admin("PUT", `/integrations/${ref}/workspaces`, body), name).toMatchObject({
        status,
        body: { error: { code, param } },
      });
    expect((await admin("GET", `/integrations/${slug}/workspaces`)).body.total).toBe(0);
  });
});
