import { describe, expect, it } from "vitest";
import { boundProvider } from "../../core/provider-kit/testing.ts";
import { asking, form, lines, type ProcedureCase, tryProcedures } from "../../test/support/procedures.ts";
import { familyOf } from "./families.ts";
import bedrock from "./index.ts";
import { objectUrl } from "./storage.ts";

const claude = "anthropic.claude-sonnet-4-5-20250929-v1:0";
const id = encodeURIComponent("s3://bucket-1/dir/in.jsonl");
/** As the OpenAI client writes an id into a URL. */
const inUrl = encodeURIComponent(id);
const headers = {
  "x-gateway-aws-s3-bucket": "bucket-1",
  "x-gateway-aws-s3-object-key": "dir/in.jsonl",
  "x-gateway-aws-bedrock-model": claude,
};
const chat = { model: "any", messages: [{ role: "user", content: "Hello" }], max_tokens: 9 };
const object = "/storage/bucket-1/dir/in.jsonl";
const s3Signature = /^authorization: AWS4-HMAC-SHA256 Credential=AKIDFILE\/\d{8}\/eu-west-1\/s3\/aws4_request, /;

/** What S3 is asked for one upload of one part. */
const uploading = (sent: string | object, more: object = {}): ProcedureCase["calls"] => [
  {
    call: `POST ${object}?uploads=`,
    headers: {
      authorization: s3Signature,
      "content-type": "application/jsonl",
      "x-amz-meta-purpose": /batch|fine-tune|user_data/,
      "x-amz-content-sha256": /[0-9a-f]{64}$/,
    },
    answer: "<InitiateMultipartUploadResult><UploadId>up/1</UploadId></InitiateMultipartUploadResult>",
    ...more,
  },
  {
    call: `PUT ${object}?partNumber=1&uploadId=up%2F1`,
    headers: { authorization: s3Signature },
    sent: typeof sent === "string" ? sent : lines(sent),
    answerHeaders: { etag: '"tag-1"' },
  },
  {
    call: `POST ${object}?uploadId=up%2F1`,
    sent:
      '<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
      '<Part><PartNumber>1</PartNumber><ETag>"tag-1"</ETag></Part></CompleteMultipartUpload>',
    answer: "<CompleteMultipartUploadResult/>",
  },
];

const claudeInput = {
  max_tokens: 9,
  messages: [{ role: "user", content: "Hello" }],
  anthropic_version: "bedrock-2023-05-31",
};

