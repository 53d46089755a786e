import { type Format, type PathContext, percentDecoded } from "../../../core/index.ts";
import { anthropicCount } from "../count/format.ts";
import { anthropicMessages } from "../format.ts";
import { dialectAt } from "./dialect.ts";

const version = "vertex-2023-10-16";

/** Where this publisher's models are: below a project and a place in it, which are the provider's to say. */
const published = "^/v1/(?:projects/[^/?]+/locations/[^/?]+/)?publishers/anthropic/models/";
const end = "/?(?:\\?|$)";

/** One model counts for all. */
export const counting = new RegExp(`${published}count-tokens:rawPredict${end}`);

/**
 * `…/publishers/anthropic/models/MODEL:rawPredict` and `:streamRawPredict` (docs.cloud.google.com, "Claude on Vertex AI";
 * @anthropic-ai/vertex-sdk 1.1, which has any model at this publisher). A name may hold slashes.
 */
export const predicting = new RegExp(`${published}(?!count-tokens:)([^?]+):(rawPredict|streamRawPredict)${end}`);

function readUrl(url: string): { model?: string; stream?: boolean } {
  const [, name, action] = predicting.exec(url) ?? [];
  return name === undefined ? {} : { model: percentDecoded(name), stream: action === "streamRawPredict" };
}

const path = ({ model, stream }: PathContext): string =>
  `/v1/publishers/anthropic/models/${encodeURIComponent(model)}:${stream ? "streamRawPredict" : "rawPredict"}`;

const { marks: _, jobs: __, ...shared } = anthropicMessages;

/** The Messages API as Vertex AI has it: the model stands in the path, whether to stream there and in the body. */
export const messagesAtVertex: Format<"chat"> = {
  ...shared,
  ...dialectAt("vertex", version, anthropicMessages),
  readUrl,
  streamInBody: true,
  upstream: { path },
};

/** The same for counts, whose body names the model. */
export const countAtVertex: Format<"count"> = {
  ...anthropicCount,
  ...dialectAt("vertex", version, anthropicCount),
  upstream: { path: "/v1/publishers/anthropic/models/count-tokens:rawPredict" },
};
