import { isOver } from "./document.ts";
import { ended, failed, tidied } from "./endings.ts";
import { InputGone, inputGone, readInput } from "./input-file.ts";
import { runHere } from "./run-here.ts";
import { runThere } from "./run-there.ts";
import { validate } from "./validate.ts";
import type { Work } from "./working.ts";

/** Goes on with a batch from wherever it is, until it is over, its turn is, or this process is to stop. */
export async function run(work: Work): Promise<void> {
  const { document } = work.batch;
  if (isOver(document)) return tidied(work);
  if (document.ending) return ended(work);
  try {
    await begun(work);
  } catch (error) {
    if (!(error instanceof InputGone)) throw error;
    await failed(work, "failed", [inputGone(work.batch.document.asked.inputFileId)]);
  }
}

async function begun(work: Work): Promise<void> {
  const { batch, working } = work;
  if (batch.document.counts.total === 0 && batch.document.status === "validating") {
    const { inputFileId, endpoint } = batch.document.asked;
    if (!(await working.files.find(batch.tenant, inputFileId))) throw new InputGone();
    const { total, errors } = await validate(await readInput(work), endpoint, working.options.maxLines);
    if (errors.length > 0) return failed(work, "failed", errors);
    await batch.change(({ counts }) => ({ counts: { ...counts, total } }));
  }
  return batch.document.asked.completionWindow === "immediate" ? runHere(work) : runThere(work);
}