const files: ProcedureCase[] = [
  {
    name: "writes Claude's lines in its own format",
    ask: "POST /v1/files",
    headers,
    body: form(lines(asking("a", chat), asking("b", chat)), "batch"),
    calls: uploading(lines(...["a", "b"].map((recordId) => ({ recordId, modelInput: claudeInput })))),
    gets: { id, object: "file", filename: "in.jsonl", purpose: "batch", status: "processed" },
  },
  {
    name: "writes lines of models without a prompt of their own for Converse, and takes other names of headers",
    ask: "POST /v1/files",
    headers: {
      "x-gateway-aws-s3-bucket": "bucket-1",
      "x-gateway-provider-file-name": "dir/in.jsonl",
      "x-gateway-provider-model": "amazon.nova-pro-v1:0",
      "x-gateway-amz-server-side-encryption": "aws:kms",
      "x-gateway-amz-server-side-encryption-aws-kms-key-id": "key-1",
    },
    body: form(lines(asking("a", chat)), "batch"),
    calls: uploading(
      {
        recordId: "a",
        modelInput: { messages: [{ role: "user", content: [{ text: "Hello" }] }], inferenceConfig: { maxTokens: 9 } },
      },
      {
        headers: {
          "x-amz-server-side-encryption": "aws:kms",
          "x-amz-server-side-encryption-aws-kms-key-id": "key-1",
          authorization: /x-amz-server-side-encryption;x-amz-server-side-encryption-aws-kms-key-id, /,
        },
      },
    ),
  },
  {
    name: "writes lines of embeddings in the words of their maker",
    ask: "POST /v1/files",
    headers: { ...headers, "x-gateway-aws-bedrock-model": "amazon.titan-embed-text-v2:0" },
    body: form(lines(asking("a", { input: "Hello", dimensions: 256 }, "/v1/embeddings")), "batch"),
    calls: uploading({ recordId: "a", modelInput: { inputText: "Hello", dimensions: 256 } }),
  },
  {
    name: "keeps examples to learn from as conversations",
    ask: "POST /v1/files",
    headers,
    body: form(
      lines({
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "Hello" },
          { role: "assistant", content: "Hi", weight: 1 },
        ],
      }),
      "fine-tune",
    ),
    calls: uploading({
      system: "Be brief.",
      messages: [
        { role: "user", content: "Hello" },
        { role: "assistant", content: "Hi" },
      ],
    }),
    gets: { purpose: "fine-tune" },
  },
  {
    name: "writes examples as a prompt and what follows it where the model takes that",
    ask: "POST /v1/files",
    headers: { ...headers, "x-gateway-model-type": "text" },
    body: form(
      lines({
        messages: [
          { role: "user", content: "Hello" },
          { role: "assistant", content: "Hi" },
        ],
      }),
      "fine-tune",
    ),
    calls: uploading({ prompt: "Hello", completion: "Hi" }),
  },
  {
    name: "leaves other files what they are, and an empty one is a file",
    ask: "POST /v1/files",
    headers,
    body: form("", "user_data"),
    calls: uploading(""),
    gets: { bytes: 0, purpose: "user_data" },
  },
  {
    name: "takes files of lines only",
    ask: "POST /v1/files",
    headers,
    body: form("{}", "batch", "a.csv"),
    calls: [],
    status: 400,
    gets: { error: { param: "file" } },
  },
  ...(
    [
      ["aws-s3-bucket", { "x-gateway-aws-bedrock-model": claude }],
      ["aws-bedrock-model", { "x-gateway-aws-s3-bucket": "bucket-1" }],
    ] as const
  ).map(([header, some]) => ({
    name: `names the header ${header} that an upload needs`,
    ask: "POST /v1/files",
    headers: some,
    body: form("", "batch"),
    calls: [],
    status: 400,
    gets: { error: { param: header } },
  })),
  ...["Bucket", "a", "a..b", "-ab", "10.0.0.1", "b/c", "b@evil.example", "b.evil.example."].map((bucket) => ({
    name: `takes no bucket called ${bucket}`,
    ask: "POST /v1/files",
    headers: { ...headers, "x-gateway-aws-s3-bucket": bucket },
    body: form("", "batch"),
    calls: [],
    status: 400,
  })),
  {
    name: "clears away what was begun where a line is broken",
    ask: "POST /v1/files",
    headers,
    body: form(`${lines(asking("a", chat))}nonsense\n`, "batch"),
    calls: [
      uploading("")[0] ?? { call: "" },
      { call: `DELETE ${object}?uploadId=up%2F1`, headers: { authorization: s3Signature }, status: 204 },
    ],
    status: 400,
    gets: { error: { message: expect.stringContaining("line 2 is not valid JSON") } },
  },
  {
    name: "clears away what was begun where a part is refused, and says why",
    ask: "POST /v1/files",
    headers,
    body: form(lines(asking("a", chat)), "batch"),
    calls: [
      uploading("")[0] ?? { call: "" },
      {
        call: `PUT ${object}?partNumber=1&uploadId=up%2F1`,
        status: 403,
        answer: "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>",
      },
      { call: `DELETE ${object}?uploadId=up%2F1`, status: 204 },
    ],
    status: 403,
    gets: { error: { message: "bedrock error: Access Denied", code: "AccessDenied" }, provider: "bedrock" },
  },
  {
    name: "believes no answer that ends in an error",
    ask: "POST /v1/files",
    headers,
    body: form(lines(asking("a", chat)), "batch"),
    calls: [
      ...uploading({ recordId: "a", modelInput: claudeInput }).slice(0, 2),
      {
        call: `POST ${object}?uploadId=up%2F1`,
        answer: "  <Error><Code>InternalError</Code><Message>Try again</Message></Error>",
      },
      { call: `DELETE ${object}?uploadId=up%2F1`, status: 204 },
    ],
    status: 500,
    gets: { error: { message: "bedrock: S3 could not put the parts together: Try again" } },
  },
  {
    name: "needs keys for S3",
    ask: "POST /v1/files",
    headers,
    options: { apiKey: "bedrock-api-key-1", accessKeyId: undefined, secretAccessKey: undefined },
    body: form("", "batch"),
    calls: [],
    status: 401,
    gets: { error: { message: expect.stringContaining("takes no API key of Bedrock") } },
  },
  {
    name: "tells of an object",
    ask: `GET /v1/files/${inUrl}`,
    calls: [
      {
        call: `GET ${object}?attributes=`,
        headers: { "x-amz-object-attributes": "ObjectSize", authorization: s3Signature, "content-type": undefined },
        answerHeaders: { "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT" },
        answer: "<GetObjectAttributesResponse><ObjectSize>12</ObjectSize></GetObjectAttributesResponse>",
      },
    ],
    gets: { id, bytes: 12, created_at: 1_767_225_600, filename: "in.jsonl", status: "processed" },
  },
  {
    name: "gives the content of an object as it is",
    ask: `GET /v1/files/${id}/content`,
    calls: [{ call: `GET ${object}`, answerHeaders: { "content-type": "application/jsonl" }, answer: "{}\n" }],
    gets: "{}\n",
    getsHeaders: { "content-type": "application/jsonl", "content-length": "3" },
  },
  { name: "lists no files", ask: "GET /v1/files", calls: [], status: 400 },
  { name: "deletes no files", ask: `DELETE /v1/files/${id}`, calls: [], status: 400 },
];

