import {
  type Fields,
  fieldsIn,
  isRecord,
  type JobAnswer,
  type JobPlace,
  type JobWire,
  recordsIn,
} from "../../core/index.ts";

/** An item of results, or a line of a file of them: `{response}` or `{error}`; vectors say how many tokens they are of. */
function answerIn({ response }: Readonly<Fields>): JobAnswer | undefined {
  if (!isRecord(response)) return undefined;
  const { tokenCount: tokens } = response;
  const isVector = isRecord(response.embedding) && tokens !== undefined && response.usageMetadata === undefined;
  if (isVector) return { body: { ...response, usageMetadata: { promptTokenCount: tokens } }, failed: false };
  const isAnswer = ["candidates", "usageMetadata", "promptFeedback", "embedding"].some((name) => name in response);
  return isAnswer ? { body: response, failed: false } : undefined;
}

/** Where results stand in a job, and in a list of them both (`BatchJobDestination` of @google/genai 3.3). */
const lists = ["inlinedResponses", "inlinedEmbedContentResponses"];

/** A job is an operation: what it is stands in its metadata, and what came of it there or in its response. */
function told({ metadata, response }: Readonly<Fields>): ReturnType<NonNullable<JobPlace["told"]>> {
  if (!isRecord(metadata) || typeof metadata.state !== "string") return undefined;
  const output = isRecord(metadata.output) ? metadata.output : fieldsIn(response);
  const { responsesFile: file } = output;
  const { model } = metadata;
  const items = lists.flatMap((name) => recordsIn(fieldsIn(output[name]).inlinedResponses));
  const isOver = !/_(?:PENDING|RUNNING)$/.test(metadata.state);
  return {
    ...(typeof file === "string" && { output: file.replace(/^files\//, "") }),
    ...(typeof model === "string" && { model: model.replace(/^models\//, "") }),
    ...(isOver && items.length > 0 && { answers: items.flatMap((item) => answerIn(item) ?? []) }),
  };
}

/** Of Vertex AI's only those that came to nothing used nothing. */
const didNothing: ReadonlySet<unknown> = new Set(["JOB_STATE_FAILED", "JOB_STATE_EXPIRED"]);
const underWay = /_(?:QUEUED|PENDING|RUNNING|CANCELLING|PAUSED|UPDATING)$/;

/** A `BatchPredictionJob` (Vertex AI): what its results used stands in a bucket. */
function toldAtVertex({
  name,
  state,
  model,
  completionStats,
}: Readonly<Fields>): ReturnType<NonNullable<JobPlace["told"]>> {
  const [id] = /batchPredictionJobs\/[^/]+$/.exec(String(name)) ?? [];
  if (id === undefined || typeof state !== "string") return undefined;
  const { successfulCount } = fieldsIn(completionStats);
  const untold = !underWay.test(state) && !didNothing.has(state) && String(successfulCount ?? "") !== "0";
  return { id, untold, ...(typeof model === "string" && { model: model.replace(/^.*\//, "") }) };
}

/**
 * Batches of the Gemini API, whose files are read below `/download`, too (ai.google.dev, "Batch API").
 * Those of Vertex AI write to storage that is read elsewhere, where clients ask for the job in the vendor's words.
 */
export const jobs: JobWire = {
  places: [
    { path: /^\/batches\/([^/:]+)$/, is: "job", told },
    {
      path: /^(?:\/projects\/[^/]+\/locations\/[^/]+)?\/batchPredictionJobs\/([^/:]+)$/,
      is: "job",
      told: toldAtVertex,
    },
    { path: /^(?:\/download(?:\/v\d\w*)?)?\/files\/([^/:]+):download$/, is: "file" },
  ],
  answerIn,
  madeIn: ({ name }) => /^batches\/([^/:]+)$/.exec(String(name))?.[1],
};
