import { expect, it } from "vitest";
import { boundProvider } from "../../core/conformance/testing.ts";
import { lines, type ProcedureCase, tryProcedures } from "../../test/support/procedures.ts";
import bedrock from "./index.ts";
import { bedrockSignature, fileId, inUrl, keeping, s3Signature } from "./testing.ts";

const claude = "anthropic.claude-sonnet-4-5-20250929-v1:0";
const arn = "arn:aws:bedrock:eu-west-1:111122223333:model-invocation-job/abc123def456";
const jobId = encodeURIComponent(arn);
const jobCall = `GET /model-invocation-job/${jobId}`;
const job = (more: object = {}) => ({
  jobArn: arn,
  jobName: "night",
  modelId: claude,
  status: "Completed",
  submitTime: "2026-01-01T00:00:00Z",
  endTime: "2026-01-01T01:00:00Z",
  inputDataConfig: { s3InputDataConfig: { s3Uri: "s3://bucket-1/dir/in.jsonl" } },
  outputDataConfig: { s3OutputDataConfig: { s3Uri: "s3://bucket-1/out/" } },
  ...more,
});
const role = "arn:aws:iam::111122223333:role/batches";
const ask = {
  input_file_id: fileId,
  endpoint: "/v1/chat/completions",
  completion_window: "24h",
  model: claude,
  role_arn: role,
};
const created = {
  modelId: claude,
  inputDataConfig: { s3InputDataConfig: { s3Uri: "s3://bucket-1/dir/in.jsonl" } },
  jobName: expect.stringMatching(/^gateway-batch-job-/),
  outputDataConfig: { s3OutputDataConfig: { s3Uri: "s3://bucket-1/dir/" } },
  roleArn: role,
};

