import { isRecord, leftovers, mediaOf, raise } from "../../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

/** Models that are embedded with by `:embedContent`; all others by `:predict` (providers.md section 8.6). */
export const isEmbedContent = (model: string): boolean => /(?:^|\.)gemini-embedding-2/.test(model);

const isMultimodal = (model: unknown): boolean => typeof model === "string" && model.includes("multimodalembedding");

const present = (fields: Wire): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

/** Fields of a request that are read. That vectors come as base64 is not for the vendor to know. */
const requestFields = new Set(
  "model input dimensions output_dimensionality encoding_format task_type input_type parameters labels".split(" "),
);

/** A request of OpenAI's API as instances to predict. */
export function instancesOf(wire: Wire, report: Report = () => {}): Record<string, unknown> {
  const { model, input, task_type: taskType, input_type: inputType, parameters: own, labels } = wire;
  const dimensions = wire.dimensions ?? wire.output_dimensionality;
  const items: readonly unknown[] = Array.isArray(input) ? input : [input];
  const multimodal = isMultimodal(model);
  reportBeyond(wire, requestFields, "", report);
  const purpose = taskType ?? inputType;
  if (multimodal && typeof purpose === "string") report("input_type");
  const parameters = present({
    [multimodal ? "dimension" : "outputDimensionality"]: dimensions,
    ...(isRecord(own) && own),
  });
  return {
    instances: items.map((item, at) =>
      multimodal ? mediaInstance(item, at, report) : textInstance(item, at, purpose, report),
    ),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(isRecord(labels) && { labels }),
  };
}

type Report = (dropped: string) => void;

function reportBeyond(wire: Wire, known: ReadonlySet<string>, prefix: string, report: Report): void {
  for (const name of Object.keys(leftovers(wire, known) ?? {})) report(prefix + name);
}

const textFields = new Set(["text", "title"]);

/** A document may have a title. */
function textInstance(item: unknown, at: number, taskType: unknown, report: Report): Record<string, unknown> {
  const { text: content, title } = isRecord(item) ? item : { text: item, title: undefined };
  if (typeof content !== "string")
    raise("invalid_request", `input[${at}] must be a text: this model takes neither token ids nor images.`, {
      param: `input[${at}]`,
    });
  if (isRecord(item)) reportBeyond(item, textFields, "input.", report);
  return present({ content, title, task_type: taskType });
}

const itemFields = new Set(["text", "image", "video"]);

function mediaInstance(item: unknown, at: number, report: Report): Record<string, unknown> {
  if (typeof item === "string") return { text: item };
  if (!isRecord(item))
    return raise("invalid_request", `input[${at}] must be a text, or an item with text, image or video.`, {
      param: `input[${at}]`,
    });
  const { text, image, video } = item;
  reportBeyond(item, itemFields, "input.", report);
  const place = `input[${at}]`;
  return present({
    text,
    image: isRecord(image) ? imageOf(image, `${place}.image`) : undefined,
    video: isRecord(video) ? videoOf(video, `${place}.video`) : undefined,
  });
}

/** The vendor reads its own storage, and fetches nothing else. */
function sourceOf(media: Wire, place: string): Record<string, unknown> {
  const { data, url } = mediaOf(media);
  if (data !== undefined) return { bytesBase64Encoded: data };
  if (url?.startsWith("gs://")) return { gcsUri: url };
  return raise("invalid_request", `${place} must have base64, a data URL or a gs:// address.`, { param: place });
}

const imageOf = (image: Wire, place: string): Record<string, unknown> =>
  present({ ...sourceOf(image, place), mimeType: image.mime_type });

function videoOf(video: Wire, place: string): Record<string, unknown> {
  const segment = present({
    startOffsetSec: video.start_offset,
    endOffsetSec: video.end_offset,
    intervalSec: video.interval,
  });
  return { ...sourceOf(video, place), ...(Object.keys(segment).length > 0 && { videoSegmentConfig: segment }) };
}

/** Predictions as a list, an entry for each input: what it has of text, image and segments of a video (inference-api.md section 9). */
export function embeddingsOf(wire: Wire): Record<string, unknown> {
  const { predictions } = wire;
  if (!Array.isArray(predictions)) return { ...wire };
  const counts = predictions.map(tokensIn);
  const tokens = counts.every((count) => count !== undefined)
    ? counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
    : undefined;
  return {
    object: "list",
    data: predictions.map((prediction, index) => ({ object: "embedding", index, ...vectorsIn(prediction) })),
    ...(tokens !== undefined && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  };
}

function vectorsIn(prediction: unknown): Wire {
  if (!isRecord(prediction)) return {};
  const { embeddings, textEmbedding, imageEmbedding, videoEmbeddings } = prediction;
  if (isRecord(embeddings)) return { embedding: embeddings.values };
  const segments = Array.isArray(videoEmbeddings) ? videoEmbeddings.filter(isRecord).map(segmentOf) : undefined;
  return present({ embedding: textEmbedding, image_embedding: imageEmbedding, video_embeddings: segments });
}

const segmentOf = ({ embedding, startOffsetSec, endOffsetSec }: Wire, index: number): Wire =>
  present({ embedding, index, start_offset: startOffsetSec, end_offset: endOffsetSec });

function tokensIn(prediction: unknown): number | undefined {
  const { embeddings } = isRecord(prediction) ? prediction : {};
  const { statistics } = isRecord(embeddings) ? embeddings : {};
  const count = isRecord(statistics) ? statistics.token_count : undefined;
  return typeof count === "number" ? count : undefined;
}

/** What is said about a content, by the name this host has for it: others have some of it in snake case. */
const settings: ReadonlyMap<string, string> = new Map([
  ["taskType", "taskType"],
  ["task_type", "taskType"],
  ["title", "title"],
  ["outputDimensionality", "outputDimensionality"],
  ["output_dimensionality", "outputDimensionality"],
  ["autoTruncate", "autoTruncate"],
  ["auto_truncate", "autoTruncate"],
]);

/** One content is embedded at a time: a list of one is one. What is said about it stands apart (`@google/genai`). */
export const oneContent = {
  when: ['"requests"', ...Array.from(settings.keys(), (name) => `"${name}"`)],
  apply(wire: Wire): Record<string, unknown> {
    const all: Record<string, unknown> = {};
    const config: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(onlyOf(wire))) {
      const own = settings.get(name);
      if (own === undefined) all[name] = value;
      else if (value !== undefined) config[own] = value;
    }
    if (Object.keys(config).length === 0) return all;
    return {
      ...all,
      embedContentConfig: { ...config, ...(isRecord(all.embedContentConfig) && all.embedContentConfig) },
    };
  },
};

function onlyOf(wire: Wire): Wire {
  const { requests, ...rest } = wire;
  if (!Array.isArray(requests)) return wire;
  const [first, ...others] = requests as readonly Wire[];
  if (!first || others.length > 0)
    raise("invalid_request", "input must be one item: this model embeds one at a time.", { param: "input" });
  const { model: _, ...content } = first;
  return { ...rest, ...content };
}
