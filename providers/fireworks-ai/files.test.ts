import { expect } from "vitest";
import { form, lines, type ProcedureCase, tryProcedures } from "../../test/support/procedures.ts";

const headers = { "x-gateway-fireworks-account-id": "acc-1" };
const account = "/v1/accounts/acc-1";
const example = lines({ messages: [{ role: "user", content: "Hello" }] });
const id = "file-[0-9a-f-]{36}";
const sized = { ...headers, "x-gateway-file-upload-size": String(example.length) };

const dataset = (more: object = {}) => ({
  name: "accounts/acc-1/datasets/ds-1",
  displayName: "a.jsonl",
  createTime: "2026-01-01T00:00:00Z",
  state: "READY",
  status: { code: "OK", message: "" },
  ...more,
});

const begun: ProcedureCase["calls"] = [
  {
    call: `POST ${account}/datasets`,
    headers: { authorization: "Bearer key-0123" },
    sent: {
      datasetId: expect.stringMatching(new RegExp(`^${id}$`)),
      dataset: { userUploaded: {}, displayName: "a.jsonl" },
    },
    answer: dataset({ state: "UPLOADING" }),
  },
  {
    call: new RegExp(`^POST ${account}/datasets/${id}:getUploadEndpoint$`),
    sent({ body, url }) {
      const [name = ""] = /file-[0-9a-f-]+/.exec(url) ?? [];
      expect(JSON.parse(`${body}`)).toEqual({ filenameToSize: { [`${name}.jsonl`]: example.length } });
    },
    answer: { filenameToSignedUrls: { "x.jsonl": "{url}/signed/put?sig=a" } },
  },
];
const cleared = { call: new RegExp(`^DELETE ${account}/datasets/${id}$`) };

const files: ProcedureCase[] = [
  {
    name: "puts a file at the address that is given for it, without the key",
    ask: "POST /v1/files",
    headers: sized,
    body: form(example, "fine-tune", "a.jsonl"),
    calls: [
      ...begun,
      {
        call: "PUT /signed/put?sig=a",
        headers: {
          authorization: undefined,
          "content-length": String(example.length),
          "x-goog-content-length-range": `${example.length},${example.length}`,
        },
        sent: example,
      },
      { call: new RegExp(`^POST ${account}/datasets/${id}:validateUpload$`), sent: {}, answer: {} },
    ],
    gets: { object: "file", bytes: example.length, filename: "a.jsonl", purpose: "fine-tune", status: "uploaded" },
  },
  ...(
    [
      [-1, "more"],
      [1, "fewer"],
    ] as const
  ).map(([by, what]) => ({
    name: `clears away a dataset whose file has ${what} bytes than announced`,
    ask: "POST /v1/files",
    headers: { ...headers, "x-gateway-file-upload-size": String(example.length + by) },
    body: form(example, "fine-tune", "a.jsonl"),
    calls: [...begun.map((one) => ({ ...one, sent: () => undefined })), cleared],
    status: 400,
    gets: { error: { param: "file-upload-size", message: expect.stringContaining(`has ${what} than`) } },
  })),
  {
    name: "clears away a dataset whose file is refused, and says why",
    ask: "POST /v1/files",
    headers: sized,
    body: form(example, "fine-tune", "a.jsonl"),
    calls: [
      ...begun,
      {
        call: "PUT /signed/put?sig=a",
        status: 400,
        answer: "<Error><Code>EntityTooLarge</Code><Message>Too large</Message></Error>",
      },
      cleared,
    ],
    status: 400,
    gets: { error: { message: "fireworks-ai error: Too large", code: "EntityTooLarge" } },
  },
  {
    name: "needs the size of a file",
    ask: "POST /v1/files",
    headers,
    body: form(example, "fine-tune"),
    calls: [],
    status: 400,
    gets: { error: { param: "file-upload-size" } },
  },
  {
    name: "takes no size that is none",
    ask: "POST /v1/files",
    headers: { ...headers, "x-gateway-file-upload-size": "1e3" },
    body: form(example, "fine-tune"),
    calls: [],
    status: 400,
    gets: { error: { param: "file-upload-size" } },
  },
  {
    name: "needs an account",
    ask: "GET /v1/files",
    calls: [],
    status: 400,
    gets: { error: { param: "fireworks-account-id" } },
  },
  {
    name: "takes no account that is a path",
    ask: "GET /v1/files",
    headers: { "x-gateway-fireworks-account-id": "a/../b" },
    calls: [],
    status: 400,
  },
  {
    name: "lists datasets, a page at a time",
    ask: "GET /v1/files?limit=1&after=t1",
    headers,
    calls: [
      {
        call: `GET ${account}/datasets?pageSize=1&pageToken=t1`,
        answer: { datasets: [dataset()], nextPageToken: "t2", totalSize: 2 },
      },
    ],
    gets: { data: [{ id: "ds-1", status: "processed" }], has_more: true, last_id: "t2" },
  },
  { name: "has no files for batches", ask: "GET /v1/files?purpose=batch", headers, calls: [], gets: { data: [] } },
  {
    name: "tells of a dataset that is not ready",
    ask: "GET /v1/files/ds-1",
    headers,
    calls: [
      {
        call: `GET ${account}/datasets/ds-1`,
        answer: dataset({ state: "UPLOADING", status: { code: "INVALID_ARGUMENT", message: "bad line" } }),
      },
    ],
    gets: { id: "ds-1", filename: "a.jsonl", status: "error", status_details: "bad line", created_at: 1_767_225_600 },
  },
  {
    name: "gives the content of a dataset",
    ask: "GET /v1/files/ds-1/content",
    headers,
    calls: [
      {
        call: `GET ${account}/datasets/ds-1:getDownloadEndpoint`,
        answer: { filenameToSignedUrls: { "ds-1.jsonl": "{url}/signed/get?sig=b" } },
      },
      { call: "GET /signed/get?sig=b", headers: { authorization: undefined }, answer: example },
    ],
    gets: example,
  },
  {
    name: "deletes a dataset",
    ask: "DELETE /v1/files/ds-1",
    headers,
    calls: [{ call: `DELETE ${account}/datasets/ds-1`, answer: {} }],
    gets: { id: "ds-1", deleted: true },
  },
  {
    name: "knows no file that is a path",
    ask: `GET /v1/files/${encodeURIComponent("a/../b")}`,
    headers,
    calls: [],
    status: 400,
    gets: { error: { param: "file_id" } },
  },
  { name: "has no batches", ask: "GET /v1/batches", headers, calls: [], status: 400 },
];

