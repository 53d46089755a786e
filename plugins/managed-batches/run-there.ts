import { type BatchError, type BatchStatus, errorMessage, type Fields, isRecord } from "../../core/index.ts";
import { keyGone, today } from "./asker.ts";
import type { BatchDocument } from "./document.ts";
import { conclude, failed } from "./endings.ts";
import { fetchResults } from "./fetch-results.ts";
import { prefixOf } from "./gateway-options.ts";
import { guardInput } from "./guard-input.ts";
import { insist } from "./insist.ts";
import { inputKey } from "./output-files.ts";
import { getJson, type Headers, messageIn, postJson, type Said, upload } from "./provider-calls.ts";
import { secondsOf, type Work } from "./working.ts";

/** Has a batch done by a provider: each step is written down, and whoever goes on with it begins at the next one. */
export async function runThere(work: Work): Promise<void> {
  const { working, batch } = work;
  const { job } = batch.document;
  // Asking once more could have it done, and paid for, twice.
  if (job.starting && !job.id) return failed(work, "batch_start_failed", [startUnknown]);
  if (!job.id && !(await today(work))) return keyGone(work);
  const headers = headersFor(work, await working.headers.opened(batch.tenant, batch.id, batch.document.headers));
  if (batch.isCancelling && !batch.document.job.id) return conclude(work, "cancelled");
  if (batch.document.job.denied === undefined) await guardInput(work, headers);
  // What the provider counts is another matter: what it wrote is to be fetched.
  const { counts, job: given } = batch.document;
  if (given.denied === counts.total) return conclude(work, "completed");
  if (!batch.document.job.file && !(await uploaded(work, headers))) return;
  if (!batch.document.job.id && !(await started(work, headers))) return;
  // Whoever has fetched what came of it may have died before it was over. What is counted by then are lines of files.
  if (hasResults(batch.document)) return finished(work, `${batch.document.job.seen?.status}`);
  await watch(work, headers);
}

/** What vendors with lines of their own have to know beside them (inference-api.md section 3.4). */
function headersFor({ batch }: Work, given: Headers): Headers {
  const { model, endpoint } = batch.document.asked;
  const prefix = prefixOf(given);
  return {
    [`${prefix}provider-batch-endpoint`]: endpoint,
    ...(model !== undefined && { [`${prefix}provider-model`]: model }),
    ...given,
  };
}

async function uploaded(work: Work, headers: Headers): Promise<boolean> {
  const { batch, working } = work;
  const input = await working.blobs.get(inputKey(batch));
  if (!input) throw new Error(`the input of ${batch.id} is gone`);
  const prefix = prefixOf(headers);
  const sized = { ...headers, [`${prefix}file-upload-size`]: String(input.length) };
  const answer = await tried(() => upload(work, sized, { name: `${batch.id}.jsonl`, bytes: input.bytes }));
  if (work.signal.aborted) return false;
  const { id } = answer.json;
  if (answer.status >= 300 || typeof id !== "string") {
    await failed(work, "file_upload_failed", [problem("file_upload_failed", answer)]);
    return false;
  }
  const { provider } = answer;
  await batch.change(({ job }) => ({ job: { ...job, file: id, ...(provider !== undefined && { provider }) } }));
  return true;
}

/** Vendors of OpenAI's API take the model from the lines, and no word of it beside them. */
const readsModelInLines = new Set(["openai", "azure-openai", "azure-ai"]);

async function started(work: Work, headers: Headers): Promise<boolean> {
  const { batch, signal } = work;
  const { asked, job } = batch.document;
  await batch.change((document) => ({ job: { ...document.job, starting: true } }));
  if (batch.isCancelling) {
    await conclude(work, "cancelled");
    return false;
  }
  const { model, metadata, endpoint, own } = asked;
  const answer = await tried(() =>
    postJson(work, "/v1/batches", headers, {
      ...own,
      input_file_id: job.file,
      endpoint,
      completion_window: "24h",
      ...(model !== undefined && !readsModelInLines.has(job.provider ?? "") && { model }),
      ...(metadata && { metadata }),
    }),
  );
  if (signal.aborted && answer.status >= 300) return false;
  const { id } = answer.json;
  if (answer.status >= 300 || typeof id !== "string") {
    await failed(work, "batch_start_failed", [problem("batch_start_failed", answer)]);
    return false;
  }
  const inProgressAt = secondsOf(work);
  // Without its name it runs for nobody.
  await insist(work, () =>
    batch.advance("in_progress", {
      job: { ...batch.document.job, id, seen: answer.json },
      times: { ...batch.document.times, inProgressAt },
    }),
  );
  return true;
}

