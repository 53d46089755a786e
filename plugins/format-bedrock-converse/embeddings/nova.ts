import {
  compact,
  type Fields,
  isRecord,
  itemInOne,
  leftovers,
  lookUp,
  mediaOf,
  type PurposeWords,
  purposeIn,
  refuse,
} from "../../../core/index.ts";
import { hostCount, metrics } from "../invoke/usage.ts";
import { embeddingFormat } from "./codec.ts";

const name = "bedrock-nova-embeddings";
const requestFields = new Set(["model", "stream", "taskType", "singleEmbeddingParams"]);
const parameterFields = new Set(["embeddingPurpose", "embeddingDimension", "text"]);

const purposes: PurposeWords = {
  query: "GENERIC_RETRIEVAL",
  document: "GENERIC_INDEX",
  classification: "CLASSIFICATION",
  clustering: "CLUSTERING",
};
const usualPurpose = "GENERIC_INDEX";

const textOf = (value: string): Fields => ({ truncationMode: "END", value });

/** What media are taken for that say nothing of their type. */
const usualFormats = { image: "jpeg", video: "mp4", audio: "mp3" } as const;

/** Formats whose names are not the second half of their media types. */
const formatNames: Readonly<Record<string, string>> = {
  "image/jpg": "jpeg",
  "audio/mpeg": "mp3",
  "audio/x-wav": "wav",
  "audio/wave": "wav",
  "video/quicktime": "mov",
  "video/x-matroska": "mkv",
  "video/x-flv": "flv",
  "video/x-ms-wmv": "wmv",
  "video/3gpp": "3gp",
};

/** An item of the unified API in the words of this one; what is in them already stays as it is. */
function itemOf(given: Readonly<Fields>): Fields {
  const item = itemInOne(given, "no more than one image, video or sound, for this vendor");
  const said: Fields = { ...item };
  if (typeof item.text === "string") said.text = textOf(item.text);
  for (const kind of ["image", "video", "audio"] as const) {
    const media = item[kind];
    if (isRecord(media) && (media.base64 !== undefined || media.url !== undefined)) said[kind] = placed(kind, media);
  }
  return said;
}

/** One vector is asked for: what is seen and what is heard of a video is in it. */
function placed(kind: keyof typeof usualFormats, media: Readonly<Fields>): Fields {
  const { data, url = "", mediaType } = mediaOf(media);
  if (data === undefined && !url.startsWith("s3://"))
    refuse(
      `input.${kind}`,
      "an object with base64, a data URL or an s3:// address: this vendor fetches nothing",
      media,
    );
  const ending = /\.([a-z0-9]+)$/i.exec(url)?.[1]?.toLowerCase().replace("jpg", "jpeg");
  const format = mediaType === undefined ? ending : (lookUp(formatNames, mediaType) ?? mediaType.split("/")[1]);
  return {
    format: format ?? usualFormats[kind],
    source: data === undefined ? { s3Location: { uri: url } } : { bytes: data },
    ...(kind === "video" && { embeddingMode: "AUDIO_VIDEO_COMBINED" }),
  };
}

export const novaEmbeddings = embeddingFormat({
  name,
  drops: ["user", "input_type"],
  answerFields: new Set(["embeddings", metrics]),
  encode({ dimensions, inputType, extra }, input, report) {
    const own = extra?.format === name ? extra.fields : {};
    const { singleEmbeddingParams: more, ...rest } = own;
    const said = typeof input === "string" ? { text: textOf(input) } : itemOf(input);
    const purpose = inputType && purposeIn(purposes, inputType);
    if (inputType && purpose === undefined) report("input_type");
    return {
      taskType: "SINGLE_EMBEDDING",
      singleEmbeddingParams: {
        embeddingPurpose: purpose || usualPurpose,
        ...compact({ embeddingDimension: dimensions }),
        ...said,
        ...(isRecord(more) ? more : {}),
      },
      ...rest,
    };
  },
  decode(wire) {
    const asked = isRecord(wire.singleEmbeddingParams) ? wire.singleEmbeddingParams : {};
    const { embeddingPurpose: purpose, embeddingDimension: size, text } = asked;
    const inner = leftovers(asked, parameterFields);
    const plain = isRecord(text) && text.truncationMode === "END" && typeof text.value === "string" && !inner;
    const fields = compact({ ...leftovers(wire, requestFields) });
    return {
      input: [plain ? String(text.value) : compact({ text, ...inner })],
      ...(typeof size === "number" && { dimensions: size }),
      ...(typeof purpose === "string" && { inputType: purpose }),
      ...(Object.keys(fields).length > 0 && { extra: { format: name, fields } }),
    };
  },
  vectorIn({ embeddings }) {
    const [first]: unknown[] = Array.isArray(embeddings) ? embeddings : [];
    return isRecord(first) ? first.embedding : undefined;
  },
  answer: (embedding) => ({ embeddings: [{ embeddingType: "TEXT", embedding }] }),
  usageIn({ [metrics]: counts }) {
    const { inputTokens } = isRecord(counts) ? hostCount(counts) : {};
    return inputTokens === undefined ? undefined : { inputTokens };
  },
});
