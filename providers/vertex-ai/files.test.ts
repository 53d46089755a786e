import { expect } from "vitest";
import { asking, form, lines, type ProcedureCase, tryProcedures } from "../../test/support/procedures.ts";

const prefix = "/v1/projects/p/locations/us-central1";
const id = encodeURIComponent("gs://bucket-1/dir/in.jsonl");
/** As the OpenAI client writes an id into a URL. */
const inUrl = encodeURIComponent(id);
const headers = {
  "x-gateway-vertex-storage-bucket-name": "bucket-1",
  "x-gateway-provider-model": "gemini-2.5-flash",
  "x-gateway-provider-file-name": "dir/in.jsonl",
};
const chat = { model: "any", messages: [{ role: "user", content: "Hello" }], max_tokens: 9 };
const contents = [{ role: "user", parts: [{ text: "Hello" }] }];
const put = "PUT /storage/bucket-1/dir/in.jsonl";
const written = lines(
  ...["a", "b"].map((requestId) => ({ request: { contents, generationConfig: { maxOutputTokens: 9 } }, requestId })),
);

function withField(data: FormData, name: string, value: string): FormData {
  data.append(name, value);
  return data;
}

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

const files: ProcedureCase[] = [
  {
    name: "writes the lines of a batch in the model's own format",
    ask: "POST /v1/files",
    headers,
    body: form(lines(asking("a", chat), asking("b", chat)), "batch"),
    calls: [
      {
        call: put,
        headers: { authorization: "Bearer token-0123", "x-goog-meta-purpose": "batch", "transfer-encoding": "chunked" },
        sent: written,
      },
    ],
    gets: { id, object: "file", bytes: written.length, filename: "in.jsonl", purpose: "batch", status: "processed" },
  },
  {
    name: "takes a file whose purpose stands behind it for a batch",
    ask: "POST /v1/files",
    headers,
    body: form(lines(asking("a", chat)), "batch", "x.jsonl", true),
    calls: [{ call: put, sent: ({ body }) => expect(JSON.parse(`${body}`).requestId).toBe("a") }],
    gets: { purpose: "batch" },
  },
  {
    name: "writes Claude's lines in the rows of its maker",
    ask: "POST /v1/files",
    headers: { ...headers, "x-gateway-provider-model": "anthropic.claude-sonnet-4" },
    body: form(lines(asking("a", chat)), "batch"),
    calls: [
      {
        call: put,
        sent: {
          custom_id: "a",
          request: {
            messages: [{ role: "user", content: "Hello" }],
            max_tokens: 9,
            anthropic_version: "vertex-2023-10-16",
          },
        },
      },
    ],
  },
  {
    name: "leaves lines of open models what they are, but for the model",
    ask: "POST /v1/files",
    headers: { ...headers, "x-gateway-provider-model": "meta.llama-3.3-70b" },
    body: form(lines(asking("a", chat)), "batch"),
    calls: [{ call: put, sent: asking("a", { ...chat, model: "meta/llama-3.3-70b" }) }],
  },
  {
    name: "writes lines of embeddings as instances",
    ask: "POST /v1/files",
    headers: {
      ...headers,
      "x-gateway-provider-model": "text-embedding-005",
      "x-gateway-provider-batch-endpoint": "/v1/embeddings",
    },
    body: form(lines(asking("a", { model: "x", input: "Hello", dimensions: 8 }, "/v1/embeddings")), "batch"),
    calls: [{ call: put, sent: { content: "Hello", requestId: "a" } }],
    getsHeaders: { "x-gateway-dropped-params": "dimensions" },
  },
  {
    name: "writes examples to learn from as conversations",
    ask: "POST /v1/files",
    headers,
    body: form(lines({ messages: [...chat.messages, { role: "assistant", content: "Hi" }] }), "fine-tune"),
    calls: [{ call: put, sent: { contents: [...contents, { role: "model", parts: [{ text: "Hi" }] }] } }],
    gets: { purpose: "fine-tune" },
  },
  {
    name: "leaves other files what they are",
    ask: "POST /v1/files",
    headers: { ...headers, "x-gateway-file-purpose": "upload" },
    body: form(Buffer.from([0, 255, 13, 10])),
    calls: [{ call: put, sent: ({ body }) => expect(body).toEqual(Buffer.from([0, 255, 13, 10])) }],
    gets: { purpose: "upload", bytes: 4 },
  },
  {
    name: "names what an upload needs",
    ask: "POST /v1/files",
    body: form("", "batch"),
    calls: [],
    status: 400,
    gets: {
      error: {
        message: expect.stringContaining("vertex-storage-bucket-name and provider-model"),
      },
    },
  },
  ...(
    [
      ["is not JSON", `${lines(asking("a", chat))}{"custom_id":`, "line 2 is not valid JSON", "file"],
      ["is no object", `${lines(asking("a", chat))}\n[]\n`, "line 3 is not a JSON object", "file"],
      [
        "has no id",
        lines({ url: "/v1/chat/completions", body: chat }),
        "line 1: custom_id is required",
        "line 1: custom_id",
      ],
      ["asks nobody", lines(asking("a", chat, "/v1/audio/speech")), "line 1: url must be", "line 1: url"],
      ["has a mistake in it", lines(asking("a", { messages: 7 })), "line 1: messages must be", "line 1: messages"],
      ["wants a stream", lines(asking("a", { ...chat, stream: true })), "line 1: body.stream", "line 1: body.stream"],
      [
        "wants two vectors",
        lines(asking("a", { input: ["a", "b"] }, "/v1/embeddings")),
        "line 1: body.input",
        "line 1: body.input",
      ],
    ] as const
  ).map(([what, body, message, param]) => ({
    name: `refuses a line that ${what}, by its number`,
    ask: "POST /v1/files",
    headers: { ...headers, ...(body.includes("embeddings") && { "x-gateway-provider-model": "text-embedding-005" }) },
    body: form(body, "batch"),
    calls: [],
    status: 400,
    gets: { error: { message: expect.stringContaining(message), param } },
  })),
  {
    name: "says which fields of the form it cannot take",
    ask: "POST /v1/files",
    headers,
    body: withField(form(lines(asking("a", chat)), "batch"), "expires_after[seconds]", "9"),
    calls: [{ call: put }],
    getsHeaders: { "x-gateway-dropped-params": "expires_after[seconds]" },
  },
  {
    name: "refuses such fields where nothing may be lost",
    ask: "POST /v1/files",
    headers: { ...headers, "x-gateway-strict-params": "true" },
    body: withField(form(lines(asking("a", chat)), "batch"), "expires_after[seconds]", "9"),
    calls: [],
    status: 400,
    gets: { errors: ["path: expires_after[seconds], message: not supported by vertex-ai"] },
  },
  {
    name: "gives an upload up whose purpose turns out to be another",
    ask: "POST /v1/files",
    headers,
    body: form(lines(asking("a", chat)), "fine-tune", "x.jsonl", true),
    calls: [],
    status: 400,
    gets: {
      error: { message: expect.stringContaining('purpose "fine-tune" stands behind the file'), param: "purpose" },
    },
  },
  {
    name: "wants a purpose",
    ask: "POST /v1/files",
    headers,
    body: form(lines(asking("a", chat))),
    calls: [],
    status: 400,
    gets: { error: { param: "purpose" } },
  },
  ...(
    [
      ["a bucket that is a path", { "x-gateway-vertex-storage-bucket-name": "b/../c" }],
      ["a bucket that is none", { "x-gateway-vertex-storage-bucket-name": "Bucket" }],
      ["a name that leaves the bucket", { "x-gateway-provider-file-name": "../other/x" }],
    ] as const
  ).map(([what, more]) => ({
    name: `refuses ${what}`,
    ask: "POST /v1/files",
    headers: { ...headers, ...more },
    body: form("", "batch"),
    calls: [],
    status: 400,
  })),
  {
    name: "tells of an object",
    ask: `GET /v1/files/${inUrl}`,
    calls: [
      {
        call: "HEAD /storage/bucket-1/dir/in.jsonl",
        answerHeaders: {
          "x-goog-stored-content-length": "212",
          "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT",
          "x-goog-meta-purpose": "batch",
        },
      },
    ],
    gets: { id, bytes: 212, created_at: 1_767_225_600, filename: "in.jsonl", purpose: "batch", status: "processed" },
  },
  {
    name: "says with the status what an answer without a body does not",
    ask: `GET /v1/files/${id}`,
    calls: [{ call: "HEAD /storage/bucket-1/dir/in.jsonl", status: 404 }],
    status: 404,
    gets: { error: { message: "vertex-ai error: Not Found" } },
  },
  {
    name: "gives the content of an object as it is",
    ask: `GET /v1/files/${inUrl}/content`,
    calls: [
      {
        call: "GET /storage/bucket-1/dir/in.jsonl",
        answerHeaders: { "content-type": "application/jsonl" },
        answer: Buffer.from("{}\n"),
      },
    ],
    gets: "{}\n",
    getsHeaders: { "content-type": "application/jsonl" },
  },
  {
    name: "tells what the storage says is wrong",
    ask: `GET /v1/files/${id}/content`,
    calls: [
      {
        call: "GET /storage/bucket-1/dir/in.jsonl",
        status: 404,
        answer: "<?xml version='1.0'?><Error><Code>NoSuchKey</Code><Message>No &quot;such&quot; key.</Message></Error>",
      },
    ],
    status: 404,
    gets: { error: { message: 'vertex-ai error: No "such" key.', code: "NoSuchKey" } },
  },
  ...[
    "file-1",
    encodeURIComponent("s3://bucket-1/x"),
    encodeURIComponent("gs://a@evil.example/x"),
    "gs%3A%2F%2Fb-1%2F..%2Fx",
  ].map((bad) => ({
    name: `refuses the id ${bad}`,
    ask: `GET /v1/files/${encodeURIComponent(bad)}/content`,
    calls: [],
    status: 400,
    gets: { error: { param: "file_id" } },
  })),
  {
    name: "keeps to the buckets of the config file",
    ask: `GET /v1/files/${id}/content`,
    options: { storageBuckets: ["other-1"] },
    calls: [],
    status: 400,
    gets: { error: { message: expect.stringContaining("not among those of the config file") } },
  },
  { name: "lists no files", ask: "GET /v1/files", calls: [], status: 400 },
  { name: "deletes no files", ask: `DELETE /v1/files/${id}`, calls: [], status: 400 },
];

