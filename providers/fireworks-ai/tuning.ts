import {
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
  unixSeconds,
  type Vendor,
} from "../../core/provider-kit/index.ts";
import { type Account, accountOf, below, idIn, lastPart } from "./account.ts";

/** States of jobs, without their prefix; all others are work. */
const statuses: Readonly<Record<string, FineTuningStatus>> = {
  UNSPECIFIED: "queued",
  CREATING: "queued",
  PENDING: "queued",
  VALIDATING: "validating_files",
  COMPLETED: "succeeded",
  FAILED: "failed",
  EXPIRED: "failed",
  CANCELLED: "cancelled",
  CANCELLING: "cancelled",
  DELETING: "cancelled",
};

/** Fine-tuning is a supervised job over a dataset (providers.md section 13.4). */
export function tuningProcedures(account: Account): ProcedureTable {
  const jobs = (rest = ""): string => below(account, `/supervisedFineTuningJobs${rest}`);
  const path = ({ id }: Named) => jobs(`/${idIn(id, "fine_tuning_job_id")}`);
  const job = async (named: Named, vendor: Vendor) =>
    jobOf(await (await vendor.call({ method: "GET", path: path(named) })).json());
  return {
    async createFinetune(request, vendor) {
      const json = jobFor(request, account, vendor);
      return jobOf(await (await vendor.call({ method: "POST", path: jobs(), json })).json());
    },
    async listFinetunes({ limit = 20, after }, vendor) {
      const query = { pageToken: after, pageSize: limit };
      const found = await (await vendor.call({ method: "GET", path: jobs(), query })).json();
      const all = found.supervisedFineTuningJobs;
      const data = Array.isArray(all) ? all.filter(isRecord).map(jobOf) : [];
      const next = found.nextPageToken;
      return typeof next === "string" && next !== "" ? { data, hasMore: true, next } : { data, hasMore: false };
    },
    retrieveFinetune: job,
    /** A job that is cancelled is gone: what it was is asked before. */
    async cancelFinetune(named, vendor): Promise<FineTuningJob> {
      const before = await job(named, vendor);
      await (await vendor.call({ method: "DELETE", path: path(named) })).text();
      return { ...before, status: "cancelled" };
    },
  };
}

function jobFor(
  { model, trainingFile, validationFile, suffix, hyperparameters, seed, method, own }: FineTuningRequest,
  account: Account,
  vendor: Vendor,
): Fields {
  if (method !== undefined && method !== "supervised") refuse("method.type", '"supervised"', method);
  if (seed !== undefined) vendor.report("seed");
  const { integrations, ...more } = own;
  if (integrations !== undefined) vendor.report("integrations");
  const dataset = (id: string, param: string) => `accounts/${accountOf(account)}/datasets/${idIn(id, param)}`;
  return {
    dataset: dataset(trainingFile, "training_file"),
    ...compact({
      evaluationDataset: validationFile && dataset(validationFile, "validation_file"),
      displayName: suffix,
      outputModel: suffix && `accounts/${accountOf(account)}/models/${idIn(suffix, "suffix")}`,
    }),
    baseModel: model,
    ...learningOf(hyperparameters, vendor),
    ...more,
  };
}

const names = { n_epochs: "epochs", learning_rate: "learningRate" };

/** What is `auto` is left to the vendor, who knows rates and no multipliers. */
function learningOf(given: FineTuningRequest["hyperparameters"], vendor: Vendor): Fields {
  const found: Fields = {};
  for (const [name, value] of Object.entries(given)) {
    const own = names[name as keyof typeof names];
    if (value === "auto" || value === null) continue;
    if (own === undefined) vendor.report(`hyperparameters.${name}`);
    else found[own] = value;
  }
  return found;
}

function jobOf(wire: Readonly<Fields>): FineTuningJob {
  const { name, baseModel, outputModel, dataset, evaluationDataset, state, status } = wire;
  if (typeof name !== "string") return raise("upstream_invalid", "The answer is not a job: it has no name.");
  const said = statuses[String(state ?? "").replace(/^JOB_STATE_/, "")] ?? "running";
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
  const file = (value: unknown) => (text(value) === undefined ? undefined : lastPart(String(value)));
  const problem = isRecord(status) ? text(status.message) : undefined;
  return {
    id: lastPart(name),
    status: said,
    ...compact({
      model: text(baseModel),
      createdAt: unixSeconds(wire.createTime),
      finishedAt: unixSeconds(wire.completedTime),
      fineTunedModel: said === "succeeded" ? text(outputModel) : undefined,
      trainingFile: file(dataset),
      validationFile: file(evaluationDataset),
      hyperparameters: compact({ n_epochs: wire.epochs, learning_rate: wire.learningRate }),
      error: said === "failed" && problem ? { code: null, message: problem, param: null } : undefined,
    }),
  };
}
