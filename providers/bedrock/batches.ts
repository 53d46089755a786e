import { randomUUID } from "node:crypto";
import {
  addressId,
  type Batch,
  type BatchRequest,
  type BatchStatus,
  compact,
  type Fields,
  folderOf,
  isRecord,
  type Named,
  type PageQuery,
  type ProcedureTable,
  raise,
  refuse,
  type Storage,
  unixSeconds,
  type Vendor,
} from "../../core/provider-kit/index.ts";
import { outputOf } from "./batch-output.ts";
import { arnIn, asked, control, folderIn, inputUri, roleIn } from "./jobs.ts";
import { endpointOf, isConversed } from "./lines.ts";
import type { BedrockOptions } from "./options.ts";
import { storageOf } from "./storage.ts";

/** Statuses of jobs (providers.md section 9.9). */
const statuses: Readonly<Record<string, BatchStatus>> = {
  Submitted: "validating",
  Validating: "validating",
  Scheduled: "in_progress",
  InProgress: "in_progress",
  Completed: "completed",
  PartiallyCompleted: "completed",
  Failed: "failed",
  Stopping: "cancelling",
  Stopped: "cancelled",
  Expired: "expired",
};

const arnOf = ({ id }: Named): string => arnIn(id, "model-invocation-job", "batch_id");
const jobPath = (named: Named): string => `/model-invocation-job/${encodeURIComponent(arnOf(named))}`;

/** Batches are invocation jobs over a file in a bucket (providers.md section 9.9). */
export function batchProcedures(options: BedrockOptions): ProcedureTable {
  const storage = storageOf(options);
  const job = (named: Named, vendor: Vendor) =>
    asked(vendor, { method: "GET", path: control(options, jobPath(named)) });

  return {
    async createBatch(request, vendor): Promise<Batch> {
      const json = jobFor(request, options, storage, vendor);
      const made = await asked(vendor, { method: "POST", path: control(options, "/model-invocation-job"), json });
      const arn = made.jobArn;
      if (typeof arn !== "string") return raise("upstream_invalid", "The answer is not a job: it has no ARN.");
      const model = String(json.modelId);
      return {
        id: addressId(arn),
        status: "validating",
        endpoint: request.endpoint ?? endpointOf(model),
        completionWindow: request.completionWindow ?? "24h",
        createdAt: vendor.now,
        model,
        ...compact({ inputFileId: request.inputFileId }),
      };
    },

    async listBatches(query, vendor) {
      const path = control(options, "/model-invocation-jobs");
      const found = await asked(vendor, { method: "GET", path, query: await pageOf(query, vendor, job) });
      const { invocationJobSummaries: jobs, nextToken: next } = found;
      const data = Array.isArray(jobs) ? jobs.filter(isRecord).map(batchOf) : [];
      return { data, hasMore: typeof next === "string" && next !== "" };
    },

    async retrieveBatch(named, vendor) {
      return batchOf(await job(named, vendor));
    },

    async cancelBatch(named, vendor): Promise<Batch> {
      const path = control(options, `${jobPath(named)}/stop`);
      await (await vendor.call({ method: "POST", path })).text();
      const batch = batchOf(await job(named, vendor));
      // It is being stopped from now on, whatever its status says of it yet.
      return batch.status === "in_progress" || batch.status === "validating"
        ? { ...batch, status: "cancelling" }
        : batch;
    },

    async getBatchOutput(named, vendor) {
      return outputOf(await job(named, vendor), options, vendor);
    },
  };
}

/** A page begins behind a job, or at a token of the vendor's. */
async function pageOf(
  { limit = 20, after }: PageQuery,
  vendor: Vendor,
  job: (named: Named, vendor: Vendor) => Promise<Fields>,
): Promise<Readonly<Record<string, string | number | undefined>>> {
  const query = { maxResults: limit, sortBy: "CreationTime", sortOrder: "Descending" };
  if (after === undefined || !/^arn(?::|%3A)/i.test(after)) return { ...query, nextToken: after };
  const { submitTime } = await job({ id: after }, vendor);
  return { ...query, submitTimeBefore: String(submitTime) };
}

