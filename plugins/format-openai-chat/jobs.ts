import {
  compact,
  disjoint,
  type Fields,
  fieldsIn,
  isRecord,
  type JobPlace,
  type JobWire,
  recordsIn,
  tokenCount,
  type Usage,
} from "../../core/index.ts";
import { decodeUsage } from "./response/usage.ts";
import { videoPlaces } from "./videos.ts";

/** Statuses after which a job uses nothing more. */
const over: ReadonlySet<unknown> = new Set(["completed", "failed", "expired", "cancelled"]);

const textIn = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** Vendors say zero where they have not counted. */
function usageIn({ usage }: Readonly<Fields>): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const counts = "input_tokens" in usage ? summed(usage) : decodeUsage(usage);
  return counts && Object.values(counts).some((count) => Number(count) > 0) ? counts : undefined;
}

/** The usage of a batch has the names of the Responses API, whatever its lines ask for (`BatchUsage` of openai 7.59). */
const summed = (usage: Readonly<Fields>): Usage =>
  disjoint({
    input: tokenCount(usage.input_tokens),
    output: tokenCount(usage.output_tokens),
    total: tokenCount(usage.total_tokens),
    cacheRead: tokenCount(fieldsIn(usage.input_tokens_details).cached_tokens),
    reasoning: tokenCount(fieldsIn(usage.output_tokens_details).reasoning_tokens),
  });

function toldBatch(wire: Readonly<Fields>): ReturnType<NonNullable<JobPlace["told"]>> {
  if (typeof wire.id !== "string") return undefined;
  const usage = over.has(wire.status) ? usageIn(wire) : undefined;
  const calls = tokenCount(fieldsIn(wire.request_counts).completed) || 1;
  return compact({
    output: textIn(wire.output_file_id),
    model: textIn(wire.model),
    used: usage && { usage, calls },
  });
}

/** Statuses in which Mistral goes on with a job (`BatchJobStatus` of @mistralai/mistralai 2.7). */
const underWay: ReadonlySet<unknown> = new Set(["QUEUED", "RUNNING", "CANCELLATION_REQUESTED"]);

/** Mistral's (`BatchJob` of @mistralai/mistralai 2.7): a file, or with `inline` the lines themselves. */
function toldJob(wire: Readonly<Fields>): ReturnType<NonNullable<JobPlace["told"]>> {
  const outputs = recordsIn(wire.outputs);
  const isThere = outputs.length > 0 && !underWay.has(wire.status);
  const answers = isThere ? outputs.flatMap((line) => answerIn(line) ?? []) : undefined;
  return compact({ output: textIn(wire.output_file), model: textIn(wire.model), answers });
}

/** A line of an output: `{custom_id, response: {status_code, body}, error}`. */
function answerIn({ response }: Readonly<Fields>): ReturnType<JobWire["answerIn"]> {
  if (!isRecord(response) || !("body" in response || "status_code" in response)) return undefined;
  return { body: response.body, failed: Number(response.status_code ?? 200) >= 300 };
}

/** Batches of OpenAI's API, and its videos. Azure has it below `/openai`. `output` is the gateway's own. */
export const jobs: JobWire = {
  places: [
    { path: /^(?:\/openai)?(?:\/v\d\w*)?\/batches\/([^/]+)\/output$/, is: "results" },
    { path: /^(?:\/openai)?(?:\/v\d\w*)?\/files\/([^/]+)\/content$/, is: "file" },
    { path: /^(?:\/openai)?(?:\/v\d\w*)?\/batches\/([^/]+)$/, is: "job", told: toldBatch },
    { path: /^\/batch\/jobs\/([^/]+)$/, is: "job", told: toldJob },
    ...videoPlaces,
  ],
  answerIn,
  // Mistral's says no more of itself than that it is a batch, too.
  madeIn: ({ object, id }) => (object === "batch" ? textIn(id) : undefined),
};
