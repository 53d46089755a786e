import {
  addressId,
  type Batch,
  type BatchStatus,
  compact,
  type Fields,
  isRecord,
  raise,
  unixSeconds,
} from "../../core/provider-kit/index.ts";
import { batchEndpoints } from "./storage.ts";

/** States of jobs, without their prefix; all others come before the work (providers.md section 8.9). */
const statuses: Readonly<Record<string, BatchStatus>> = {
  RUNNING: "in_progress",
  UPDATING: "in_progress",
  SUCCEEDED: "completed",
  PARTIALLY_SUCCEEDED: "completed",
  FAILED: "failed",
  CANCELLING: "cancelling",
  CANCELLED: "cancelled",
  EXPIRED: "expired",
};

export const stateOf = ({ state }: Readonly<Fields>): string => String(state ?? "").replace(/^JOB_STATE_/, "");

export const isEmbedding = (model: string): boolean => model.includes("embedding");

const endings = {
  completed: "completedAt",
  failed: "failedAt",
  cancelled: "cancelledAt",
  expired: "expiredAt",
} as const;

/** The last part of a name: `projects/…/batchPredictionJobs/123`. */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf("/") + 1);

/** The name of a model as clients know it: with its publisher in front, unless that is the vendor. */
export function askedAs(model: string): string {
  const [, publisher, name] = /^publishers\/([^/]+)\/models\/(.+)$/.exec(model) ?? [];
  if (name === undefined) return model;
  return publisher === "google" ? name : `${publisher}.${name}`;
}

/** A job of prediction as a batch. */
export function batchOf(job: Readonly<Fields>): Batch {
  const { name, model, error, labels, completionStats } = job;
  if (typeof name !== "string") return raise("upstream_invalid", "The answer is not a job: it has no name.");
  const status = statuses[stateOf(job)] ?? "validating";
  const ending = endings[status as keyof typeof endings];
  return {
    id: lastPart(name),
    status,
    completionWindow: "24h",
    ...(typeof model === "string" && {
      model: askedAs(model),
      endpoint: isEmbedding(model) ? batchEndpoints[1] : batchEndpoints[0],
    }),
    ...compact({
      inputFileId: inputOf(job),
      outputFileId: status === "completed" ? idOf(outputUri(job)) : undefined,
      createdAt: unixSeconds(job.createTime),
      inProgressAt: unixSeconds(job.startTime),
      counts: countsIn(completionStats),
      errors: isRecord(error) ? [{ code: String(error.code), message: String(error.message) }] : undefined,
    }),
    ...(ending && compact({ [ending]: unixSeconds(job.endTime) })),
    ...(isRecord(labels) && { metadata: labels as Readonly<Record<string, string>> }),
  };
}

function inputOf({ inputConfig }: Readonly<Fields>): string | undefined {
  const source = isRecord(inputConfig) ? inputConfig.gcsSource : undefined;
  const uris = isRecord(source) && Array.isArray(source.uris) ? source.uris : [];
  return idOf(uris[0]);
}

/** Where the predictions are: files of embeddings are numbered, and there is one of them. */
export function outputUri({ outputInfo, model }: Readonly<Fields>): string | undefined {
  const folder = isRecord(outputInfo) ? outputInfo.gcsOutputDirectory : undefined;
  if (typeof folder !== "string") return undefined;
  const file = isEmbedding(String(model)) ? "000000000000.jsonl" : "predictions.jsonl";
  return `${folder.replace(/\/+$/, "")}/${file}`;
}

const idOf = (uri: unknown): string | undefined => (typeof uri === "string" ? addressId(uri) : undefined);

/** Counts are texts of digits, and absent where they are nothing. */
function countsIn(stats: unknown): Batch["counts"] {
  if (!isRecord(stats)) return undefined;
  const [completed, failed, left] = [stats.successfulCount, stats.failedCount, stats.incompleteCount].map((count) =>
    Number(count ?? 0),
  ) as [number, number, number];
  // What is left is -1 where nobody counted it.
  return left < 0 ? undefined : { total: completed + failed + left, completed, failed };
}
