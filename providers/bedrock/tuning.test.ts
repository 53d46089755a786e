import { type ProcedureCase, tryProcedures } from "../../test/support/procedures.ts";
import { bedrockSignature, fileId, inUrl, keeping } from "./testing.ts";

const role = "arn:aws:iam::111122223333:role/learning";
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
      training_file: fileId,
      validation_file: fileId,
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
    gets: { id: tuningId, object: "fine_tuning.job", status: "validating_files", training_file: fileId },
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
    ask: `GET /v1/fine_tuning/jobs/${inUrl(tuningId)}`,
    calls: [{ call: `GET /model-customization-jobs/${tuningId}`, answer: tuning(more) }],
    gets: { status, training_file: fileId, ...told },
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

tryProcedures("bedrock", keeping, fineTuning);
