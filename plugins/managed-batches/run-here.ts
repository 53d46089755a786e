import { dollarsText, picodollarsOf } from "../../core/index.ts";
import { keyGone, today } from "./asker.ts";
import { type BatchDocument, type Parts, type Progress, tokensOf, type Used } from "./document.ts";
import { conclude } from "./endings.ts";
import { readInput } from "./input-file.ts";
import { type InputLine, inputLines } from "./input-lines.ts";
import { insist } from "./insist.ts";
import { type LineSent, sendLine } from "./line-call.ts";
import { PartWriter, partBytes } from "./output-files.ts";
import { isGood, written } from "./output-lines.ts";
import { isProblem, readLine } from "./read-line.ts";
import { secondsOf, type Work } from "./working.ts";

/**
 * Works a batch through here, line by line: groups of so many at once, one group after each interval. What is done is
 * written down after each group; whoever goes on with it sends only what was not finished.
 */
export async function runHere(work: Work): Promise<void> {
  const { working, batch, leaving } = work;
  const { clock, options } = working;
  if (batch.document.status === "validating")
    await batch.advance("in_progress", { times: { ...batch.document.times, inProgressAt: secondsOf(work) } });
  const headers = await working.headers.opened(batch.tenant, batch.id, batch.document.headers);
  if (batch.isCancelling) return conclude(work, "cancelled");
  const { offset, lines } = batch.document.progress;
  const source = await readInput(work, { from: offset });
  const input = inputLines(source, offset, lines);
  try {
    let group = await nextOf(input, options.groupLines);
    while (group.length > 0 && !batch.isCancelling) {
      if (leaving.aborted) return;
      const principal = await today(work);
      if (!principal) return await keyGone(work);
      await batch.sure();
      if (batch.isCancelling) break;
      const begun = clock.now();
      const isWhole = await runGroup(work, group, { principal, headers });
      if (!isWhole) return;
      group = await nextOf(input, options.groupLines);
      if (group.length === 0) break;
      await clock.wait(Math.max(0, begun + options.groupInterval - clock.now()), leaving);
      if (leaving.aborted || work.isTurnOver()) return;
      // Somebody may have cancelled it meanwhile.
      await batch.change();
    }
  } finally {
    await input.return(undefined);
  }
  await conclude(work, batch.isCancelling ? "cancelled" : "completed");
}

async function nextOf(input: AsyncGenerator<InputLine>, most: number): Promise<InputLine[]> {
  const group: InputLine[] = [];
  while (group.length < most) {
    const { done, value } = await input.next();
    if (done) break;
    group.push(value);
  }
  return group;
}

/** Sends the lines of a group that are not done yet, and writes down what came of them. Whether that is all of them. */
async function runGroup(work: Work, group: readonly InputLine[], as: Parameters<typeof sendLine>[2]): Promise<boolean> {
  const { batch } = work;
  const { progress, asked } = batch.document;
  const left = group.filter(({ number }) => !progress.ahead.includes(number));
  const sending = left.map((line) => {
    const read = readLine(line, asked.endpoint);
    // The file was looked at before: a line that is none now was not of that file.
    if (isProblem(read)) throw new Error(`line ${line.number} of ${asked.inputFileId} has changed`);
    return sendLine(work, read, as);
  });
  const sent = (await Promise.all(sending)).filter((one) => one !== undefined);
  const parts = await writtenDown(work, progress.parts, sent);
  const isWhole = sent.length === left.length;
  const now = isWhole ? behind(progress, group, parts) : { ...progress, parts, ahead: aheadOf(progress, sent) };
  await insist(work, () =>
    batch.change((document) =>
      sent.length > 0 && isCounted(document, parts) ? {} : { ...countedIn(document, sent), progress: now },
    ),
  );
  return isWhole;
}

/** Lines that were answered are paid for: a store that is away for a while does not have them sent again. */
async function writtenDown(work: Work, counted: Parts, sent: readonly LineSent[]): Promise<Parts> {
  const writer = new PartWriter(work.batch, counted, work.working.blobs);
  // Each time: whoever waited for a store may have lost the batch meanwhile.
  const flushed = (least?: number): Promise<Parts> =>
    insist(work, async () => {
      await work.batch.sure();
      return writer.flush(least);
    });
  for (const { done } of sent) {
    writer.hold(isGood(done.status) ? "output" : "error", written(done));
    await flushed(partBytes);
  }
  return flushed();
}

/** Whether it was written down, though nobody has said so. Whatever was answered comes with a part. */
const isCounted = ({ progress }: BatchDocument, parts: Parts): boolean =>
  progress.parts.output === parts.output && progress.parts.error === parts.error;

/** Groups of other processes may be larger: what those have done of later ones stays done. */
const behind = (before: Progress, group: readonly InputLine[], parts: Parts): Progress => {
  const { number = 0, to = 0 } = group.at(-1) ?? {};
  return { ...before, lines: number, offset: to, ahead: before.ahead.filter((line) => line > number), parts };
};

const aheadOf = ({ ahead }: Progress, sent: readonly LineSent[]): readonly number[] => [
  ...ahead,
  ...sent.map(({ line }) => line.number),
];

function countedIn({ counts, used }: BatchDocument, sent: readonly LineSent[]): Pick<BatchDocument, "counts" | "used"> {
  const good = sent.filter(({ done }) => isGood(done.status)).length;
  let sum: Used = used;
  for (const call of sent.flatMap((one) => one.used)) sum = together(sum, call);
  const { total, completed, failed: bad } = counts;
  return { counts: { total, completed: completed + good, failed: bad + sent.length - good }, used: sum };
}

function together(sum: Used, { usage, cost, provider }: LineSent["used"][number]): Used {
  const tokens = tokensOf(usage);
  const known = sum.cost !== undefined && cost !== undefined;
  const { cost: _, ...rest } = sum;
  return {
    ...rest,
    inputTokens: sum.inputTokens + tokens.inputTokens,
    totalTokens: sum.totalTokens + tokens.totalTokens,
    ...(known && { cost: dollarsText(picodollarsOf(sum.cost) + picodollarsOf(cost)) }),
    ...(provider !== undefined && { provider }),
  };
}
