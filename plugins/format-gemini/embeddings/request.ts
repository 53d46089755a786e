import {
  compact,
  type EmbeddingInput,
  type EmbeddingRequest,
  type Fields,
  isRecord,
  leftovers,
  lookUp,
  mediaOf,
  refuse,
} from "../../../core/index.ts";
import { extraOf, listAt, objectAt, type Report, reportOthers, restore, textAt } from "../fields.ts";
import { mediaTypeOf, spelledHere } from "../media-types.ts";

/** What `encodeRequest` may report. */
export const drops: readonly string[] = ["user"];

const requestFields = new Set(["model", "stream", "content", "outputDimensionality", "taskType"]);

/** Purposes other APIs have other words for. */
const purposes: Readonly<Record<string, string>> = {
  search_query: "RETRIEVAL_QUERY",
  query: "RETRIEVAL_QUERY",
  search_document: "RETRIEVAL_DOCUMENT",
  document: "RETRIEVAL_DOCUMENT",
  passage: "RETRIEVAL_DOCUMENT",
  classification: "CLASSIFICATION",
  clustering: "CLUSTERING",
};

export function decodeRequest(body: unknown): EmbeddingRequest {
  const wire = objectAt(body, "");
  const model = textAt(wire.model, "model") ?? "";
  if (wire.requests === undefined) return { model, single: true, ...decodeOne(wire, "", true) };
  const requests = listAt(wire.requests, "requests").map((one, at) => objectAt(one, `requests[${at}]`));
  const [first] = requests;
  if (!first) refuse("requests", "a list with at least one item", wire.requests);
  const shared = decodeOne(
    first,
    "requests[0]",
    requests.every((one) => alike(one, first)),
  );
  const input = requests.flatMap((one, at) => decodeOne(one, `requests[${at}]`, false).input);
  return { model, single: false, ...shared, input };
}

/** Settings stand beside every content of a batch; only where they are the same everywhere are they those of all. */
const alike = (one: Readonly<Fields>, other: Readonly<Fields>): boolean => settingsOf(one) === settingsOf(other);
const settingsOf = ({ content: _, ...settings }: Readonly<Fields>): string => JSON.stringify(settings);

type Decoded = Pick<EmbeddingRequest, "input"> & Partial<EmbeddingRequest>;

function decodeOne(wire: Readonly<Fields>, path: string, withSettings: boolean): Decoded {
  const place = path === "" ? "content" : `${path}.content`;
  const content = objectAt(wire.content, place);
  const parts = listAt(content.parts ?? [], `${place}.parts`).map((one, at) => objectAt(one, `${place}.parts[${at}]`));
  const input: EmbeddingInput = parts.every(({ text }) => typeof text === "string")
    ? parts.map(({ text }) => text).join("")
    : { parts };
  const { outputDimensionality: dimensions } = wire;
  if (!withSettings) return { input: [input] };
  return {
    input: [input],
    ...(typeof dimensions === "number" && { dimensions }),
    ...compact({ inputType: textAt(wire.taskType, "taskType") }),
    ...extraOf(leftovers(wire, requestFields)),
  };
}

export function encodeRequest(request: EmbeddingRequest, report: Report): Fields {
  const { model, input, single, dimensions, inputType, user, extra } = request;
  if (user !== undefined) report("user");
  reportOthers(extra, "", report);
  const settings = restore(
    compact({
      taskType: inputType && (lookUp(purposes, inputType.toLowerCase()) ?? inputType.toUpperCase()),
      outputDimensionality: dimensions,
    }),
    extra,
  );
  const named = model === "" ? {} : { model };
  const contents = input.map((one, at) => ({ parts: partsOf(one, single ? "input" : `input[${at}]`) }));
  const [only] = contents;
  if (single && only) return { ...named, content: only, ...settings };
  const resource = /^(?:models|tunedModels)\//.test(model) ? model : `models/${model}`;
  return { ...named, requests: contents.map((content) => ({ model: resource, content, ...settings })) };
}

/** What media are taken for that say nothing of their type. */
const usualTypes = { image: "image/jpeg", video: "video/mp4", audio: "audio/mp3" } as const;

function partsOf(input: EmbeddingInput, path: string): unknown[] {
  if (typeof input === "string") return [{ text: input }];
  if (!isRecord(input)) refuse(path, "text: this vendor takes no token ids", input);
  if (Array.isArray(input.parts)) return input.parts;
  const parts: Fields[] = typeof input.text === "string" ? [{ text: input.text }] : [];
  for (const [kind, usual] of Object.entries(usualTypes)) {
    const media = input[kind];
    if (!isRecord(media)) continue;
    const { data, url, mediaType } = mediaOf(media);
    const type = mediaType ?? (url === undefined ? undefined : mediaTypeOf(url, "image")) ?? usual;
    const mimeType = spelledHere(type);
    if (data !== undefined) parts.push({ inlineData: { mimeType, data } });
    else if (url !== undefined) parts.push({ fileData: { mimeType, fileUri: url } });
  }
  return parts.length > 0 ? parts : refuse(path, "a text, or an item with text, image, video or audio", input);
}
