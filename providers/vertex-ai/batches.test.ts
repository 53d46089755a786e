import { expect } from "vitest";
import { lines, type ProcedureCase, tryProcedures } from "../../test/support/procedures.ts";
import { fileId, keeping, prefix } from "./testing.ts";

const contents = [{ role: "user", parts: [{ text: "Hello" }] }];
const job = (more: object = {}) => ({
  name: "projects/7/locations/us-central1/batchPredictionJobs/123",
  displayName: "night",
  model: "publishers/google/models/gemini-2.5-flash",
  state: "JOB_STATE_SUCCEEDED",
  createTime: "2026-01-01T00:00:00.5Z",
  startTime: "2026-01-01T00:01:00Z",
  endTime: "2026-01-01T01:00:00Z",
  inputConfig: { instancesFormat: "jsonl", gcsSource: { uris: ["gs://bucket-1/dir/in.jsonl"] } },
  outputInfo: { gcsOutputDirectory: "gs://bucket-1/dir/prediction-1" },
  completionStats: { successfulCount: "2", failedCount: "1", incompleteCount: "0" },
  labels: { team: "a" },
  ...more,
});
const jobCall = `GET ${prefix}/batchPredictionJobs/123`;

const created = {
  model: "publishers/google/models/gemini-2.5-flash",
  inputConfig: { instancesFormat: "jsonl", gcsSource: { uris: ["gs://bucket-1/dir/in.jsonl"] } },
  outputConfig: { predictionsFormat: "jsonl", gcsDestination: { outputUriPrefix: "gs://bucket-1/dir/" } },
  displayName: expect.any(String),
  instanceConfig: { excludedFields: ["requestId"], includedFields: [], instanceType: "object" },
};
const ask = {
  input_file_id: fileId,
  endpoint: "/v1/chat/completions",
  completion_window: "24h",
  model: "gemini-2.5-flash",
};

