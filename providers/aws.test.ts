import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { boundProvider } from "../core/conformance/testing.ts";
import { optionsByField } from "../core/provider-kit/brought.ts";
import type { ProviderDefinition } from "../core/provider-kit/provider-definition.ts";
import { startTestGateway } from "../test/support/gateway.ts";
import { json, startUpstream } from "../test/support/upstream.ts";
import bedrock from "./bedrock/index.ts";
import mantle from "./bedrock-mantle/index.ts";
import claude from "./claude-platform-aws.ts";
import sagemaker from "./sagemaker.ts";

const keys = { accessKeyId: "AKIDFILE", secretAccessKey: "secret-of-the-file" };

/** The rows of providers.md section 3: host, service of the signature, and how an API key is shown. */
describe.each<[ProviderDefinition, string, string, string]>([
  [bedrock, "https://bedrock-runtime.eu-west-1.amazonaws.com", "bedrock", "authorization"],
  [mantle, "https://bedrock-mantle.eu-west-1.api.aws/v1", "bedrock-mantle", "authorization"],
  [sagemaker, "https://runtime.sagemaker.eu-west-1.amazonaws.com", "sagemaker", "authorization"],
  [claude, "https://aws-external-anthropic.eu-west-1.api.aws/v1", "aws-external-anthropic", "x-api-key"],
])("$name", (definition, baseUrl, service, header) => {
  it("is at the host of its region, which cannot be another one", async () => {
    expect((await boundProvider(definition, { region: "eu-west-1", apiKey: "k" })).baseUrl).toBe(baseUrl);
    for (const region of ["x.evil.example/", "us-east-1@evil", "US", ""])
      await expect(boundProvider(definition, { apiKey: "k", region })).rejects.toThrow("region");
  });

  it("is called with signatures for its service", async () => {
    const { sign, headers, usable } = await boundProvider(definition, { region: "eu-west-1", ...keys });
    const call = { method: "POST", url: `${baseUrl}/a`, headers: {}, body: Buffer.from("{}") };
    expect((await sign?.(call))?.authorization).toMatch(
      new RegExp(`^AWS4-HMAC-SHA256 Credential=AKIDFILE/\\d{8}/eu-west-1/${service}/aws4_request, `),
    );
    expect(headers).not.toHaveProperty("authorization");
    expect(usable).toBe(true);
  });

  it("is shown an API key instead, where there is one", async () => {
    const { sign, headers } = await boundProvider(definition, { ...keys, apiKey: "k" });
    expect(headers).toMatchObject({ [header]: header === "authorization" ? "Bearer k" : "k" });
    expect(await sign?.({ method: "GET", url: baseUrl, headers: {}, body: undefined })).toEqual({});
    expect((await boundProvider(definition, {})).usable).toBe(false);
  });
});

const aws = "aws_access_key_id aws_secret_access_key aws_session_token aws_region aws_role_arn aws_external_id";
const invocation =
  "custom_attributes target_model target_variant target_container_hostname inference_id enable_explanations " +
  "inference_component session_id model_name";
const storage =
  "amz_server_side_encryption amz_server_side_encryption_aws_kms_key_id aws_bedrock_model aws_s3_bucket " +
  "aws_s3_object_key aws_server_side_encryption aws_server_side_encryption_kms_key_id model_type provider_file_name provider_model";

/** The fields of routing-config.md section 2.2, whose headers are those of inference-api.md section 3.6. */
it.each<[ProviderDefinition, string]>([
  [bedrock, `${aws} ${storage} anthropic_version anthropic_beta`],
  [mantle, `${aws} anthropic_version anthropic_beta`],
  [sagemaker, `${aws} ${invocation.replaceAll(/\b(?=[a-z])/g, "amzn_sagemaker_")}`],
  [claude, `${aws} anthropic_aws_workspace_id anthropic_version anthropic_beta`],
])("takes the fields of $name from routing configs", (definition, fields) => {
  expect([...optionsByField(definition).keys()].sort()).toEqual(fields.split(" ").sort());
});

const team = "key-of-the-team-0123456789";

