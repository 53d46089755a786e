import { afterAll, beforeAll, expect, it } from "vitest";
import { type Caller, openManagement, type TestManagement, wholeControlPlane } from "../support/management.ts";

let management: TestManagement;
let admin: Caller;
let member: Caller;

beforeAll(async () => {
  management = await openManagement(wholeControlPlane, { providers: { simulator: {} } });
  admin = management.admin;
  member = management.as({ workspace: management.workspace.id });
});
afterAll(() => management.close());

const budget = { type: "cost", credit_limit: 50, alert_threshold: 40, periodic_reset: "weekly" };
const rates = [
  { type: "requests", unit: "rpm", value: 60 },
  { type: "tokens", unit: "rph", value: 200 },
];
const url = "https://hooks.example/x?token";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Body = any;

/** Makes something, and answers what its path needs. */
const made = async (path: string, body: object, caller = member): Promise<Body> => {
  const answer = await caller("POST", path, body);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  return answer.body.data ?? answer.body;
};

const integration = (more: object = {}, caller = member) =>
  made("/integrations", { name: "i", ai_provider_id: "openai", key: "sk-1234567890", ...more }, caller);

const collection = () => made("/collections", { name: "c" });

/** Everything that can be read and changed under one path, made with all it may have. */
const things: Record<string, () => Promise<string>> = {
  async workspace() {
    const { slug } = await made("/admin/workspaces", { name: "w", usage_limits: [budget], rate_limits: rates }, admin);
    return `/admin/workspaces/${slug}`;
  },
  async guardrail() {
    const check = (token: string) => ({ id: "default.webhook", parameters: { webhookURL: `${url}=${token}` } });
    const { slug } = await made("/guardrails", { name: "g", checks: ["a", "b"].map(check), actions: { deny: true } });
    return `/guardrails/${slug}`;
  },
  async integration() {
    const configurations = { custom_host: "https://llm.example/v1?key=abc", custom_headers: { "x-api-key": "abc" } };
    return `/integrations/${(await integration({ configurations, tags: { a: "b" } })).slug}`;
  },
  async "models of an integration"() {
    const path = `/integrations/${(await integration()).slug}/models`;
    const configurations = { custom_host: "https://llm.example/v1?key=abc" };
    const model = { slug: "m", enabled: true, is_custom: true, base_model_slug: "gpt-4o", configurations };
    await member("PUT", path, { models: [model] });
    return path;
  },
  async "workspaces of an integration"() {
    const path = `/integrations/${(await integration({}, admin)).slug}/workspaces`;
    const row = {
      id: management.workspace.slug,
      enabled: true,
      usage_limits: [budget],
      rate_limits: rates.slice(0, 1),
    };
    await admin("PUT", path, { workspaces: [row] });
    return path;
  },
  async provider() {
    const { slug: integration_id } = await integration();
    const limits = { usage_limits: budget, rate_limits: rates, expires_at: "2099-01-01T00:00:00Z" };
    const { slug } = await made("/providers", { name: "p", integration_id, ...limits });
    return `/providers/${slug}?workspace_id=${management.workspace.slug}`;
  },
  async "virtual key"() {
    const { slug } = await made("/virtual-keys", { name: "v", provider: "openai", key: "k", usage_limits: budget });
    return `/virtual-keys/${slug}?workspace_id=${management.workspace.slug}`;
  },
  async "API key"() {
    const rotation_policy = { rotation_period: "monthly", next_rotation_at: "2099-01-01T00:00:00Z" };
    const defaults = { metadata: { a: "b" }, allow_config_override: false };
    const limits = { usage_limits: budget, rate_limits: rates, expires_at: "2099-01-01T00:00:00Z" };
    const key = { name: "k", scopes: ["completions.write"], rotation_policy, defaults, alert_emails: ["a@b.example"] };
    return `/api-keys/${(await made("/api-keys/workspace/service", { ...key, ...limits })).id}`;
  },
  async collection() {
    return `/collections/${(await collection()).slug}`;
  },
  async label() {
    return `/labels/${(await made("/labels", { name: "l", color_code: "#fff" })).id}`;
  },
  async partial() {
    return `/prompts/partials/${(await made("/prompts/partials", { name: "p", string: "{{x}}" })).slug}`;
  },
  async prompt() {
    const { slug: collection_id } = await collection();
    const template = { string: "Hi", parameters: { top_p: 1 }, model: "m", tool_choice: "auto" };
    const { slug } = await made("/prompts", { name: "p", collection_id, virtual_key: "simulator", ...template });
    return `/prompts/${slug}`;
  },
  async "usage policy"() {
    const rules = { conditions: [{ key: "api_key", value: "*" }], group_by: [{ key: "api_key" }] };
    const { id } = await made("/policies/usage-limits", { ...rules, type: "cost", credit_limit: 1.5 });
    return `/policies/usage-limits/${id}?include_usage=true`;
  },
  async "rate policy"() {
    const rules = {
      conditions: [{ key: "model", value: ["@acme/a*"], excludes: "ab" }],
      group_by: [{ key: "api_key" }],
    };
    const { id } = await made("/policies/rate-limits", { ...rules, type: "tokens", unit: "tpm", value: 5 });
    return `/policies/rate-limits/${id}`;
  },
  async "secret reference for all workspaces"() {
    const auth_config = {
      aws_auth_type: "accessKey",
      aws_access_key_id: "a",
      aws_secret_access_key: "b",
      aws_region: "us-east-1",
    };
    const secret = { name: "s", manager_type: "aws_sm", auth_config, secret_path: "x" };
    return `/secret-references/${(await made("/secret-references", secret, admin)).slug}`;
  },
  async "secret reference for some"() {
    const auth_config = { vault_auth_type: "token", vault_addr: "https://vault.example", vault_token: "t" };
    const secret = { name: "s", manager_type: "hashicorp_vault", auth_config, secret_path: "x" };
    const allowed_workspaces = [management.workspace.slug];
    return `/secret-references/${(await made("/secret-references", { ...secret, allowed_workspaces }, admin)).slug}`;
  },
  async deployment() {
    const config = { a: { api_key: "short" }, b: { api_key: "brief" } };
    const { slug } = await made("/deployments", { name: "d", type: "production", url: `${url}=a`, config }, admin);
    return `/deployments/${slug}`;
  },
  organisation: async () => "/admin/organisation",
  "defaults of the organisation": async () => "/admin/organisation/defaults",
};

/** What changes with every write, whatever it says. */
const without = (body: Body): Body => ({ ...body, last_updated_at: 0, updated_by: 0, version_id: 0 });

it.each(Object.entries(things))("what is read of a %s can be sent back, and changes nothing", async (_, make) => {
  const path = await make();
  const before = await admin("GET", path);
  expect(before.status).toBe(200);
  const sent = await admin("PUT", path, before.body);
  expect(sent, JSON.stringify(sent.body)).toMatchObject({ status: 200 });
  expect(without((await admin("GET", path)).body)).toEqual(without(before.body));
});
