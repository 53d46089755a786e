import {
  compact,
  type EmbeddingRequest,
  type Fields,
  leftovers,
  type PurposeWords,
  purposeIn,
  refuse,
} from "../../../core/index.ts";
import { extraOf, listAt, objectAt, type Report, reportOthers, restore, textAt, writtenIn } from "../fields.ts";
import { decodeParts, encodeParts } from "./input.ts";

/** What `encodeRequest` may report. */
export const drops: readonly string[] = ["user"];

const requestFields = new Set(["model", "stream", "content", "outputDimensionality", "taskType"]);

/** Models embed for these purposes, and for some only this API has. */
const purposes: PurposeWords = {
  query: "RETRIEVAL_QUERY",
  document: "RETRIEVAL_DOCUMENT",
  classification: "CLASSIFICATION",
  clustering: "CLUSTERING",
  similarity: "SEMANTIC_SIMILARITY",
};

export function decodeRequest(body: unknown): EmbeddingRequest {
  const wire = objectAt(body, "");
  const model = textAt(wire.model, "model") ?? "";
  if (wire.requests === undefined) return { model, single: true, ...decodeAlone(wire) };
  const requests = listAt(wire.requests, "requests").map((one, at) => objectAt(one, `requests[${at}]`));
  const [first] = requests;
  if (!first) refuse("requests", "a list with at least one item", wire.requests);
  const names = [...new Set(requests.flatMap((one) => Object.keys(one)))].filter((name) => !ownFields.has(name));
  const apart = names.filter((name) => requests.some((one) => !same(one[name], first[name])));
  const others = apart.map((name) => [name, requests.map((one) => one[name] ?? null)]);
  const { extra, ...shared } = decodeOne(omit(first, apart), "requests[0]", true);
  const input = requests.flatMap((one, at) => decodeOne(one, `requests[${at}]`, false).input);
  const fields = { ...extra?.fields, ...Object.fromEntries(others) };
  return { model, single: false, ...shared, input, ...extraOf(fields, apart.length > 0 ? { apart } : undefined) };
}

/** Clients of Vertex AI have the settings in an object of their own (@google/genai 3.3, `embedContentConfigToVertex`). */
function decodeAlone({ embedContentConfig: config, ...wire }: Readonly<Fields>): Decoded {
  if (config === undefined || config === null) return decodeOne(wire, "", true);
  const { extra, ...decoded } = decodeOne({ ...objectAt(config, "embedContentConfig"), ...wire }, "", true);
  return { ...decoded, ...extraOf(extra?.fields, { config: true }) };
}

const ownFields = new Set(["content", "model"]);

/** Settings stand beside every content of a batch: those that are not the same everywhere are kept as lists of them. */
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const omit = (wire: Readonly<Fields>, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(wire).filter(([name]) => !names.includes(name)));

type Decoded = Pick<EmbeddingRequest, "input"> & Partial<EmbeddingRequest>;

function decodeOne(wire: Readonly<Fields>, path: string, withSettings: boolean): Decoded {
  const place = path === "" ? "content" : `${path}.content`;
  const content = objectAt(wire.content, place);
  const parts = listAt(content.parts ?? [], `${place}.parts`).map((one, at) => objectAt(one, `${place}.parts[${at}]`));
  const input = decodeParts(parts);
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
  const unified = extra?.format === "openai-embeddings" ? extra.fields.output_dimensionality : undefined;
  reportOthers(extra, "", report, new Set(typeof unified === "number" ? ["output_dimensionality"] : []));
  const { apart = [], config } = writtenIn(extra);
  const names = apart as readonly string[];
  const shared = extra && { ...extra, fields: omit(extra.fields, names) };
  const settings = restore(
    compact({
      taskType: inputType && purposeIn(purposes, inputType)?.toUpperCase(),
      outputDimensionality: dimensions ?? (typeof unified === "number" ? unified : undefined),
    }),
    shared,
  );
  const named = model === "" ? {} : { model };
  const contents = input.map((one, at) => ({ parts: encodeParts(one, single ? "input" : `input[${at}]`) }));
  const [only] = contents;
  if (single && only) return { ...named, content: only, ...(config ? { embedContentConfig: settings } : settings) };
  const own = (at: number) => compact(Object.fromEntries(names.map((name) => [name, settingAt(extra, name, at)])));
  const resource = /^(?:models|tunedModels)\//.test(model) ? model : `models/${model}`;
  return { ...named, requests: contents.map((content, at) => ({ model: resource, content, ...settings, ...own(at) })) };
}

function settingAt(extra: EmbeddingRequest["extra"], name: string, at: number): unknown {
  const values = extra?.fields[name];
  return Array.isArray(values) ? values[at] : undefined;
}