const arn = "arn:aws:bedrock:eu-west-1:111122223333:model-invocation-job/abc123def456";
const jobId = encodeURIComponent(arn);
const jobCall = `GET /model-invocation-job/${jobId}`;
const bedrockSignature =
  /^authorization: AWS4-HMAC-SHA256 Credential=AKIDFILE\/\d{8}\/eu-west-1\/bedrock\/aws4_request, /;
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
  input_file_id: id,
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
    gets: { id: jobId, object: "batch", status: "validating", input_file_id: id, completion_window: "24h" },
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
    ask: `GET /v1/batches?limit=2&after=${inUrlOf(jobId)}`,
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
    ask: `GET /v1/batches/${inUrlOf(jobId)}`,
    calls: [{ call: jobCall, headers: { authorization: bedrockSignature }, answer: job({ status }) }],
    gets: { id: jobId, status: told, input_file_id: id, ...more },
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

const tuningArn =
  "arn:aws:bedrock:eu-west-1:111122223333:model-customization-job/amazon.nova-lite-v1:0:300k/abc123def456";
const tuningId = encodeURIComponent(tuningArn);
const tuning = (more: object = {}) => ({
  jobArn: tuningArn,
  status: "InProgress",
  creationTime: "2026-01-01T00:00:00Z",
  baseModelArn: "arn:aws:bedrock:eu-west-1::foundation-model/amazon.nova-lite-v1:0",
  hyperParameters: { epochCount: "3" },
  trainingDataConfig: { s3Uri: "s3://bucket-1/dir/in.jsonl" },
  ...more,
});

const fineTuning: ProcedureCase[] = [
  {
    name: "begins a customization job",
    ask: "POST /v1/fine_tuning/jobs",
    body: {
      model: "amazon.nova-lite-v1:0:300k",
      training_file: id,
      validation_file: id,
      suffix: "mine",
      hyperparameters: { n_epochs: 3, learning_rate_multiplier: 0.5, batch_size: "auto", other: 1 },
      role_arn: role,
      job_name: "learn",
      output_file: "s3://bucket-1/models/",
    },
    calls: [
      {
        call: "POST /model-customization-jobs",
        headers: { authorization: bedrockSignature },
        sent: {
          baseModelIdentifier: "amazon.nova-lite-v1:0:300k",
          customModelName: "mine",
          hyperParameters: { epochCount: "3", learningRateMultiplier: "0.5" },
          trainingDataConfig: { s3Uri: "s3://bucket-1/dir/in.jsonl" },
          validationDataConfig: { validators: [{ s3Uri: "s3://bucket-1/dir/in.jsonl" }] },
          outputDataConfig: { s3Uri: "s3://bucket-1/models/" },
          jobName: "learn",
          roleArn: role,
          customizationType: "FINE_TUNING",
        },
        answer: { jobArn: tuningArn },
      },
    ],
    gets: { id: tuningId, object: "fine_tuning.job", status: "validating_files", training_file: id },
    getsHeaders: { "x-gateway-dropped-params": "hyperparameters.other" },
  },
  {
    name: "lists customization jobs",
    ask: "GET /v1/fine_tuning/jobs",
    calls: [
      {
        call: "GET /model-customization-jobs?maxResults=20",
        answer: { modelCustomizationJobSummaries: [tuning()], nextToken: "t" },
      },
    ],
    gets: { data: [{ id: tuningId, status: "running" }], has_more: true, last_id: "t" },
  },
  ...(
    [
      [{ status: "Completed", outputModelArn: "arn:m" }, "succeeded", { fine_tuned_model: "arn:m" }],
      [{ status: "Failed", failureMessage: "bad" }, "failed", { error: { message: "bad" } }],
      [{ status: "Stopped" }, "cancelled", { hyperparameters: { n_epochs: 3 } }],
    ] as const
  ).map(([more, status, told]) => ({
    name: `says ${status} for a customization job that is ${more.status}`,
    ask: `GET /v1/fine_tuning/jobs/${inUrlOf(tuningId)}`,
    calls: [{ call: `GET /model-customization-jobs/${tuningId}`, answer: tuning(more) }],
    gets: { status, training_file: id, ...told },
  })),
  {
    name: "stops a customization job",
    ask: `POST /v1/fine_tuning/jobs/${tuningId}/cancel`,
    calls: [
      { call: `POST /model-customization-jobs/${tuningId}/stop`, sent: "", answer: {} },
      { call: `GET /model-customization-jobs/${tuningId}`, answer: tuning({ status: "Stopping" }) },
    ],
    gets: { status: "cancelled" },
  },
];

