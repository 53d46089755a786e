import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "./support/root.ts";
import { startSluice } from "./support/sluice.ts";
import { json, startUpstream } from "./support/upstream.ts";

/** What an operator gets from an example, as it is in its file. */
interface Example {
  readonly shows: string;
  readonly variables?: Record<string, string>;
  /** The variable that says where the vendor is: a vendor of this test stands in for it. */
  readonly vendor?: string;
  readonly calls: readonly Call[];
}

interface Call {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body: Record<string, unknown>;
  readonly status: number;
  /** What the answer contains. */
  readonly says: string;
  /** Response headers, in part. */
  readonly answered?: Record<string, string>;
}

const messages = [{ role: "user", content: "Hello there, how are you?" }];
const long = "Simulated answer from";
const key = "a-key-of-a-test-0123456789";

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const token = `${part({ alg: "RS256", typ: "JWT", kid: "k" })}.${part({ sub: "somebody" })}.c2lnbmF0dXJl`;

const places: string[] = [];
afterAll(() => {
  for (const place of places) rmSync(place, { recursive: true, force: true });
});

/** Where an example keeps records, instead of beside it. */
function recordsFolder(): string {
  places.push(mkdtempSync(join(tmpdir(), "sluice-example-")));
  return places.at(-1) ?? "";
}