const job = (more: object = {}) => ({
  name: "accounts/acc-1/supervisedFineTuningJobs/job-1",
  state: "JOB_STATE_RUNNING",
  createTime: "2026-01-01T00:00:00Z",
  baseModel: "accounts/fireworks/models/llama-v3p1-8b-instruct",
  outputModel: "accounts/acc-1/models/mine",
  dataset: "accounts/acc-1/datasets/ds-1",
  epochs: 3,
  ...more,
});
const jobs = `${account}/supervisedFineTuningJobs`;

const fineTuning: ProcedureCase[] = [
  {
    name: "begins a supervised job",
    ask: "POST /v1/fine_tuning/jobs",
    headers,
    body: {
      model: "accounts/fireworks/models/llama-v3p1-8b-instruct",
      training_file: "ds-1",
      validation_file: "ds-2",
      suffix: "mine",
      hyperparameters: { n_epochs: 3, learning_rate_multiplier: 0.5, batch_size: "auto" },
      provider_options: { loraRank: 8 },
    },
    calls: [
      {
        call: `POST ${jobs}`,
        sent: {
          dataset: "accounts/acc-1/datasets/ds-1",
          evaluationDataset: "accounts/acc-1/datasets/ds-2",
          displayName: "mine",
          outputModel: "accounts/acc-1/models/mine",
          baseModel: "accounts/fireworks/models/llama-v3p1-8b-instruct",
          epochs: 3,
          loraRank: 8,
        },
        answer: job({ state: "JOB_STATE_CREATING" }),
      },
    ],
    gets: { id: "job-1", object: "fine_tuning.job", status: "queued", training_file: "ds-1" },
    getsHeaders: { "x-gateway-dropped-params": "hyperparameters.learning_rate_multiplier" },
  },
  {
    name: "lists jobs",
    ask: "GET /v1/fine_tuning/jobs",
    headers,
    calls: [{ call: `GET ${jobs}?pageSize=20`, answer: { supervisedFineTuningJobs: [job()], nextPageToken: "" } }],
    gets: { data: [{ id: "job-1" }], has_more: false },
  },
  ...(
    [
      ["RUNNING", {}, "running", { hyperparameters: { n_epochs: 3 } }],
      ["WRITING_RESULTS", {}, "running", {}],
      ["VALIDATING", {}, "validating_files", {}],
      ["COMPLETED", {}, "succeeded", { fine_tuned_model: "accounts/acc-1/models/mine" }],
      ["FAILED", { status: { code: "INTERNAL", message: "bad" } }, "failed", { error: { message: "bad" } }],
      ["CANCELLED", {}, "cancelled", {}],
    ] as const
  ).map(([state, more, status, told]) => ({
    name: `says ${status} for ${state}`,
    ask: "GET /v1/fine_tuning/jobs/job-1",
    headers,
    calls: [{ call: `GET ${jobs}/job-1`, answer: job({ state: `JOB_STATE_${state}`, ...more }) }],
    gets: { status, ...told },
  })),
  {
    name: "cancels a job by deleting it",
    ask: "POST /v1/fine_tuning/jobs/job-1/cancel",
    headers,
    calls: [
      { call: `GET ${jobs}/job-1`, answer: job() },
      { call: `DELETE ${jobs}/job-1`, answer: {} },
    ],
    gets: { id: "job-1", status: "cancelled" },
  },
];

tryProcedures("fireworks-ai", { apiKey: "key-0123", baseUrl: "{url}/inference/v1" }, [...files, ...fineTuning]);