const startUnknown: BatchError = {
  code: "batch_start_unknown",
  message: "The gateway stopped while the batch was being started: it is not known whether it was.",
};

const problem = (code: string, { status, json }: Said) => ({
  code,
  message: messageIn(json) ?? `The provider answered ${status}.`,
});

/** A call that broke off says no more than one that was answered with an error. */
async function tried(call: () => Promise<Said>): Promise<Said> {
  try {
    return await call();
  } catch (error) {
    const message = errorMessage(error);
    return { status: 502, json: { error: { message } }, provider: undefined };
  }
}

const over = new Set(["completed", "failed", "expired", "cancelled"]);

/** How long after its time a batch is looked for whose provider says nothing of it any more, in seconds. */
const patience = 24 * 60 * 60;

/** Looks at the batch until the provider is done with it, and fetches what came of it. */
async function watch(work: Work, headers: Headers): Promise<void> {
  const status = await work.aside(() => watched(work, headers));
  if (status === undefined || work.leaving.aborted) return;
  if (await fetchResults(work, headers, status)) await finished(work, status);
}

/** How the batch ended; undefined where somebody else is to look on. */
async function watched(work: Work, headers: Headers): Promise<string | undefined> {
  const { batch, working, leaving } = work;
  const path = `/v1/batches/${encodeURIComponent(batch.document.job.id ?? "")}`;
  for (;;) {
    const status = await looked(work, path, headers);
    if (status !== undefined || leaving.aborted) return status;
    await working.clock.wait(working.options.statusInterval, leaving);
    if (leaving.aborted) return undefined;
    // Somebody may have cancelled it meanwhile.
    await batch.change();
  }
}

/** One look: how the batch ended, where it has. */
async function looked(work: Work, path: string, headers: Headers): Promise<string | undefined> {
  const { batch } = work;
  if (batch.isCancelling && !batch.document.job.stopping) {
    const { status } = await tried(() => postJson(work, `${path}/cancel`, headers, {}));
    // One that cannot be stopped any more says so, and is looked at until it ends.
    if (status < 500) await batch.change(({ job }) => ({ job: { ...job, stopping: true } }));
  }
  const { status, json } = await tried(() => getJson(work, path, headers));
  if (status >= 300) return isGivenUp(work) ? "expired" : undefined;
  const said = typeof json.status === "string" ? json.status : "in_progress";
  const known = { job: { ...batch.document.job, seen: json }, ...countsIn(json, batch.document) };
  if (over.has(said)) {
    await batch.change(() => known);
    return said;
  }
  await batch.advance(said === "finalizing" ? "finalizing" : "in_progress", known);
  return undefined;
}

function isGivenUp(work: Work): boolean {
  const { batch } = work;
  const { expiresAt = 0 } = batch.document.times;
  return secondsOf(work) > expiresAt + patience;
}

/** What the provider counts are the rows it was given. */
function countsIn(json: Readonly<Fields>, { counts, job }: BatchDocument): Partial<BatchDocument> {
  const said = json.request_counts;
  if (!isRecord(said)) return {};
  const failed = (Number(said.failed) || 0) + (job.denied ?? 0);
  return { counts: { total: counts.total, completed: Number(said.completed) || 0, failed } };
}

const hasResults = ({ job, progress }: BatchDocument): boolean => job.fetched === true || progress.parts.output > 0;

const statuses: Readonly<Record<string, BatchStatus>> = {
  completed: "completed",
  expired: "expired",
  cancelled: "cancelled",
};

async function finished(work: Work, said: string): Promise<void> {
  const status = statuses[said];
  if (status === "completed" || status === "expired" || status === "cancelled") return conclude(work, status);
  const { seen } = work.batch.document.job;
  return failed(work, "failed", errorsIn(seen));
}

function errorsIn(seen: Readonly<Fields> | undefined): readonly BatchError[] {
  const data = isRecord(seen?.errors) ? seen.errors.data : undefined;
  const list: unknown[] = Array.isArray(data) ? data : [];
  const known = list.filter((one): one is BatchError & Fields => isRecord(one) && typeof one.message === "string");
  return known.length > 0 ? known : [{ code: "batch_failed", message: "The provider says that the batch failed." }];
}
