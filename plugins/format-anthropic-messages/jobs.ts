import { type Fields, isRecord, type JobWire } from "../../core/index.ts";

/** A line of results: `{custom_id, result: {type: "succeeded", message}}`; others were not answered, and are not charged for. */
function answerIn({ result }: Readonly<Fields>): ReturnType<JobWire["answerIn"]> {
  if (!isRecord(result) || result.type !== "succeeded") return undefined;
  return { body: result.message, failed: false };
}

/** Message batches tell what they used in their results only (`MessageBatch` of @anthropic-ai/sdk 1.14). */
export const jobs: JobWire = {
  places: [{ path: /^(?:\/anthropic)?(?:\/v\d\w*)?\/messages\/batches\/([^/]+)\/results$/, is: "results" }],
  answerIn,
  madeIn: ({ type, id }) => (type === "message_batch" && typeof id === "string" ? id : undefined),
};
