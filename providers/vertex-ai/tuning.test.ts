import { type ProcedureCase, tryProcedures } from "../../test/support/procedures.ts";
import { fileId, keeping, prefix } from "./testing.ts";

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
      training_file: fileId,
      validation_file: fileId,
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
      training_file: fileId,
      hyperparameters: { n_epochs: 3, learning_rate_multiplier: 0.5, batch_size: 4 },
    },
    getsHeaders: { "x-gateway-dropped-params": "seed" },
  },
  {
    name: "knows supervised tuning only",
    ask: "POST /v1/fine-tuning/jobs",
    body: { model: "m", training_file: fileId, method: { type: "dpo" } },
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

tryProcedures("vertex-ai", keeping, fineTuning);
