import {
  addressId,
  compact,
  type Fields,
  type FineTuningJob,
  type FineTuningRequest,
  type FineTuningStatus,
  isRecord,
  type Named,
  type ProcedureTable,
  raise,
  refuse,
  type Storage,
  unixSeconds,
  type Vendor,
} from "../../core/provider-kit/index.ts";
import { lastPart, stateOf } from "./batch-record.ts";
import { modelOf } from "./models.ts";
import { prefixOf } from "./operations.ts";
import type { VertexOptions } from "./options.ts";
import { storageOf } from "./storage.ts";

/** States of jobs, without their prefix; all others come before the work (providers.md section 8.9). */
const statuses: Readonly<Record<string, FineTuningStatus>> = {
  SUCCEEDED: "succeeded",
  PARTIALLY_SUCCEEDED: "succeeded",
  FAILED: "failed",
  CANCELLED: "cancelled",
  CANCELLING: "cancelled",
  EXPIRED: "cancelled",
  RUNNING: "running",
  UPDATING: "running",
};

/** Fine-tuning is a tuning job over a file in a bucket. */
export function tuningProcedures(options: VertexOptions): ProcedureTable {
  const storage = storageOf(options);
  const path = `${prefixOf(options)}/tuningJobs`;
  const jobPath = ({ id }: Named) =>
    `${path}/${/^\d+$/.test(id) ? id : refuse("fine_tuning_job_id", "the number of a job", id)}`;
  const job = async (named: Named, vendor: Vendor) =>
    jobOf(await (await vendor.call({ method: "GET", path: jobPath(named) })).json());

  return {
    async createFinetune(request, vendor) {
      const json = jobFor(request, storage, vendor);
      return jobOf(await (await vendor.call({ method: "POST", path, json })).json());
    },
    async listFinetunes({ limit = 20, after }, vendor) {
      const query = { pageSize: limit, pageToken: after };
      const { tuningJobs, nextPageToken: next } = await (await vendor.call({ method: "GET", path, query })).json();
      const data = Array.isArray(tuningJobs) ? tuningJobs.filter(isRecord).map(jobOf) : [];
      return typeof next === "string" && next !== "" ? { data, hasMore: true, next } : { data, hasMore: false };
    },
    retrieveFinetune: job,
    async cancelFinetune(named, vendor) {
      await (await vendor.call({ method: "POST", path: `${jobPath(named)}:cancel` })).text();
      return job(named, vendor);
    },
  };
}

function jobFor(
  { model, trainingFile, validationFile, suffix, hyperparameters, seed, method, own }: FineTuningRequest,
  storage: Storage,
  vendor: Vendor,
): Fields {
  if (method !== undefined && method !== "supervised") refuse("method.type", '"supervised"', method);
  if (seed !== undefined) vendor.report("seed");
  const { integrations, ...more } = own;
  if (integrations !== undefined) vendor.report("integrations");
  return {
    baseModel: modelOf(model).name,
    supervisedTuningSpec: compact({
      training_dataset_uri: storage.uri(storage.read(trainingFile, "training_file")),
      validation_dataset_uri: validationFile && storage.uri(storage.read(validationFile, "validation_file")),
      hyperParameters: hyperParametersOf(hyperparameters, vendor),
    }),
    ...compact({ tunedModelDisplayName: suffix }),
    ...more,
  };
}

/** Sizes of adapters have names. */
const adapterSizes: Readonly<Record<string, string>> = {
  1: "ADAPTER_SIZE_ONE",
  2: "ADAPTER_SIZE_TWO",
  4: "ADAPTER_SIZE_FOUR",
  8: "ADAPTER_SIZE_EIGHT",
  16: "ADAPTER_SIZE_SIXTEEN",
  32: "ADAPTER_SIZE_THIRTY_TWO",
};

/** What is `auto` is left to the vendor. */
function hyperParametersOf(given: FineTuningRequest["hyperparameters"], vendor: Vendor): Fields | undefined {
  const { n_epochs, learning_rate_multiplier, batch_size, ...others } = given;
  for (const name of Object.keys(others)) vendor.report(`hyperparameters.${name}`);
  const said = (value: unknown) => (value === "auto" ? undefined : value);
  const size = said(batch_size);
  const found = compact({
    epochCount: said(n_epochs),
    learningRateMultiplier: said(learning_rate_multiplier),
    adapterSize: size === undefined ? undefined : adapterSizeOf(size),
  });
  return Object.keys(found).length > 0 ? found : undefined;
}

const adapterSizeOf = (size: unknown): string =>
  adapterSizes[String(size)] ??
  refuse(
    "hyperparameters.batch_size",
    `one of ${Object.keys(adapterSizes).join(", ")}: it is the adapter's size here`,
    size,
  );

function jobOf(wire: Readonly<Fields>): FineTuningJob {
  const { name, baseModel, error, tunedModel } = wire;
  if (typeof name !== "string") return raise("upstream_invalid", "The answer is not a tuning job: it has no name.");
  const status = statuses[stateOf(wire)] ?? "queued";
  const made = isRecord(tunedModel) ? (tunedModel.endpoint ?? tunedModel.model) : undefined;
  const spec = isRecord(wire.supervisedTuningSpec) ? wire.supervisedTuningSpec : {};
  return {
    id: lastPart(name),
    status,
    ...compact({
      model: typeof baseModel === "string" ? baseModel : undefined,
      createdAt: unixSeconds(wire.createTime),
      finishedAt: unixSeconds(wire.endTime),
      fineTunedModel: typeof made === "string" ? made : undefined,
      trainingFile: fileIn(spec.trainingDatasetUri ?? spec.training_dataset_uri),
      validationFile: fileIn(spec.validationDatasetUri ?? spec.validation_dataset_uri),
      hyperparameters: hyperparametersIn(spec.hyperParameters),
      error: isRecord(error) ? { code: String(error.code), message: String(error.message), param: null } : undefined,
    }),
  };
}

const fileIn = (uri: unknown): string | undefined => (typeof uri === "string" ? addressId(uri) : undefined);

function hyperparametersIn(given: unknown): Fields | undefined {
  if (!isRecord(given)) return undefined;
  const { epochCount, learningRateMultiplier, adapterSize } = given;
  const size = Object.keys(adapterSizes).find((one) => adapterSizes[one] === adapterSize);
  return compact({
    // Whole numbers of 64 bits are texts in this vendor's JSON.
    n_epochs: epochCount === undefined ? undefined : Number(epochCount),
    learning_rate_multiplier: learningRateMultiplier,
    batch_size: size === undefined ? undefined : Number(size),
  });
}