/** A gateway before a machine that stands in for all of AWS. */
async function setUp(answer: unknown = {}, { auth = "auth-open: {}", status = 200 } = {}) {
  const upstream = await startUpstream((request, response) =>
    json(response, status, typeof answer === "function" ? answer(request) : answer),
  );
  const provider = (slug: string, base: string, more = "") =>
    `  ${slug}: { baseUrl: "${upstream.url}${base}", ${more}accessKeyId: AKIDFILE, secretAccessKey: secret-of-the-file }\n`;
  const gateway = await startTestGateway(`
plugins:
  ${auth}
  routing: {}
  format-openai-chat: {}
  format-openai-responses: {}
  format-anthropic-messages: {}
  proxy: {}
providers:
${provider("sagemaker", "", "targetVariant: blue, ")}${provider("bedrock-mantle", "/v1")}${provider("claude-platform-aws", "/v1", "workspaceId: wrkspc_1, ")}`);
  const ask = (slug: string, path: string, body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(gateway.url + path, {
      method: "POST",
      headers: { "x-gateway-provider": `@${slug}`, "content-type": "application/json", ...headers },
      body,
    });
  return { upstream, ask, sent: () => upstream.received.at(-1) };
}

describe("an invocation of SageMaker", () => {
  const path = "/v1/endpoints/my-endpoint/invocations";

  it("passes untouched, with what the headers of the gateway say for it", async () => {
    const { ask, sent } = await setUp({ mine: [1] });
    const body = '{ "instances" : [ 1 ] }';
    const reply = await ask("sagemaker", `${path}?a=b`, body, {
      "x-gateway-amzn-sagemaker-target-model": "model-2.tar.gz",
      "x-gateway-amzn-sagemaker-custom-attributes": "trace=1",
      "x-amzn-sagemaker-session-id": "of-the-client",
    });
    expect(await reply.json()).toEqual({ mine: [1] });
    expect(sent()?.url).toBe("/endpoints/my-endpoint/invocations?a=b");
    expect(`${sent()?.body}`).toBe(body);
    const said = Object.entries(sent()?.headers ?? {}).filter(([name]) => name.startsWith("x-amzn-sagemaker-"));
    expect(Object.fromEntries(said)).toEqual({
      "x-amzn-sagemaker-target-variant": "blue",
      "x-amzn-sagemaker-target-model": "model-2.tar.gz",
      "x-amzn-sagemaker-custom-attributes": "trace=1",
      "x-amzn-sagemaker-session-id": "of-the-client",
    });
    expect(Object.keys(sent()?.headers ?? {}).filter((name) => name.startsWith("x-gateway-"))).toEqual([]);
    expect(sent()?.headers.authorization).toContain("/us-east-1/sagemaker/aws4_request");
  });

  it("is signed anew where the client signed it itself", async () => {
    const { ask, sent } = await setUp({}, { auth: `auth-keys: { keys: [{ name: team, key: ${team} }] }` });
    const own = {
      "x-gateway-api-key": team,
      authorization: "AWS4-HMAC-SHA256 Credential=AKIDCLIENT/20260101/us-east-1/sagemaker/aws4_request",
      "x-amz-date": "20200101T000000Z",
      "x-amz-content-sha256": "of-the-client",
      "x-amz-security-token": "token-of-the-client",
      "x-api-key": "key-of-the-client",
    };
    expect((await ask("sagemaker", path, "{}", own)).status).toBe(200);
    expect(sent()?.headers.authorization).toMatch(/Credential=AKIDFILE.*SignedHeaders=content-type;host;x-amz-date,/);
    expect(sent()?.headers["x-amz-date"]).not.toBe(own["x-amz-date"]);
    for (const name of ["x-amz-content-sha256", "x-amz-security-token", "x-api-key"])
      expect(sent()?.headers).not.toHaveProperty(name);
  });

  it("is signed with a body that is not JSON, too", async () => {
    const { ask, sent } = await setUp();
    const sound = Buffer.from("RIFF-sound");
    expect((await ask("sagemaker", path, sound, { "content-type": "audio/wav" })).status).toBe(200);
    expect(sent()?.body.equals(sound)).toBe(true);
    expect(sent()?.headers["content-type"]).toBe("audio/wav");
    expect(sent()?.headers.authorization).toContain("AKIDFILE");
  });
});

describe("a chat at SageMaker", () => {
  const chat = (model: string) => JSON.stringify({ model, messages: [{ role: "user", content: "Hi" }] });
  const answer = {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "",
    choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
  };

  it.each<[string, string, Record<string, string>]>([
    ["my-endpoint", "/endpoints/my-endpoint/openai/v1/chat/completions", {}],
    ["my-endpoint/part", "/endpoints/my-endpoint/inference-components/part/openai/v1/chat/completions", {}],
    [
      "my-endpoint",
      "/endpoints/my-endpoint/inference-components/usual/openai/v1/chat/completions",
      { "x-gateway-amzn-sagemaker-inference-component": "usual" },
    ],
  ])("of the model %s is asked at %s, with a token made of the keys", async (model, url, headers) => {
    const { ask, sent } = await setUp(answer);
    const reply = await ask("sagemaker", "/v1/chat/completions", chat(model), headers);
    expect(await reply.json()).toMatchObject({ choices: [{ message: { content: "Hi." } }] });
    expect(sent()?.url).toBe(url);
    expect(sent()?.headers.authorization).toMatch(/^Bearer sagemaker-api-key-[\w+/=]+$/);
    expect(sent()?.headers).toMatchObject({ "x-amzn-sagemaker-target-variant": "blue" });
    for (const name of ["x-amz-date", "x-amzn-sagemaker-inference-component"])
      expect(sent()?.headers).not.toHaveProperty(name);
    expect(JSON.parse(`${sent()?.body}`)).toEqual({ ...JSON.parse(chat("")) });
  });

  it("does not show the token that is quoted in a refusal, which is good for more than one call", async () => {
    const { ask, sent } = await setUp(
      (request: IncomingMessage) => ({ message: `Not allowed: ${request.headers.authorization}` }),
      { status: 403 },
    );
    const reply = await ask("sagemaker", "/v1/chat/completions", chat("my-endpoint"));
    expect(sent()?.headers.authorization).toMatch(/^Bearer sagemaker-api-key-/);
    expect([reply.status, await reply.text()]).toEqual([403, expect.stringContaining("Not allowed: Bearer ***")]);
  });

  it("is refused for what is no endpoint's name", async () => {
    const { ask, upstream } = await setUp(answer);
    const reply = await ask("sagemaker", "/v1/chat/completions", chat("../a"));
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining("ENDPOINT/COMPONENT")]);
    expect(upstream.received).toEqual([]);
  });
});

