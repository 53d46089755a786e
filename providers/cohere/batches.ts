import {
  type Batch,
  type BatchRequest,
  type BatchStatus,
  compact,
  type Fields,
  isRecord,
  type Named,
  type ProcedureTable,
  raise,
  refuse,
  unixSeconds,
  type Vendor,
} from "../../core/provider-kit/index.ts";
import { outputOf } from "./batch-output.ts";

const path = "/v1/embed-jobs";
const jobPath = ({ id }: Named): string => `${path}/${encodeURIComponent(id)}`;

const statuses: Readonly<Record<string, BatchStatus>> = {
  processing: "in_progress",
  complete: "completed",
  cancelling: "cancelling",
  cancelled: "cancelled",
  failed: "failed",
};

/** What this vendor calls what batches here ask. */
const endpoint = "/v1/embed";

const job = async (named: Named, vendor: Vendor): Promise<Fields> =>
  (await vendor.call({ method: "GET", path: jobPath(named) })).json();

/** Batches are embed jobs over a dataset (providers.md section 12.5). */
export const batchProcedures: ProcedureTable = {
  async createBatch(request, vendor): Promise<Batch> {
    const json = jobFor(request, vendor);
    const { job_id: id } = await (await vendor.call({ method: "POST", path, json })).json();
    if (typeof id !== "string") return raise("upstream_invalid", "The answer is not a job: it has no job_id.");
    return {
      id,
      status: "in_progress",
      endpoint,
      completionWindow: request.completionWindow ?? "24h",
      createdAt: vendor.now,
      ...compact({ inputFileId: request.inputFileId, model: request.model ?? vendor.model }),
    };
  },

  async listBatches({ limit, after }, vendor) {
    const { embed_jobs: jobs } = await (await vendor.call({ method: "GET", path })).json();
    const all = Array.isArray(jobs) ? jobs.filter(isRecord).map(batchOf) : [];
    // They come all at once: a page is cut here.
    const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    if (after !== undefined && from === 0) refuse("after", "the id of a batch", after);
    const data = all.slice(from, from + (limit ?? 20));
    return { data, hasMore: from + data.length < all.length };
  },

  async retrieveBatch(named, vendor) {
    return batchOf(await job(named, vendor));
  },

  async cancelBatch(named, vendor): Promise<Batch> {
    await (await vendor.call({ method: "POST", path: `${jobPath(named)}/cancel` })).text();
    const batch = batchOf(await job(named, vendor));
    return batch.status === "in_progress" ? { ...batch, status: "cancelling" } : batch;
  },

  async getBatchOutput(named, vendor) {
    return outputOf(await job(named, vendor), vendor);
  },
};

function jobFor(
  { inputFileId, endpoint: asked, model, completionWindow, metadata, own }: BatchRequest,
  vendor: Vendor,
): Fields {
  if (asked !== "/v1/embeddings") refuse("endpoint", "/v1/embeddings: all other batches are not to be had here", asked);
  if (completionWindow !== undefined && completionWindow !== "24h")
    refuse("completion_window", '"24h"', completionWindow);
  if (metadata) vendor.report("metadata");
  const { output_expires_after: expiry, job_name, name = job_name, input_type = "search_document", ...more } = own;
  if (expiry !== undefined) vendor.report("output_expires_after");
  return {
    model: model ?? vendor.model ?? refuse("model", "the model of the batch", undefined),
    dataset_id: inputFileId ?? refuse("input_file_id", "the id of a file", undefined),
    input_type,
    ...compact({ name }),
    ...more,
  };
}

function batchOf(wire: Readonly<Fields>): Batch {
  const { job_id: id, status, model, input_dataset_id: input, output_dataset_id: output } = wire;
  if (typeof id !== "string") return raise("upstream_invalid", "The answer is not a job: it has no job_id.");
  return {
    id,
    status:
      statuses[String(status)] ??
      raise("upstream_invalid", `The job has a status nobody knows: ${JSON.stringify(status)}.`),
    endpoint,
    completionWindow: "24h",
    ...compact({
      model: typeof model === "string" ? model : undefined,
      inputFileId: typeof input === "string" ? input : undefined,
      outputFileId: typeof output === "string" && output !== "" ? output : undefined,
      createdAt: unixSeconds(wire.created_at),
    }),
  };
}
