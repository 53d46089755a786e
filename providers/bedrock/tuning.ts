import { randomUUID } from "node:crypto";
import {
  addressId,
  compact,
  type Fields,
  type FineTuningJob,
  type FineTuningRequest,
  type FineTuningStatus,
  folderOf,
  isRecord,
  type Named,
  type ProcedureTable,
  raise,
  refuse,
  type Storage,
  unixSeconds,
  type Vendor,
} from "../../core/provider-kit/index.ts";
import { arnIn, asked, control, folderIn, roleIn, uriIn } from "./jobs.ts";
import type { BedrockOptions } from "./options.ts";
import { storageOf } from "./storage.ts";

/** Statuses of jobs (providers.md section 9.9). */
const statuses: Readonly<Record<string, FineTuningStatus>> = {
  Completed: "succeeded",
  Failed: "failed",
  InProgress: "running",
  Stopping: "cancelled",
  Stopped: "cancelled",
};

const jobPath = ({ id }: Named): string =>
  `/model-customization-jobs/${encodeURIComponent(arnIn(id, "model-customization-job", "fine_tuning_job_id"))}`;

/** Fine-tuning is a customization job over a file in a bucket (providers.md section 9.9). */
export function tuningProcedures(options: BedrockOptions): ProcedureTable {
  const storage = storageOf(options);
  const path = control(options, "/model-customization-jobs");
  const job = async (named: Named, vendor: Vendor) =>
    jobOf(await asked(vendor, { method: "GET", path: control(options, jobPath(named)) }));

  return {
    async createFinetune(request, vendor): Promise<FineTuningJob> {
      const json = jobFor(request, storage, vendor);
      const { jobArn } = await asked(vendor, { method: "POST", path, json });
      if (typeof jobArn !== "string") return raise("upstream_invalid", "The answer is not a job: it has no ARN.");
      const { model, trainingFile, validationFile, hyperparameters } = request;
      return {
        id: addressId(jobArn),
        status: "validating_files",
        model,
        createdAt: vendor.now,
        trainingFile,
        hyperparameters,
        ...compact({ validationFile }),
      };
    },
    async listFinetunes({ limit = 20, after }, vendor) {
      const found = await asked(vendor, { method: "GET", path, query: { maxResults: limit, nextToken: after } });
      const { modelCustomizationJobSummaries: jobs, nextToken: next } = found;
      const data = Array.isArray(jobs) ? jobs.filter(isRecord).map(jobOf) : [];
      return typeof next === "string" && next !== "" ? { data, hasMore: true, next } : { data, hasMore: false };
    },
    retrieveFinetune: job,
    async cancelFinetune(named, vendor) {
      await (await vendor.call({ method: "POST", path: control(options, `${jobPath(named)}/stop`) })).text();
      return job(named, vendor);
    },
  };
}

function jobFor(
  { model, trainingFile, validationFile, suffix, hyperparameters, seed, method, own }: FineTuningRequest,
  storage: Storage,
  vendor: Vendor,
): Fields {
  const { job_name, role_arn, output_file: output, output_data_config: folder, integrations, ...more } = own;
  if (method !== undefined && method !== "supervised") refuse("method.type", '"supervised"', method);
  if (seed !== undefined) vendor.report("seed");
  if (integrations !== undefined) vendor.report("integrations");
  const training = storage.read(trainingFile, "training_file");
  const validation = validationFile && storage.uri(storage.read(validationFile, "validation_file"));
  const wanted = output ?? folder;
  return {
    baseModelIdentifier: model,
    customModelName: suffix ?? `gateway-model-${randomUUID()}`,
    hyperParameters: hyperParametersOf(hyperparameters, vendor),
    trainingDataConfig: { s3Uri: storage.uri(training) },
    ...(validation && { validationDataConfig: { validators: [{ s3Uri: validation }] } }),
    outputDataConfig: {
      s3Uri:
        wanted === undefined
          ? storage.uri({ ...training, key: folderOf(training.key) })
          : folderIn(isRecord(wanted) ? wanted.s3Uri : wanted, storage, "output_file"),
    },
    jobName: typeof job_name === "string" ? job_name : `gateway-fine-tune-job-${randomUUID()}`,
    roleArn: roleIn({ role_arn }),
    customizationType: "FINE_TUNING",
    ...more,
  };
}

const names = { n_epochs: "epochCount", learning_rate_multiplier: "learningRateMultiplier", batch_size: "batchSize" };

/** Values are texts here. What is `auto` is left to the vendor. */
function hyperParametersOf(given: FineTuningRequest["hyperparameters"], vendor: Vendor): Fields {
  const found: Fields = {};
  for (const [name, value] of Object.entries(given)) {
    const own = names[name as keyof typeof names];
    if (own === undefined) vendor.report(`hyperparameters.${name}`);
    else if (value !== "auto" && value !== null) found[own] = String(value);
  }
  return found;
}

function jobOf(wire: Readonly<Fields>): FineTuningJob {
  const { jobArn, baseModelArn, failureMessage, hyperParameters, validationDataConfig: validation } = wire;
  if (typeof jobArn !== "string") return raise("upstream_invalid", "The answer is not a job: it has no ARN.");
  const status = statuses[String(wire.status)] ?? "queued";
  const made = wire.outputModelArn ?? wire.customModelArn;
  const training = uriIn(wire.trainingDataConfig);
  const validators = isRecord(validation) && Array.isArray(validation.validators) ? validation.validators : [];
  const validationUri = uriIn(validators[0]);
  return {
    id: addressId(jobArn),
    status,
    ...compact({
      model: typeof baseModelArn === "string" ? baseModelArn : undefined,
      createdAt: unixSeconds(wire.creationTime),
      finishedAt: unixSeconds(wire.endTime),
      fineTunedModel: typeof made === "string" ? made : undefined,
      trainingFile: training && addressId(training),
      validationFile: validationUri && addressId(validationUri),
      hyperparameters: hyperparametersIn(hyperParameters),
      error:
        typeof failureMessage === "string" && failureMessage !== ""
          ? { code: null, message: failureMessage, param: null }
          : undefined,
    }),
  };
}

function hyperparametersIn(given: unknown): Fields | undefined {
  if (!isRecord(given)) return undefined;
  const known = Object.entries(names).map(([name, own]) => [name, given[own]] as const);
  return Object.fromEntries(
    known.filter(([, value]) => value !== undefined).map(([name, value]) => [name, Number(value)]),
  );
}