function jobFor(
  { inputFileId, model: wanted, endpoint, completionWindow, metadata, own }: BatchRequest,
  options: BedrockOptions,
  storage: Storage,
  vendor: Vendor,
): Fields {
  const { job_name, role_arn, output_data_config: output, output_expires_after: expiry, ...more } = own;
  const { fileModel, lineModel, kmsKeyId } = options;
  const modelId =
    wanted ?? fileModel ?? lineModel ?? vendor.model ?? refuse("model", "the model of the batch", undefined);
  if (endpoint === undefined || endpoint === "/v1/responses")
    refuse("endpoint", "/v1/chat/completions, /v1/completions or /v1/embeddings", endpoint);
  const input = storage.read(inputFileId ?? refuse("input_file_id", "the id of a file", undefined), "input_file_id");
  if (metadata) vendor.report("metadata");
  if (expiry !== undefined) vendor.report("output_expires_after");
  const s3Uri =
    output === undefined || output === null
      ? storage.uri({ ...input, key: folderOf(input.key) })
      : folderIn(isRecord(output) ? output.s3Uri : output, storage, "output_data_config");
  return {
    modelId,
    inputDataConfig: { s3InputDataConfig: { s3Uri: storage.uri(input) } },
    jobName: typeof job_name === "string" ? job_name : `gateway-batch-job-${randomUUID()}`,
    outputDataConfig: { s3OutputDataConfig: { s3Uri, ...compact({ s3EncryptionKeyId: kmsKeyId }) } },
    roleArn: roleIn({ role_arn }),
    ...(isConversed(modelId) && { modelInvocationType: "Converse" }),
    ...compact({ timeoutDurationInHours: hoursIn(completionWindow) }),
    ...more,
  };
}

/** The vendor's own limit where another one is asked for than the usual day. */
function hoursIn(window: string | undefined): number | undefined {
  if (window === undefined || window === "24h") return undefined;
  const hours = Number(/^(\d+)h$/.exec(window)?.[1]);
  return hours >= 24 && hours <= 168 ? hours : refuse("completion_window", "24h to 168h", window);
}

const endings = {
  completed: "completedAt",
  failed: "failedAt",
  cancelled: "cancelledAt",
  expired: "expiredAt",
} as const;

function batchOf(job: Readonly<Fields>): Batch {
  const { jobArn, modelId, message, timeoutDurationInHours: hours } = job;
  if (typeof jobArn !== "string") return raise("upstream_invalid", "The answer is not a job: it has no ARN.");
  const status =
    statuses[String(job.status)] ??
    raise("upstream_invalid", `The job has a status nobody knows: ${JSON.stringify(job.status)}.`);
  const ending = endings[status as keyof typeof endings];
  const input = inputUri(job);
  return {
    id: addressId(jobArn),
    status,
    completionWindow: typeof hours === "number" ? `${hours}h` : "24h",
    ...(typeof modelId === "string" && { model: modelId, endpoint: endpointOf(modelId) }),
    ...compact({
      inputFileId: input && addressId(input),
      createdAt: unixSeconds(job.submitTime),
      expiresAt: unixSeconds(job.jobExpirationTime),
      counts: countsIn(job),
      errors: typeof message === "string" && message !== "" ? [{ message }] : undefined,
    }),
    ...(ending && compact({ [ending]: unixSeconds(job.endTime) })),
  };
}

function countsIn(job: Readonly<Fields>): Batch["counts"] {
  const { totalRecordCount: total, successRecordCount: completed, errorRecordCount: failed } = job;
  if (typeof total !== "number" || typeof completed !== "number" || typeof failed !== "number") return undefined;
  return { total, completed, failed };
}