const examples: Readonly<Record<string, Example>> = {
  "openai-and-anthropic.yaml": {
    shows: "sends each model to its vendor, and says which key is missing",
    calls: [
      { body: { model: "gpt-4o", messages }, status: 401, says: "providers.openai.apiKey" },
      {
        path: "/v1/messages",
        body: { model: "claude-sonnet-4-5", max_tokens: 100, messages },
        status: 401,
        says: "providers.anthropic.apiKey",
      },
    ],
  },
  "behind-a-proxy.yaml": {
    shows: "goes through the proxy, or not at all",
    variables: {
      EGRESS_PROXY: "http://user:hidden@127.0.0.1:1",
      OPENAI_API_KEY: key,
      OPENAI_BASE_URL: "https://192.0.2.1/v1",
    },
    calls: [
      {
        body: { model: "gpt-4o", messages },
        status: 503,
        says: "The proxy 127.0.0.1:1 cannot be reached (ECONNREFUSED).",
      },
    ],
  },
  "fallback-and-canary.yaml": {
    shows: "goes to the backup when the primary is down, and by the plan of the user",
    calls: [
      {
        headers: { "x-gateway-config": "rescue" },
        body: { model: "any", messages },
        status: 200,
        says: "Simulated answer from backup",
        answered: { "x-gateway-last-used-option-index": "config.targets[1]" },
      },
      {
        headers: { "x-gateway-config": "canary" },
        body: { model: "any", messages, user: "u-1" },
        status: 200,
        says: long,
      },
      {
        headers: { "x-gateway-config": "by-plan", "x-gateway-metadata": '{"plan":"pro"}' },
        body: { model: "any", messages },
        status: 200,
        says: "Simulated answer from large",
      },
      {
        path: "/v1/messages",
        headers: { "x-gateway-config": "by-plan" },
        body: { model: "any", max_tokens: 100, messages },
        status: 200,
        says: "Simulated answer from small",
      },
    ],
  },
  "clouds.yaml": {
    shows: "asks each cloud for its models, and says what it lacks",
    variables: { VERTEX_SERVICE_ACCOUNT_JSON: "{}", FOUNDRY_API_KEY: key },
    calls: [
      { body: { model: "gemini-2.5-pro", messages }, status: 400, says: "vertex-service-account-json" },
      { body: { model: "gpt-4o", messages }, status: 401, says: "providers.azure.apiKey" },
    ],
  },
  "aws.yaml": {
    shows: "sends each model to its service, and says which credential is missing",
    calls: [
      { body: { model: "claude-sonnet-4-6", messages }, status: 401, says: 'provider \\"claude\\"' },
      { body: { model: "openai.gpt-oss-120b", messages }, status: 401, says: 'provider \\"mantle\\"' },
      { body: { model: "amazon.nova-pro-v1:0", messages }, status: 401, says: 'provider \\"bedrock\\"' },
    ],
  },
  "batches.yaml": {
    shows: "begins batches in each vendor's way, and keeps to its buckets",
    variables: { ANTHROPIC_API_KEY: key, VERTEX_ACCESS_TOKEN: key, AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: key },
    calls: [
      { path: "/v1/batches", body: { input_file_id: "file-1" }, status: 400, says: "anthropic takes no file of them" },
      {
        path: "/v1/batches",
        headers: { "x-gateway-provider": "@google-cloud" },
        body: { input_file_id: "gs%3A%2F%2Fothers%2Fx", model: "gemini-2.5-flash", endpoint: "/v1/chat/completions" },
        status: 400,
        says: "not among those of the config file",
      },
      {
        path: "/v1/batches",
        headers: { "x-gateway-provider": "@aws" },
        body: { input_file_id: "s3%3A%2F%2Fmy-batches%2Fx", model: "m", endpoint: "/v1/chat/completions" },
        status: 400,
        says: "role_arn is required",
      },
    ],
  },
  "redis.yaml": {
    shows: "answers without its Redis",
    variables: { REDIS_URL: "redis://127.0.0.1:9/0" },
    calls: [
      {
        headers: { "x-gateway-config": "faq" },
        body: { model: "demo", messages },
        status: 200,
        says: long,
        answered: { "x-gateway-cache-status": "DISABLED" },
      },
      {
        path: "/v1/messages",
        headers: { "x-gateway-config": "exact" },
        body: { model: "demo", max_tokens: 100, messages },
        status: 200,
        says: long,
      },
    ],
  },
  "mongodb.yaml": {
    shows: "starts without its MongoDB when told not to wait for it",
    variables: { MONGODB_URL: "mongodb://127.0.0.1:9/", MONGODB_WAIT: "0" },
    calls: [{ body: { model: "demo", messages }, status: 200, says: long }],
  },
  "team-keys.yaml": {
    shows: "lets in who has a key",
    variables: { TEAM_A_KEY: key, TEAM_B_KEY: `${key}-b` },
    calls: [
      { body: { model: "demo", messages }, status: 401, says: "No valid credential" },
      {
        headers: { authorization: "Bearer someone-else-0123456789" },
        body: { model: "demo", messages },
        status: 401,
        says: "not known",
      },
      { headers: { authorization: `Bearer ${key}` }, body: { model: "demo", messages }, status: 200, says: long },
      { headers: { "x-api-key": `${key}-b` }, body: { model: "demo", messages }, status: 200, says: long },
    ],
  },
  "api-keys.yaml": {
    shows: "serves who has a key, and makes keys for who has the first one",
    variables: { BOOTSTRAP_ADMIN_KEY: key, RECORDS_FOLDER: recordsFolder() },
    calls: [
      { body: { model: "demo", messages }, status: 401, says: "No valid credential" },
      { headers: { "x-gateway-api-key": "somebody-elses-key" }, body: {}, status: 401, says: "not known" },
      { headers: { authorization: `Bearer ${key}` }, body: { model: "demo", messages }, status: 403, says: "AB03" },
      {
        path: "/v1/api-keys/organisation/service",
        headers: { authorization: `Bearer ${key}` },
        body: { name: "ci", scopes: ["workspaces.list"] },
        status: 200,
        says: '"key":"sl_',
      },
    ],
  },
  "jwt.yaml": {
    shows: "wants a token, and says when its issuer cannot be asked",
    variables: { BOOTSTRAP_ADMIN_KEY: key, RECORDS_FOLDER: recordsFolder() },
    vendor: "JWKS_URL",
    calls: [
      { body: { model: "demo", messages }, status: 401, says: "No valid credential" },
      {
        headers: { authorization: `Bearer ${token}` },
        body: { model: "demo", messages },
        status: 503,
        says: "the key set of its issuer cannot be fetched",
      },
      { headers: { authorization: `Bearer ${key}` }, body: { model: "demo", messages }, status: 403, says: "AB03" },
    ],
  },
  "self-hosted-model.yaml": {
    shows: "calls a server of one's own, and one the caller names",
    vendor: "LOCAL_MODEL_URL",
    calls: [
      { body: { model: "llama", messages }, status: 200, says: "/chat/completions with Bearer none" },
      { body: { model: "local/llama", messages }, status: 200, says: '"llama"' },
      {
        headers: {
          "x-gateway-provider": "openai",
          "x-gateway-custom-host": "VENDOR/theirs",
          authorization: "Bearer mine",
        },
        body: { model: "llama", messages },
        status: 200,
        says: "/theirs/chat/completions with Bearer mine",
      },
      {
        headers: { "x-gateway-provider": "openai", "x-gateway-custom-host": "http://10.1.2.3/v1", authorization: "x" },
        body: { model: "llama", messages },
        status: 400,
        says: "Invalid custom host",
      },
    ],
  },
  "other-header-prefix.yaml": {
    shows: "understands and answers both prefixes",
    calls: [
      {
        headers: { "x-acme-provider": "simulator" },
        body: { model: "demo", messages },
        status: 200,
        says: long,
        answered: { "x-acme-provider": "simulator" },
      },
      {
        headers: { "x-gateway-provider": "simulator" },
        body: { model: "demo", messages },
        status: 200,
        says: long,
        answered: { "x-acme-provider": "simulator", "x-gateway-provider": "simulator" },
      },
    ],
  },
  "strict-clocks.yaml": {
    shows: "gives up on a vendor that does not answer in time",
    calls: [
      { body: { model: "demo", messages }, status: 200, says: long },
      {
        body: { model: "fault-slow-first-token-60000", stream: true, messages },
        status: 408,
        says: "did not send a first token within 300 ms",
      },
      {
        headers: { "x-gateway-request-timeout": "50" },
        body: { model: "fault-silence", messages },
        status: 408,
        says: "did not answer within 50 ms",
      },
    ],
  },
  "all-cores.yaml": {
    shows: "serves with a process per core",
    calls: [{ body: { model: "demo", messages }, status: 200, says: long }],
  },
  "behind-a-load-balancer.yaml": {
    shows: "serves with keys on all addresses",
    variables: { SERVICE_KEY: key, DRAIN_MS: "0" },
    calls: [
      { body: { model: "demo", messages }, status: 401, says: "No valid credential" },
      { headers: { "x-gateway-api-key": key }, body: { model: "demo", messages }, status: 200, says: long },
    ],
  },
  "json-config.json": {
    shows: "is read as well as YAML",
    calls: [{ body: { model: "demo", messages }, status: 200, says: long }],
  },
  "saved-prompts.yaml": {
    shows: "makes requests of prompts that are kept in the file",
    calls: [
      {
        path: "/v1/prompts/greeting/completions",
        body: { variables: { guest: "Ana", vip: true } },
        status: 200,
        says: "Simulated answer from demo: Greet Ana. Offer the lounge.",
        answered: { "x-gateway-prompt-version": "1", "x-gateway-prompt-missing-variables": "hotel,tone" },
      },
      {
        path: "/v1/prompts/any/completions",
        body: { variables: {} },
        status: 404,
        says: '"reason":"prompt_not_found"',
      },
      {
        path: "/v1/prompts/any/completions",
        headers: { "x-gateway-config": "compare" },
        body: { variables: { guest: "Ana", hotel: "h", tone: "calm" } },
        status: 200,
        says: "Simulated answer from demo: Greet Ana",
      },
    ],
  },
  "simulator-as-claude.yaml": {
    shows: "answers both kinds of clients as Claude would",
    calls: [
      { body: { model: "claude-demo", messages }, status: 200, says: long },
      {
        path: "/v1/messages",
        body: { model: "claude-demo", max_tokens: 100, messages },
        status: 200,
        says: '"type":"message"',
      },
      {
        path: "/v1/messages",
        body: { model: "fault-status-529", max_tokens: 100, messages },
        status: 529,
        says: '"type":"error"',
      },
    ],
  },
  "own-provider.yaml": {
    shows: "calls a vendor that is described beside it",
    variables: { ACME_API_KEY: "acme-key" },
    vendor: "ACME_URL",
    calls: [
      {
        body: { model: "small", messages, logit_bias: { "1": 2 }, temperature: 1.7 },
        status: 200,
        says: '\\"temperature\\":1}',
        answered: { "x-gateway-dropped-params": "logit_bias" },
      },
      { body: { model: "acme/small", messages }, status: 200, says: "/chat/completions with Bearer acme-key" },
    ],
  },
  "own-plugin.yaml": {
    shows: "applies a rule that is written beside it",
    calls: [
      { body: { model: "demo", messages }, status: 200, says: '"finish_reason":"length"' },
      { body: { model: "demo", messages, max_tokens: 2 }, status: 200, says: '"content":"Simulated answer' },
    ],
  },
};