const created = {
  model: "publishers/google/models/gemini-2.5-flash",
  inputConfig: { instancesFormat: "jsonl", gcsSource: { uris: ["gs://bucket-1/dir/in.jsonl"] } },
  outputConfig: { predictionsFormat: "jsonl", gcsDestination: { outputUriPrefix: "gs://bucket-1/dir/" } },
  displayName: expect.any(String),
  instanceConfig: { excludedFields: ["requestId"], includedFields: [], instanceType: "object" },
};
const ask = {
  input_file_id: id,
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
      input_file_id: id,
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

const tuning = (more: object = {}) => ({
  name: "projects/7/locations/us-central1/tuningJobs/9",
  baseModel: "gemini-2.5-flash",
  state: "JOB_STATE_RUNNING",
  createTime: "2026-01-01T00:00:00Z",
  supervisedTuningSpec: {
    trainingDatasetUri: "gs://bucket-1/dir/in.jsonl",
    hyperParameters: { epochCount: "3", learningRateMultiplier: 0.5, adapterSize: "ADAPTER_SIZE_FOUR" },
  },
  ...more,
});

const fineTuning: ProcedureCase[] = [
  {
    name: "begins a tuning job",
    ask: "POST /v1/fine_tuning/jobs",
    body: {
      model: "gemini-2.5-flash",
      training_file: id,
      validation_file: id,
      suffix: "mine",
      seed: 1,
      method: { type: "supervised", supervised: { hyperparameters: { n_epochs: 3, batch_size: 4 } } },
      hyperparameters: { learning_rate_multiplier: "auto" },
    },
    calls: [
      {
        call: `POST ${prefix}/tuningJobs`,
        sent: {
          baseModel: "gemini-2.5-flash",
          supervisedTuningSpec: {
            training_dataset_uri: "gs://bucket-1/dir/in.jsonl",
            validation_dataset_uri: "gs://bucket-1/dir/in.jsonl",
            hyperParameters: { epochCount: 3, adapterSize: "ADAPTER_SIZE_FOUR" },
          },
          tunedModelDisplayName: "mine",
        },
        answer: tuning({ state: "JOB_STATE_PENDING" }),
      },
    ],
    gets: {
      id: "9",
      object: "fine_tuning.job",
      status: "queued",
      model: "gemini-2.5-flash",
      training_file: id,
      hyperparameters: { n_epochs: 3, learning_rate_multiplier: 0.5, batch_size: 4 },
    },
    getsHeaders: { "x-gateway-dropped-params": "seed" },
  },
  {
    name: "knows supervised tuning only",
    ask: "POST /v1/fine-tuning/jobs",
    body: { model: "m", training_file: id, method: { type: "dpo" } },
    calls: [],
    status: 400,
    gets: { error: { param: "method.type" } },
  },
  {
    name: "wants a file to learn from",
    ask: "POST /v1/fine_tuning/jobs",
    body: { model: "m" },
    calls: [],
    status: 400,
    gets: { error: { param: "training_file" } },
  },
  {
    name: "lists tuning jobs",
    ask: "GET /v1/fine_tuning/jobs?limit=1",
    calls: [{ call: `GET ${prefix}/tuningJobs?pageSize=1`, answer: { tuningJobs: [tuning()], nextPageToken: "t" } }],
    gets: { data: [{ id: "9" }], has_more: true, last_id: "t" },
  },
  {
    name: "tells of a tuning job",
    ask: "GET /v1/fine-tuning/jobs/9",
    calls: [
      {
        call: `GET ${prefix}/tuningJobs/9`,
        answer: tuning({
          state: "JOB_STATE_SUCCEEDED",
          endTime: "2026-01-01T01:00:00Z",
          tunedModel: { model: "projects/7/m", endpoint: "projects/7/e" },
        }),
      },
    ],
    gets: { status: "succeeded", fine_tuned_model: "projects/7/e", finished_at: 1_767_229_200 },
  },
  {
    name: "cancels a tuning job",
    ask: "POST /v1/fine_tuning/jobs/9/cancel",
    calls: [
      { call: `POST ${prefix}/tuningJobs/9:cancel`, sent: "", answer: {} },
      { call: `GET ${prefix}/tuningJobs/9`, answer: tuning({ state: "JOB_STATE_CANCELLED" }) },
    ],
    gets: { status: "cancelled" },
  },
];

tryProcedures(
  "vertex-ai",
  {
    apiKey: "token-0123",
    baseUrl: "{url}",
    storageUrl: "{url}/storage",
    projectId: "p",
    region: "us-central1",
  },
  [...files, ...batches, ...fineTuning],
);