function inUrlOf(text: string): string {
  return encodeURIComponent(text);
}

tryProcedures(
  "bedrock",
  {
    region: "eu-west-1",
    baseUrl: "{url}",
    storageUrl: "{url}/storage",
    accessKeyId: "AKIDFILE",
    secretAccessKey: "secret-of-the-file",
  },
  [...files, ...batches, ...fineTuning],
);

describe("families of models that are invoked with a prompt", () => {
  const body = {
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "A" },
      { role: "assistant", content: "B" },
      { role: "user", content: [{ type: "text", text: "C" }] },
    ],
    max_tokens: 9,
    temperature: 0.5,
    top_p: 0.9,
    stop: "x",
    n: 2,
  };
  const lined = (answering: string) => `System: Be brief.\nUser: A\n${answering}: B\nUser: C\n${answering}:`;
  const header = (role: string, text: string) => `<|start_header_id|>${role}<|end_header_id|>\n\n${text}<|eot_id|>`;

  it.each([
    [
      "meta.llama3-1-8b-instruct-v1:0",
      {
        prompt: `<|begin_of_text|>${header("system", "Be brief.")}${header("user", "A")}${header("assistant", "B")}${header("user", "C")}<|start_header_id|>assistant<|end_header_id|>\n\n`,
        max_gen_len: 9,
        temperature: 0.5,
        top_p: 0.9,
      },
      ["n", "stop"],
      { generation: "Hi", stop_reason: "length" },
      "length",
    ],
    [
      "meta.llama2-13b-chat-v1",
      {
        prompt: "<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\nA [/INST] B </s><s>[INST] C [/INST]",
        max_gen_len: 9,
        temperature: 0.5,
        top_p: 0.9,
      },
      ["n", "stop"],
      { generation: "Hi", stop_reason: "stop" },
      "stop",
    ],
    [
      "mistral.mixtral-8x7b-instruct-v0:1",
      {
        prompt: "<s>[INST] Be brief.\n\nA [/INST]B</s>[INST] C [/INST]",
        max_tokens: 9,
        temperature: 0.5,
        top_p: 0.9,
        stop: ["x"],
      },
      ["n"],
      { outputs: [{ text: "Hi", stop_reason: "length" }] },
      "length",
    ],
    [
      "amazon.titan-text-express-v1",
      {
        inputText: lined("Bot"),
        textGenerationConfig: { maxTokenCount: 9, temperature: 0.5, topP: 0.9, stopSequences: ["x"] },
      },
      ["n"],
      { inputTextTokenCount: 3, results: [{ outputText: "Hi", tokenCount: 2, completionReason: "CONTENT_FILTERED" }] },
      "content_filter",
    ],
    [
      "cohere.command-light-text-v14",
      { prompt: lined("Assistant"), max_tokens: 9, temperature: 0.5, p: 0.9, end_sequences: ["x"] },
      ["n"],
      { generations: [{ text: "Hi", finish_reason: "MAX_TOKENS" }] },
      "length",
    ],
    [
      "ai21.j2-ultra-v1",
      { prompt: lined("Assistant"), maxTokens: 9, temperature: 0.5, topP: 0.9, stopSequences: ["x"] },
      ["n"],
      { completions: [{ data: { text: "Hi" }, finishReason: { reason: "endoftext" } }] },
      "stop",
    ],
  ])("ask and answer as %s does", (model, wire, lost, answer, finish) => {
    const family = familyOf(model);
    const dropped: string[] = [];
    expect(family?.encode(body, (name) => dropped.push(name))).toEqual(wire);
    expect(dropped.sort()).toEqual(lost);
    expect(family?.decode(answer)).toMatchObject({ text: "Hi", finish });
    expect(family?.decode({ unknown: true })).toBeUndefined();
  });

  it("take texts only", () => {
    const image = { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }] };
    expect(() => familyOf("meta.llama3-8b")?.encode(image, () => undefined)).toThrow("body.messages[0].content");
  });
});

it.each([
  [{ region: "eu-west-1" }, "bucket-1", "https://bucket-1.s3.eu-west-1.amazonaws.com/a/b%20c%27"],
  [{ region: "eu-west-1" }, "with.dots", "https://s3.eu-west-1.amazonaws.com/with.dots/a/b%20c%27"],
  [{ region: "cn-north-1" }, "bucket-1", "https://bucket-1.s3.cn-north-1.amazonaws.com.cn/a/b%20c%27"],
])("finds objects at the host of the region: %j, %s", (place, bucket, url) => {
  expect(objectUrl({ ...place, modelType: "chat" }, { bucket, key: "a/b c'" })).toBe(url);
});

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
