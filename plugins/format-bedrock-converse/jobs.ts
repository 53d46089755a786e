import { compact, type Fields, type JobPlace, type JobWire, tokenCount } from "../../core/index.ts";

/** Statuses after which some of it may have been answered. */
const ended: ReadonlySet<unknown> = new Set(["Completed", "PartiallyCompleted", "Stopped", "Expired"]);

/** An invocation job, or the answer that it was made with, which has its ARN only: what its results used stands in a bucket. */
function told({
  jobArn,
  status,
  modelId,
  successRecordCount: answered,
}: Readonly<Fields>): ReturnType<NonNullable<JobPlace["told"]>> {
  if (typeof jobArn !== "string" || !jobArn.includes(":model-invocation-job/")) return undefined;
  return compact({
    id: jobArn,
    untold: ended.has(status) && tokenCount(answered) !== 0,
    model: typeof modelId === "string" ? modelId.replace(/^arn:.*\//, "") : undefined,
  });
}

/** Batches of Bedrock, in AWS's own words. */
export const jobs: JobWire = {
  places: [{ path: /^\/model-invocation-job\/([^/]+)$/, is: "job", told }],
  answerIn: () => undefined,
};
