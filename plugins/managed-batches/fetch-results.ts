import { type Usage, usageSum } from "../../core/index.ts";
import { pauseAfter } from "./clock.ts";
import { tokensOf, type Used } from "./document.ts";
import { ResultReader, type Results } from "./guard-output.ts";
import { getBytes, type Headers, NoBytes } from "./provider-calls.ts";
import type { Work } from "./working.ts";

/** Milliseconds between two tries to fetch what a provider has written, at first. */
const firstPause = 5_000;
const mostTries = 6;

/**
 * Fetches what the provider wrote, has guardrails look at it, and counts what it used. False where this process is to stop
 * before that.
 */
export async function fetchResults(work: Work, headers: Headers, said: string): Promise<boolean> {
  const { batch, working, signal, leaving } = work;
  await batch.advance("processing_post_request_guardrails");
  let results: Results | undefined;
  for (let again = 0; !results; again++) {
    try {
      results = await readAll(work, headers);
    } catch (error) {
      if (signal.aborted) return false;
      const isComplete = said === "completed";
      // What was not done has perhaps no output at all.
      if (!isComplete && outputOf(work) === undefined && isNone(error)) return true;
      if (again >= mostTries && isComplete) throw error;
      working.log.warn("the output of a batch could not be read", { batch: batch.id, error });
      if (again >= mostTries) return true;
      await working.clock.wait(pauseAfter(again, firstPause), leaving);
      if (leaving.aborted) return false;
      await batch.change();
    }
  }
  const { parts, completed, usage } = results;
  const used = await accounted(work, headers, usage);
  await batch.change(({ counts, progress, job }) => ({
    used,
    counts: { ...counts, completed, failed: counts.total - completed },
    progress: { ...progress, parts },
    job: { ...job, fetched: true },
  }));
  return true;
}

/** Whether the provider says that there is nothing. */
const isNone = (error: unknown): boolean =>
  error instanceof NoBytes && !passing.has(error.status) && error.status < 500;

const passing = new Set([401, 403, 408, 429]);

/** The file with what was done, where the provider names one. */
function outputOf({ batch }: Work): string | undefined {
  const output = batch.document.job.seen?.output_file_id;
  return typeof output === "string" && output !== "" ? output : undefined;
}

async function readAll(work: Work, headers: Headers): Promise<Results> {
  const { batch } = work;
  const { id = "", seen } = batch.document.job;
  const reader = await ResultReader.open(work, headers);
  const path = `/v1/batches/${encodeURIComponent(id)}/output`;
  await reader.read(await getBytes(work, path, headers));
  // Where there is an output, the errors are in a file of their own.
  const output = outputOf(work);
  const { error_file_id: errors } = seen ?? {};
  if (output !== undefined && typeof errors === "string" && errors !== "" && errors !== output)
    await reader.read(await getBytes(work, `/v1/files/${encodeURIComponent(errors)}/content`, headers));
  return reader.results();
}

/**
 * Has the job priced and counted, once: who dies in the middle of it has counted too little, rather than twice
 * (policies.md section 5.4).
 */
async function accounted({ working, batch }: Work, headers: Headers, usage: Results["usage"]): Promise<Used> {
  const parts = [...usage].map(([model, one]) => ({ model, usage: one }));
  const { job, principal, used } = batch.document;
  const { provider = "" } = job;
  let all: Usage | undefined;
  for (const one of usage.values()) all = usageSum(all, one);
  const sum = tokensOf(all);
  // Whoever has counted it died before it was written down what that came to: what is not known is not nothing.
  if (job.accounted) return { ...sum, provider: provider || (used.provider ?? "") };
  await batch.change((document) => ({ job: { ...document.job, accounted: true } }));
  if (parts.length === 0) return { ...sum, cost: "0", provider };
  const done = await working.own
    .account({ path: "/v1/batches", headers, principal, source: "batch", parts })
    .catch((error) => {
      working.log.error("what a batch used could not be counted", { batch: batch.id, error });
      return undefined;
    });
  const amount = done?.cost?.amount;
  return { ...sum, provider: provider || (done?.provider ?? ""), ...(amount !== undefined && { cost: amount }) };
}