const batches: ProcedureCase[] = [
  {
    name: "begins a job over a file",
    ask: "POST /v1/batches",
    body: ask,
    calls: [
      {
        call: "POST /model-invocation-job",
        headers: { authorization: bedrockSignature },
        sent: created,
        answer: { jobArn: arn },
      },
    ],
    gets: { id: jobId, object: "batch", status: "validating", input_file_id: fileId, completion_window: "24h" },
  },
  {
    name: "begins a job by Converse, with names of its own and a longer window",
    ask: "POST /v1/batches",
    body: {
      ...ask,
      model: "amazon.nova-pro-v1:0",
      completion_window: "48h",
      job_name: "night",
      output_data_config: "s3://bucket-2/out",
      metadata: { a: "b" },
    },
    options: { kmsKeyId: "key-1" },
    calls: [
      {
        call: "POST /model-invocation-job",
        sent: {
          ...created,
          modelId: "amazon.nova-pro-v1:0",
          jobName: "night",
          outputDataConfig: { s3OutputDataConfig: { s3Uri: "s3://bucket-2/out/", s3EncryptionKeyId: "key-1" } },
          modelInvocationType: "Converse",
          timeoutDurationInHours: 48,
        },
        answer: { jobArn: arn },
      },
    ],
    getsHeaders: { "x-gateway-dropped-params": "metadata" },
  },
  ...(
    [
      ["no role", { role_arn: undefined }, "role_arn"],
      ["no model", { model: undefined }, "model"],
      ["a file elsewhere", { input_file_id: encodeURIComponent("gs://b-1/x") }, "input_file_id"],
      ["too short a window", { completion_window: "1h" }, "completion_window"],
      ["no endpoint", { endpoint: undefined }, "endpoint"],
      ["an endpoint it has not", { endpoint: "/v1/responses" }, "endpoint"],
    ] as const
  ).map(([what, more, param]) => ({
    name: `begins no job with ${what}`,
    ask: "POST /v1/batches",
    body: { ...ask, ...more },
    calls: [],
    status: 400,
    gets: { error: { param } },
  })),
  {
    name: "lists jobs behind one",
    ask: `GET /v1/batches?limit=2&after=${inUrl(jobId)}`,
    calls: [
      { call: jobCall, answer: job() },
      {
        call: "GET /model-invocation-jobs?maxResults=2&sortBy=CreationTime&sortOrder=Descending&submitTimeBefore=2026-01-01T00%3A00%3A00Z",
        headers: { authorization: bedrockSignature },
        answer: { invocationJobSummaries: [job()], nextToken: "t" },
      },
    ],
    gets: { data: [{ id: jobId }], has_more: true },
  },
  {
    name: "lists jobs from a token on",
    ask: "GET /v1/batches?after=tok",
    calls: [
      {
        call: "GET /model-invocation-jobs?maxResults=20&sortBy=CreationTime&sortOrder=Descending&nextToken=tok",
        answer: {},
      },
    ],
    gets: { data: [], has_more: false },
  },
  ...(
    [
      ["Submitted", "validating", {}],
      ["Validating", "validating", {}],
      ["Scheduled", "in_progress", {}],
      ["InProgress", "in_progress", {}],
      ["Completed", "completed", { completed_at: 1_767_229_200, endpoint: "/v1/chat/completions" }],
      ["PartiallyCompleted", "completed", {}],
      ["Failed", "failed", { failed_at: 1_767_229_200 }],
      ["Stopping", "cancelling", {}],
      ["Stopped", "cancelled", { cancelled_at: 1_767_229_200 }],
      ["Expired", "expired", { expired_at: 1_767_229_200 }],
    ] as const
  ).map(([status, told, more]) => ({
    name: `says ${told} for ${status}`,
    ask: `GET /v1/batches/${inUrl(jobId)}`,
    calls: [{ call: jobCall, headers: { authorization: bedrockSignature }, answer: job({ status }) }],
    gets: { id: jobId, status: told, input_file_id: fileId, ...more },
  })),
  {
    name: "stops a job",
    ask: `POST /v1/batches/${jobId}/cancel`,
    calls: [
      { call: `POST /model-invocation-job/${jobId}/stop`, sent: "", answer: {} },
      { call: jobCall, answer: job({ status: "InProgress" }) },
    ],
    gets: { status: "cancelling" },
  },
  ...["x", "arn:aws:bedrock:eu-west-1:1:model-invocation-job/a", `${arn}/../x`, "arn:aws:s3:::bucket"].map((bad) => ({
    name: `knows no job ${bad}`,
    ask: `GET /v1/batches/${encodeURIComponent(encodeURIComponent(bad))}`,
    calls: [],
    status: 400,
    gets: { error: { param: "batch_id" } },
  })),
  {
    name: "gives records as OpenAI's lines",
    ask: `GET /v1/batches/${jobId}/output`,
    calls: [
      { call: jobCall, answer: job() },
      {
        call: "GET /storage/bucket-1/out/abc123def456/in.jsonl.out",
        headers: { authorization: s3Signature },
        answer: lines(
          {
            recordId: "a",
            modelInput: {},
            modelOutput: {
              id: "msg_1",
              type: "message",
              role: "assistant",
              model: "claude-sonnet-4-5",
              content: [{ type: "text", text: "Hi" }],
              stop_reason: "max_tokens",
              usage: { input_tokens: 3, output_tokens: 2 },
            },
          },
          { recordId: "b", modelInput: {}, error: { errorCode: 400, errorMessage: "bad" } },
          { recordId: "c", modelInput: {} },
        ),
      },
    ],
    gets: [
      {
        id: "abc123def456_1",
        custom_id: "a",
        response: {
          status_code: 200,
          body: { choices: [{ message: { content: "Hi" }, finish_reason: "length" }], usage: { total_tokens: 5 } },
        },
        error: null,
      },
      { custom_id: "b", response: null, error: { code: "400", message: "bad" } },
      { custom_id: "c", response: null, error: { code: "upstream_invalid" } },
    ],
    getsHeaders: { "content-type": "application/octet-stream" },
  },
  {
    name: "gives records of Converse, by an ARN of the model",
    ask: `GET /v1/batches/${jobId}/output`,
    calls: [
      { call: jobCall, answer: job({ modelId: "arn:aws:bedrock:eu-west-1::foundation-model/amazon.nova-pro-v1:0" }) },
      {
        call: "GET /storage/bucket-1/out/abc123def456/in.jsonl.out",
        answer: lines({
          recordId: "a",
          modelOutput: {
            output: { message: { role: "assistant", content: [{ text: "Hi" }] } },
            stopReason: "end_turn",
            usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
          },
        }),
      },
    ],
    gets: [{ response: { body: { choices: [{ message: { content: "Hi" } }], usage: { total_tokens: 5 } } } }],
  },
  {
    name: "gives vectors as OpenAI's lines",
    ask: `GET /v1/batches/${jobId}/output`,
    calls: [
      { call: jobCall, answer: job({ modelId: "amazon.titan-embed-text-v2:0" }) },
      {
        call: "GET /storage/bucket-1/out/abc123def456/in.jsonl.out",
        answer: lines({ recordId: "a", modelOutput: { embedding: [0.5], inputTextTokenCount: 2 } }),
      },
    ],
    gets: [{ custom_id: "a", response: { body: { object: "list", data: [{ embedding: [0.5] }] } } }],
  },
  {
    name: "gives texts as OpenAI's lines",
    ask: `GET /v1/batches/${jobId}/output`,
    calls: [
      { call: jobCall, answer: job({ modelId: "meta.llama3-8b-instruct-v1:0" }) },
      {
        call: "GET /storage/bucket-1/out/abc123def456/in.jsonl.out",
        answer: lines({
          recordId: "a",
          modelOutput: { generation: "Hi", stop_reason: "stop", prompt_token_count: 3, generation_token_count: 2 },
        }),
      },
    ],
    gets: [
      {
        response: {
          body: {
            object: "chat.completion",
            model: "meta.llama3-8b-instruct-v1:0",
            choices: [{ message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
            usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
          },
        },
      },
    ],
  },
  {
    name: "has no output before the end",
    ask: `GET /v1/batches/${jobId}/output`,
    calls: [{ call: jobCall, answer: job({ status: "InProgress" }) }],
    status: 400,
  },
];

tryProcedures("bedrock", keeping, batches);

it("asks the host of jobs where no base URL says otherwise", async () => {
  const { procedures } = await boundProvider(bedrock, { apiKey: "k", region: "eu-west-1" });
  const asked: string[] = [];
  const call = async ({ path }: { path: string }) => {
    asked.push(path);
    throw new Error("nobody is called here");
  };
  const { listBatches } = procedures ?? {};
  if (typeof listBatches !== "function") throw new Error("there is no listBatches");
  await expect(listBatches({}, { call } as never)).rejects.toThrow("nobody");
  expect(asked).toEqual(["https://bedrock.eu-west-1.amazonaws.com/model-invocation-jobs"]);
});
