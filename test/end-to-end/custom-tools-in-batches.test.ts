import { expect, it } from "vitest";
import * as bedrock from "../../providers/bedrock/testing.ts";
import * as vertex from "../../providers/vertex-ai/testing.ts";
import { startTestGateway } from "../support/gateway.ts";
import { asking, form, lines } from "../support/procedures.ts";
import { startUpstream } from "../support/upstream.ts";

type Wire = Record<string, unknown>;

const tools = [
  { type: "custom", custom: { name: "shell", description: "Runs a command." } },
  { type: "function", function: { name: "find", parameters: { type: "object", properties: { input: {} } } } },
];

/** A call of each tool, as the vendor's model says it. */
const said = ["shell", "find"].map((name, at) => ({ id: `call_${at}`, name, input: { input: "ls -l" } }));
const message = {
  ...{ id: "msg_1", type: "message", role: "assistant", model: "m", stop_reason: "tool_use" },
  content: said.map((call) => ({ type: "tool_use", ...call })),
  usage: { input_tokens: 1, output_tokens: 1 },
};
const candidate = {
  content: { role: "model", parts: said.map(({ name, input: args }) => ({ functionCall: { name, args } })) },
};
const converse = {
  output: {
    message: {
      role: "assistant",
      content: said.map(({ id: toolUseId, ...call }) => ({ toolUse: { toolUseId, ...call } })),
    },
  },
  stopReason: "tool_use",
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
};

/** Where vendors say how a job ended, and what their storage answers an upload with. */
const bedrockJob = (modelId: string) => ({
  jobArn: "arn:aws:bedrock:eu-west-1:111122223333:model-invocation-job/abc123def456",
  ...{ modelId, status: "Completed", submitTime: "2026-01-01T00:00:00Z" },
  inputDataConfig: { s3InputDataConfig: { s3Uri: "s3://bucket-1/dir/in.jsonl" } },
  outputDataConfig: { s3OutputDataConfig: { s3Uri: "s3://bucket-1/out/" } },
});
const vertexJob = (model: string) => ({
  name: "projects/7/locations/us-central1/batchPredictionJobs/123",
  ...{ model: `publishers/${model}`, state: "JOB_STATE_SUCCEEDED", createTime: "2026-01-01T00:00:00Z" },
  outputInfo: { gcsOutputDirectory: "gs://bucket-1/out" },
});

const vendors: readonly [string, string, Wire, Wire, Wire][] = [
  [
    "bedrock",
    "anthropic.claude-sonnet-4-5-20250929-v1:0",
    bedrock.keeping,
    { modelOutput: message },
    bedrockJob("anthropic.claude-sonnet-4-5-20250929-v1:0"),
  ],
  ["bedrock", "amazon.nova-pro-v1:0", bedrock.keeping, { modelOutput: converse }, bedrockJob("amazon.nova-pro-v1:0")],
  [
    "vertex-ai",
    "gemini-2.5-flash",
    vertex.keeping,
    { response: { candidates: [candidate] } },
    vertexJob("google/models/gemini-2.5-flash"),
  ],
  [
    "vertex-ai",
    "anthropic.claude-sonnet-4",
    vertex.keeping,
    { response: message },
    vertexJob("anthropic/models/claude-sonnet-4"),
  ],
];

it.each(vendors)(
  "a batch at %s, of %s, gives calls of tools for free text as such",
  async (use, model, keeping, answer, job) => {
    let kept = "";
    const upstream = await startUpstream(({ method, url, body }, response) => {
      if (method === "PUT") kept += body.toString();
      const isStored = url.startsWith("/storage/bucket-1/out/");
      const text = isStored ? lines({ ...JSON.parse(kept), ...answer }) : JSON.stringify(job);
      response.setHeader("etag", "tag-1");
      response.end(
        method === "GET"
          ? text
          : "<InitiateMultipartUploadResult><UploadId>up</UploadId></InitiateMultipartUploadResult>",
      );
    });
    const own = JSON.parse(JSON.stringify({ use, ...keeping }).replaceAll("{url}", upstream.url));
    const formats = ["openai-chat", "openai-files", "anthropic-messages", "gemini", "bedrock-converse"];
    const gateway = await startTestGateway(
      JSON.stringify({
        server: { trustedHosts: ["127.0.0.1"] },
        plugins: {
          "auth-open": {},
          routing: { default: "own" },
          ...Object.fromEntries(formats.map((name) => [`format-${name}`, {}])),
        },
        providers: { own },
      }),
    );
    const headers = {
      "x-gateway-provider": "@own",
      "x-gateway-provider-model": model,
      "x-gateway-provider-file-name": "dir/in.jsonl",
      "x-gateway-aws-s3-bucket": "bucket-1",
      "x-gateway-vertex-storage-bucket-name": "bucket-1",
    };
    const chat = { model: "any", messages: [{ role: "user", content: "Hello" }], max_tokens: 9, tools };
    const uploaded = await fetch(`${gateway.url}/v1/files`, {
      method: "POST",
      headers,
      body: form(lines(asking("a", chat)), "batch"),
    });
    expect([uploaded.status, await uploaded.json()]).toMatchObject([200, { object: "file" }]);
    const id = use === "bedrock" ? encodeURIComponent(bedrockJob(model).jobArn) : "123";
    const output = JSON.parse(await (await fetch(`${gateway.url}/v1/batches/${id}/output`, { headers })).text());
    expect(output.response.body.choices[0].message.tool_calls).toMatchObject([
      { type: "custom", custom: { name: "shell", input: "ls -l" } },
      { type: "function", function: { name: "find", arguments: '{"input":"ls -l"}' } },
    ]);
  },
);