const folder = join(root, "config/examples");

it("has a row here for every example", () => {
  const files = readdirSync(folder).filter((name) => /\.(ya?ml|json)$/.test(name));
  expect(Object.keys(examples).sort()).toEqual(files.sort());
});

describe.each(Object.entries(examples))("config/examples/%s", (name, { shows, variables, vendor, calls }) => {
  it(shows, async () => {
    const upstream = vendor === undefined ? undefined : await startVendor();
    const gateway = await startSluice(join(folder, name), {
      ...variables,
      ...(vendor !== undefined && upstream && { [vendor]: upstream }),
    });
    for (const { path = "/v1/chat/completions", headers = {}, body, status, says, answered = {} } of calls) {
      const answer = await fetch(gateway.url + path, {
        method: "POST",
        headers: { "content-type": "application/json", ...placed(headers, upstream) },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      expect({ status: answer.status, text }).toEqual({ status, text: expect.stringContaining(says) });
      expect(Object.fromEntries(answer.headers)).toMatchObject(answered);
    }
    expect(await gateway.stop()).toBe(0);
    for (const secret of Object.values(variables ?? {}))
      if (secret.length > 3) expect(gateway.output()).not.toContain(secret);
  });
});

const placed = (headers: Record<string, string>, vendor = ""): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace("VENDOR", vendor)]));

/** A vendor that answers with what it was sent. */
async function startVendor(): Promise<string> {
  const upstream = await startUpstream(({ url, headers, body }, response) => {
    const content = `${url} with ${headers.authorization}: ${body}`;
    const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
    json(response, 200, { id: "1", object: "chat.completion", created: 1, model: "llama", choices });
  });
  return upstream.url;
}
