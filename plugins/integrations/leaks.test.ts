import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Caller } from "../../test/support/management.ts";
import { json, startUpstream } from "../../test/support/upstream.ts";
import { openIntegrations } from "./testing.ts";

/** Every place a secret can stand in, with a secret of its own. */
const secrets = {
  key: "sk-SECRET-of-the-key",
  replaced: "sk-SECRET-that-replaced-it",
  header: "SECRET-of-a-header",
  plainHeader: "Bearer SECRET-behind-bearer",
  modelHeader: "SECRET-of-a-model",
  token: "SECRET-some-token",
  nested: "SECRET-deep-inside",
  entra: "SECRET-of-entra",
  aws: "SECRET-of-aws-access",
  awsId: "AKIASECRETID00",
  privateKey: "-----BEGIN SECRET-PRIVATE-----",
  passphrase: "SECRET-passphrase",
  vault: "sk-SECRET-of-the-vault",
  virtual: "sk-SECRET-virtual",
};

it("shows no secret to anybody, anywhere, whatever is asked", async () => {
  // A vendor that repeats whatever it was told; not to raw calls, whose answers are nobody's to change.
  const vendor = await startUpstream(({ method, headers }, response) =>
    method === "GET"
      ? json(response, 200, { object: "list", data: [] })
      : json(response, 401, { error: { message: `Incorrect credentials: ${JSON.stringify(headers)}` } }),
  );
  const opened = await openIntegrations(
    {
      routing: {},
      "strategy-fallback": {},
      proxy: {},
      "access-log": { trace: true },
      "format-openai-chat": {},
      openapi: {},
    },
    { providers: { ofFile: { use: "openai", apiKey: "sk-SECRET-of-the-file", baseUrl: `${vendor.url}/v1` } } },
  );
  const seen: string[] = [];
  const listening =
    (caller: Caller): Caller =>
    async (method, path, body, headers) => {
      const answer = await caller(method, path, body, headers);
      seen.push(`${method} ${path}: ${JSON.stringify([...answer.headers])} ${JSON.stringify(answer.body)}`);
      return answer;
    };
  const admin = listening(opened.admin);
  const member = listening(opened.as({ workspace: opened.workspace.id }));
  opened.secrets({ vault: secrets.vault });

  const integration = (slug: string, body: object, caller = member) =>
    caller("POST", "/integrations", { name: slug, slug, ...body }).then(({ status }) => expect(status, slug).toBe(200));
  const configurations = {
    custom_host: `${vendor.url}/v1`,
    custom_headers: { "x-api-key": secrets.header, authorization: secrets.plainHeader, "x-team": "claims" },
    some_token: secrets.token,
    nested: [{ client_secret: secrets.nested }],
  };
  await integration("plain", { ai_provider_id: "openai", key: secrets.key, configurations });
  await integration("entra", {
    ai_provider_id: "azure-openai",
    configurations: {
      custom_host: `${vendor.url}/openai`,
      azure_auth_mode: "entra",
      azure_entra_tenant_id: "t",
      azure_entra_client_id: "c",
      azure_entra_client_secret: secrets.entra,
      azure_deployment_config: [{ azure_deployment_name: "d", azure_api_version: "v1", azure_model_slug: "m" }],
    },
  });
  await integration("aws", {
    ai_provider_id: "bedrock",
    configurations: {
      custom_host: vendor.url,
      aws_auth_type: "accessKey",
      aws_region: "eu-west-1",
      aws_access_key_id: secrets.awsId,
      aws_secret_access_key: secrets.aws,
    },
  });
  await integration("vertex", {
    ai_provider_id: "vertex-ai",
    configurations: {
      vertex_auth_type: "serviceAccount",
      vertex_region: "us-central1",
      vertex_service_account_json: { client_email: "a@b.example", private_key: secrets.privateKey, project_id: "p" },
    },
  });
  await integration("oracle", {
    ai_provider_id: "openai",
    key: "k",
    configurations: { oracle_key_passphrase: secrets.passphrase },
  });
  await integration("mapped", {
    ai_provider_id: "openai",
    configurations: { custom_host: `${vendor.url}/v1` },
    secret_mappings: [{ target_field: "key", secret_reference_id: "vault" }],
  });
  const model = {
    slug: "m",
    enabled: true,
    configurations: { custom_headers: { "x-model-key": secrets.modelHeader } },
  };
  await member("PUT", "/integrations/plain/models", { models: [model] });
  const virtual = await member("POST", "/virtual-keys", {
    name: "virtual",
    provider: "openai",
    key: secrets.virtual,
    customHost: `${vendor.url}/v1`,
    customHeaders: { cookie: secrets.header },
  });

  const slugs = ["plain", "entra", "aws", "vertex", "oracle", "mapped", virtual.body.data.slug];
  const ws = `workspace_id=${opened.workspace.slug}`;
  for (const slug of slugs) {
    for (const path of [`/integrations/${slug}`, `/integrations/${slug}/models`, `/integrations/${slug}/workspaces`])
      await admin("GET", path);
    await admin("GET", `/providers/${slug}?include_configurations=true&${ws}`);
    await member("GET", `/providers/${slug}`);
    await member("GET", `/virtual-keys/${slug}`);
    for (const body of [{}, { stream: true }])
      await member(
        "POST",
        "/chat/completions",
        { model: "m", messages: [{ role: "user", content: "Hi" }], ...body },
        { "x-gateway-provider": `@${slug}`, "x-gateway-debug": "true" },
      );
    await member("GET", "/proxy/models", undefined, { "x-gateway-provider": `@${slug}` });
    await member("PUT", `/integrations/${slug}`, {
      configurations: { custom_host: "http://10.0.0.1", x_secret: secrets.token },
    });
    await member("PUT", `/integrations/${slug}`, {
      key: secrets.replaced,
      configurations: { custom_headers: { "bad header": secrets.header } },
    });
  }
  expect((await member("PUT", "/integrations/plain", { key: secrets.replaced })).status).toBe(200);
  for (const path of ["/integrations", `/providers?${ws}`, `/virtual-keys?${ws}`]) await admin("GET", path);
  await member("GET", "/models");
  await admin("GET", "/providers/ofFile?include_configurations=true");
  await member("POST", "/chat/completions", { model: "m", messages: [] }, { "x-gateway-provider": "@ofFile" });
  await admin("GET", "/openapi.json");

  const received = vendor.received.map(({ headers }) => JSON.stringify(headers)).join();
  for (const sent of [secrets.plainHeader, secrets.modelHeader, secrets.vault, secrets.virtual])
    expect(received).toContain(sent);
  expect(seen.length).toBeGreaterThan(80);
  const told = [...seen, ...opened.gateway.log.lines.map((line) => JSON.stringify(line, stacks))];
  for (const one of told) expect(one).not.toMatch(/SECRET/);

  const folder = join(opened.folder, ".sluice");
  await opened.gateway.shutdown(0, 0);
  expect(existsSync(folder)).toBe(true);
  for (const file of readdirSync(folder))
    expect(readFileSync(join(folder, file), "latin1"), file).not.toMatch(/SECRET/);
  await opened.close();
});

/** What an error would be logged as. */
const stacks = (_: string, value: unknown): unknown =>
  value instanceof Error ? { message: value.message, stack: value.stack, cause: value.cause } : value;