const batches: ProcedureCase[] = [
  {
    name: "begins a job over a file",
    ask: "POST /v1/batches",
    body: { ...ask, metadata: { team: "a" } },
    calls: [
      {
        call: `POST ${prefix}/batchPredictionJobs`,
        sent: { ...created, labels: { team: "a" } },
        answer: job({ state: "JOB_STATE_PENDING", outputInfo: undefined, completionStats: undefined }),
      },
    ],
    gets: {
      id: "123",
      object: "batch",
      status: "validating",
      endpoint: "/v1/chat/completions",
      model: "gemini-2.5-flash",
      input_file_id: fileId,
      created_at: 1_767_225_600,
      metadata: { team: "a" },
    },
  },
  {
    name: "begins a job with a name and an output of its own, and what else the vendor takes",
    ask: "POST /v1/batches",
    body: {
      ...ask,
      model: "anthropic.claude-sonnet-4",
      job_name: "night",
      output_data_config: "gs://bucket-2/out",
      output_expires_after: { seconds: 9 },
      metadata: { Team: "A" },
      provider_options: { serviceAccount: "x@y" },
    },
    calls: [
      {
        call: `POST ${prefix}/batchPredictionJobs`,
        sent: {
          ...created,
          model: "publishers/anthropic/models/claude-sonnet-4",
          outputConfig: { predictionsFormat: "jsonl", gcsDestination: { outputUriPrefix: "gs://bucket-2/out/" } },
          displayName: "night",
          serviceAccount: "x@y",
        },
        answer: job(),
      },
    ],
    getsHeaders: { "x-gateway-dropped-params": "output_expires_after,metadata" },
  },
  ...(
    [
      ["no file", { input_file_id: undefined }, "input_file_id"],
      ["a file elsewhere", { input_file_id: "file-1" }, "input_file_id"],
      ["no model", { model: undefined }, "model"],
      ["a model of one's own", { model: "endpoints.1" }, "model"],
      ["no endpoint", { endpoint: undefined }, "endpoint"],
      ["another window", { completion_window: "48h" }, "completion_window"],
      ["an endpoint it has not", { endpoint: "/v1/completions" }, "endpoint"],
      ["an endpoint nobody has", { endpoint: "/v1/x" }, "endpoint"],
      ["an output elsewhere", { output_data_config: "s3://b/x" }, "output_data_config"],
      ["labels that are none", { metadata: { a: 1 } }, "metadata.a"],
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
    ask: "GET /v1/batches?limit=2&after=123",
    calls: [
      { call: jobCall, answer: job() },
      {
        call: `GET ${prefix}/batchPredictionJobs?pageSize=2&filter=create_time%3C%222026-01-01T00%3A00%3A00.5Z%22`,
        answer: { batchPredictionJobs: [job({ name: "x/122" })], nextPageToken: "t" },
      },
    ],
    gets: { data: [{ id: "122" }], has_more: true, last_id: "122" },
  },
  {
    name: "lists jobs from a token on",
    ask: "GET /v1/batches?after=tok",
    calls: [{ call: `GET ${prefix}/batchPredictionJobs?pageSize=20&pageToken=tok`, answer: {} }],
    gets: { data: [], has_more: false },
  },
  ...(
    [
      ["RUNNING", "in_progress", { in_progress_at: 1_767_225_660 }],
      [
        "SUCCEEDED",
        "completed",
        { completed_at: 1_767_229_200, request_counts: { total: 3, completed: 2, failed: 1 } },
      ],
      [
        "PARTIALLY_SUCCEEDED",
        "completed",
        { output_file_id: encodeURIComponent("gs://bucket-1/dir/prediction-1/predictions.jsonl") },
      ],
      ["FAILED", "failed", { failed_at: 1_767_229_200 }],
      ["CANCELLING", "cancelling", {}],
      ["CANCELLED", "cancelled", { cancelled_at: 1_767_229_200 }],
      ["EXPIRED", "expired", { expired_at: 1_767_229_200 }],
      ["QUEUED", "validating", {}],
    ] as const
  ).map(([state, status, more]) => ({
    name: `says ${status} for ${state}`,
    ask: "GET /v1/batches/123",
    calls: [{ call: jobCall, answer: job({ state: `JOB_STATE_${state}` }) }],
    gets: { status, ...more },
  })),
  {
    name: "says why a job failed",
    ask: "GET /v1/batches/123",
    calls: [{ call: jobCall, answer: job({ state: "JOB_STATE_FAILED", error: { code: 3, message: "bad file" } }) }],
    gets: { status: "failed", errors: { object: "list", data: [{ code: "3", message: "bad file" }] } },
  },
  {
    name: "cancels a job",
    ask: "POST /v1/batches/123/cancel",
    calls: [
      { call: `POST ${prefix}/batchPredictionJobs/123:cancel`, sent: "", answer: {} },
      { call: jobCall, answer: job({ state: "JOB_STATE_RUNNING" }) },
    ],
    gets: { id: "123", status: "cancelling" },
  },
  {
    name: "knows jobs by their number only",
    ask: `GET /v1/batches/${encodeURIComponent("1/../../x")}`,
    calls: [],
    status: 400,
    gets: { error: { param: "batch_id" } },
  },
  {
    name: "gives predictions as OpenAI's lines",
    ask: "GET /v1/batches/123/output",
    calls: [
      { call: jobCall, answer: job() },
      {
        call: "GET /storage/bucket-1/dir/prediction-1/predictions.jsonl",
        answer: lines(
          {
            status: "",
            request: { contents },
            requestId: "a",
            response: {
              candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] }, finishReason: "STOP" }],
              usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
              responseId: "r-1",
            },
          },
          { status: "Bad Request: no", request: {}, response: {}, requestId: "b" },
          { request: {}, requestId: "c" },
        ),
      },
    ],
    gets: [
      {
        id: "123_1",
        custom_id: "a",
        response: {
          status_code: 200,
          request_id: "r-1",
          body: {
            object: "chat.completion",
            choices: [{ message: { content: "Hi" }, finish_reason: "stop" }],
            usage: { total_tokens: 3 },
          },
        },
        error: null,
      },
      { custom_id: "b", response: null, error: { code: "batch_line_failed", message: "Bad Request: no" } },
      { custom_id: "c", response: null, error: { code: "upstream_invalid" } },
    ],
    getsHeaders: { "content-type": "application/octet-stream" },
  },
  {
    name: "gives vectors as OpenAI's lines",
    ask: "GET /v1/batches/123/output",
    calls: [
      { call: jobCall, answer: job({ model: "publishers/google/models/text-embedding-005" }) },
      {
        call: "GET /storage/bucket-1/dir/prediction-1/000000000000.jsonl",
        answer: lines({
          instance: { content: "Hello", requestId: "a" },
          predictions: [{ embeddings: { values: [0.5], statistics: { token_count: 2 } } }],
          status: "",
        }),
      },
    ],
    gets: [{ custom_id: "a", response: { body: { data: [{ embedding: [0.5] }], usage: { prompt_tokens: 2 } } } }],
  },
  {
    name: "gives the answers of Claude and of open models",
    ask: "GET /v1/batches/123/output",
    calls: [
      { call: jobCall, answer: job({ model: "publishers/anthropic/models/claude-sonnet-4" }) },
      {
        call: "GET /storage/bucket-1/dir/prediction-1/predictions.jsonl",
        answer: lines(
          {
            custom_id: "a",
            response: {
              id: "msg_1",
              type: "message",
              role: "assistant",
              model: "claude-sonnet-4",
              content: [{ type: "text", text: "Hi" }],
              stop_reason: "end_turn",
              usage: { input_tokens: 1, output_tokens: 1 },
            },
          },
          { custom_id: "b", response: { status_code: 200, request_id: "", body: { object: "chat.completion" } } },
        ),
      },
    ],
    gets: [
      { custom_id: "a", response: { request_id: "msg_1", body: { choices: [{ message: { content: "Hi" } }] } } },
      { custom_id: "b", response: { body: { object: "chat.completion" } } },
    ],
  },
  {
    name: "has no output before the end",
    ask: "GET /v1/batches/123/output",
    calls: [{ call: jobCall, answer: job({ state: "JOB_STATE_RUNNING" }) }],
    status: 400,
  },
];

tryProcedures("vertex-ai", keeping, batches);
