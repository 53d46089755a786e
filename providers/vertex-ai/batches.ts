import { randomUUID } from "node:crypto";
import {
  type Batch,
  type BatchRequest,
  compact,
  type Fields,
  folderOf,
  isRecord,
  type Named,
  type PageQuery,
  type ProcedureTable,
  refuse,
  type Storage,
  type Vendor,
} from "../../core/provider-kit/index.ts";
import { outputOf } from "./batch-output.ts";
import { batchOf } from "./batch-record.ts";
import { modelOf } from "./models.ts";
import { prefixOf } from "./operations.ts";
import type { VertexOptions } from "./options.ts";
import { batchEndpoints, storageOf } from "./storage.ts";

/** Batches are jobs of prediction over a file in a bucket (providers.md section 8.9). */
export function batchProcedures(options: VertexOptions): ProcedureTable {
  const storage = storageOf(options);
  const path = `${prefixOf(options)}/batchPredictionJobs`;
  const jobPath = ({ id }: Named) => `${path}/${numberIn(id)}`;
  const job = async (named: Named, vendor: Vendor) =>
    (await vendor.call({ method: "GET", path: jobPath(named) })).json();

  return {
    async createBatch(request, vendor): Promise<Batch> {
      const json = jobFor(request, options, storage, vendor);
      const made = await (await vendor.call({ method: "POST", path, json })).json();
      return { ...batchOf(made), ...compact({ endpoint: request.endpoint }) };
    },

    async listBatches(query, vendor) {
      const reply = await vendor.call({ method: "GET", path, query: await pageOf(query, vendor, job) });
      const { batchPredictionJobs: jobs, nextPageToken: next } = await reply.json();
      const data = Array.isArray(jobs) ? jobs.filter(isRecord).map(batchOf) : [];
      return { data, hasMore: typeof next === "string" && next !== "" };
    },

    async retrieveBatch(named, vendor) {
      return batchOf(await job(named, vendor));
    },

    async cancelBatch(named, vendor): Promise<Batch> {
      await (await vendor.call({ method: "POST", path: `${jobPath(named)}:cancel` })).text();
      const batch = batchOf(await job(named, vendor));
      // It is being cancelled from now on, whatever its state says of it yet.
      return batch.status === "in_progress" || batch.status === "validating"
        ? { ...batch, status: "cancelling" }
        : batch;
    },

    async getBatchOutput(named, vendor) {
      return outputOf(await job(named, vendor), { options, storage, vendor });
    },
  };
}

/** Ids are the last part of a job's name: a number. */
function numberIn(id: string): string {
  return /^\d+$/.test(id) ? id : refuse("batch_id", "the number of a job", id);
}

/** A page begins behind a job, or at a token of the vendor's. */
async function pageOf(
  { limit = 20, after }: PageQuery,
  vendor: Vendor,
  job: (named: Named, vendor: Vendor) => Promise<Fields>,
): Promise<Readonly<Record<string, string | number | undefined>>> {
  if (after === undefined || !/^\d+$/.test(after)) return { pageSize: limit, pageToken: after };
  const { createTime } = await job({ id: after }, vendor);
  return { pageSize: limit, filter: `create_time<"${String(createTime)}"` };
}

function jobFor(
  { inputFileId, endpoint, model: asked, completionWindow, metadata, own }: BatchRequest,
  options: VertexOptions,
  storage: Storage,
  vendor: Vendor,
): Fields {
  const { job_name: name, output_data_config: output, output_expires_after: expiry, ...more } = own;
  const model = asked ?? options.fileModel ?? vendor.model ?? refuse("model", "the model of the batch", undefined);
  const { publisher, name: modelName } = modelOf(model);
  if (publisher === "endpoints") refuse("model", "a model of a publisher: endpoints have no batches", model);
  const endpoints: readonly string[] = batchEndpoints;
  if (!endpoints.includes(endpoint ?? "")) refuse("endpoint", endpoints.join(" or "), endpoint);
  if (completionWindow !== undefined && completionWindow !== "24h")
    refuse("completion_window", '"24h"', completionWindow);
  const input = storage.read(inputFileId ?? refuse("input_file_id", "the id of a file", undefined), "input_file_id");
  if (expiry !== undefined) vendor.report("output_expires_after");
  const labels = labelsOf(metadata, vendor);
  return {
    model: `publishers/${publisher}/models/${modelName}`,
    inputConfig: { instancesFormat: "jsonl", gcsSource: { uris: [storage.uri(input)] } },
    outputConfig: {
      predictionsFormat: "jsonl",
      gcsDestination: {
        outputUriPrefix: prefixFrom(output, storage) ?? storage.uri({ ...input, key: folderOf(input.key) }),
      },
    },
    displayName: typeof name === "string" ? name : randomUUID(),
    instanceConfig: { excludedFields: ["requestId"], includedFields: [], instanceType: "object" },
    ...compact({ labels }),
    ...more,
  };
}

/** A folder of a bucket, which may be the bucket itself. */
function prefixFrom(output: unknown, storage: Storage): string | undefined {
  if (output === undefined || output === null) return undefined;
  const address = isRecord(output) ? output.outputUriPrefix : output;
  if (typeof address !== "string")
    return refuse("output_data_config", "the address of a folder, as gs://BUCKET/", output);
  const place = storage.read(`${address.replace(/\/*$/, "")}/-`, "output_data_config");
  return storage.uri({ ...place, key: folderOf(place.key) });
}

const labelName = /^[a-z][a-z0-9_-]{0,62}$/;
const labelValue = /^[a-z0-9_-]{0,63}$/;

/** Labels of the job, where they can hold it: that is what this vendor gives back. */
function labelsOf(metadata: BatchRequest["metadata"], vendor: Vendor): Fields | undefined {
  if (!metadata) return undefined;
  const fits = ([name, value]: [string, string]) => labelName.test(name) && labelValue.test(value);
  if (Object.entries(metadata).every(fits)) return { ...metadata };
  vendor.report("metadata");
  return undefined;
}