it.each([
  ["/v1/proxy/models", "/v1/models"],
  ["/v1/proxy/anthropic/v1/messages/count_tokens", "/anthropic/v1/messages/count_tokens"],
  ["/v1/proxy/openai/v1/responses", "/openai/v1/responses"],
])("raw calls of Mantle at %s go to %s", async (path, url) => {
  const { ask, sent } = await setUp();
  await ask("bedrock-mantle", path, "{}");
  expect(sent()?.url).toBe(url);
  expect(sent()?.headers.authorization).toContain("/us-east-1/bedrock-mantle/aws4_request");
});

const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-4-6",
  content: [{ type: "text", text: "Hi." }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
};
const asked = (model: string) => JSON.stringify({ model, max_tokens: 9, messages: [{ role: "user", content: "Hi" }] });

it("Claude on Mantle is asked beside OpenAI's APIs, by clients of those, too", async () => {
  const { ask, sent } = await setUp(message);
  const reply = await ask("bedrock-mantle", "/v1/chat/completions", asked("anthropic.claude-opus-4-8"));
  expect(await reply.json()).toMatchObject({ choices: [{ message: { content: "Hi." } }] });
  expect(sent()?.url).toBe("/anthropic/v1/messages");
  expect(sent()?.headers).toMatchObject({ "anthropic-version": "2023-06-01" });
});

it.each<[Record<string, string>, string]>([
  [{}, "/v1/chat/completions"],
  [{ "anthropic-beta": "mine, use-responses-api-2026-07-30" }, "/v1/responses"],
  [{ "x-gateway-anthropic-beta": "use-responses-api-2026-07-30" }, "/v1/responses"],
  [{ "x-gateway-beta": "use-responses-api-2026-07-30" }, "/v1/responses"],
])("OpenAI's models on Mantle are asked by clients of Anthropic's API with %j at %s", async (headers, url) => {
  const { ask, sent } = await setUp();
  await ask("bedrock-mantle", "/v1/messages", asked("openai.gpt-oss-120b"), headers);
  expect(sent()?.url).toBe(url);
  expect(`${sent()?.headers["anthropic-beta"]}`).not.toContain("use-responses");
  await ask("bedrock-mantle", "/v1/messages", asked("anthropic.claude-opus-4-8"), headers);
  expect(sent()?.url).toBe("/anthropic/v1/messages");
});

it("Claude Platform is told the workspace of the file, and no other one with the file's keys", async () => {
  const { ask, sent, upstream } = await setUp(message);
  const chat = (headers: Record<string, string>) =>
    ask("claude-platform-aws", "/v1/chat/completions", asked("claude-sonnet-4-6"), headers);
  expect((await chat({})).status).toBe(200);
  expect(sent()?.headers).toMatchObject({ "anthropic-workspace-id": "wrkspc_1", "anthropic-version": "2023-06-01" });
  expect(sent()?.headers.authorization).toContain("/us-east-1/aws-external-anthropic/aws4_request");
  expect((await chat({ "x-gateway-anthropic-aws-workspace-id": "wrkspc_2" })).status).toBe(401);
  expect(upstream.received).toHaveLength(1);
  const own = { "x-gateway-anthropic-aws-workspace-id": "wrkspc_2", authorization: "Bearer key-of-the-caller" };
  expect((await chat(own)).status).toBe(200);
  expect(sent()?.headers).toMatchObject({ "anthropic-workspace-id": "wrkspc_2", "x-api-key": "key-of-the-caller" });
});
