import {
  compact,
  type Fields,
  type Format,
  type FormFields,
  type FormFile,
  type FormValue,
  type ImageFormRequest,
  isFile,
  isRecord,
  parseRequest,
  readErrorBody,
  refuse,
  typedEvents,
} from "../../core/index.ts";
import { decodeResponse, encodeResponse, isPartOnly, readLastEvent, readUsage } from "./response.ts";
import { jsonEdit } from "./wire.ts";

const formatName = "openai-image-edits-json";

/** "JSON edits support GPT image models only", of which this is the one that is meant (OpenAI's OpenAPI, `EditImageBodyJsonParam`). */
const defaultModel = "gpt-image-1.5";

/** What is a number in JSON, and a text in a form. */
const numbers: ReadonlySet<string> = new Set(["n", "output_compression", "partial_images"]);
const images = ["image", "image[]", "images", "mask"] as const;

/**
 * Images to be changed, in JSON: `{images: [{image_url}], mask: {image_url}}` as OpenAI has it, an address, a data URL, or the id of a
 * file. xAI's clients write `{image: {url}}` and `{images: [{url}]}`. In the canonical form an image that is in the request is a file,
 * and another one its address or id.
 */
export const jsonImageEdits: Format<"imageEdit"> = {
  name: formatName,
  operation: "imageEdit",
  defaultModel,
  drops: [],
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeError: readErrorBody,
  answerField: "data",
  readUsage,
  upstream: { path: "/images/edits", rewrite: { when: ['"image"', '"url"'], apply: inWordsOfOpenAi } },
  ...typedEvents((type) => type === "image_edit.completed", readLastEvent, isPartOnly),
};

function decodeRequest(body: unknown): ImageFormRequest {
  const wire = parseRequest(jsonEdit, body);
  const shown = shownIn(wire);
  if (shown.length === 0)
    refuse("images", "one or more images, as {image_url} with an address or a data URL", wire.images);
  const fields: Record<string, FormValue | FormValue[]> = {};
  for (const [name, value] of Object.entries(wire)) {
    if (name === "model" || images.some((one) => one === name) || value === null || value === undefined) continue;
    fields[name] = typeof value === "object" ? JSON.stringify(value) : String(value);
  }
  const [first, ...more] = shown.map((one) => fieldOf(one));
  if (first !== undefined) Object.assign(fields, more.length > 0 ? { "image[]": [first, ...more] } : { image: first });
  if (wire.mask) fields.mask = fieldOf(wire.mask, "mask");
  return {
    model: wire.model || defaultModel,
    fields,
    ...(wire.stream === true && { stream: true }),
    extra: { format: formatName, fields: wire },
  };
}

/** What the client wrote has its own types, and is written as it stands but for what may have been changed. */
function encodeRequest({ model, fields, extra }: ImageFormRequest): Fields {
  if (extra?.format === formatName) return { ...extra.fields, model, prompt: fields.prompt };
  const wire: Fields = { model };
  for (const [name, value] of Object.entries(fields))
    if (!images.some((one) => one === name) && name !== "model") wire[name] = typed(name, value);
  const shown = [fields.image ?? [], fields["image[]"] ?? []].flat().map(referenceTo);
  return { ...wire, images: shown, ...compact({ mask: fields.mask && [fields.mask].flat().map(referenceTo)[0] }) };
}

/** What stands in JSON as another format of forms takes it: vendors who take forms fetch nothing. */
export function onlyFiles(fields: FormFields): FormFields {
  for (const name of images)
    for (const value of [fields[name] ?? []].flat())
      if (typeof value === "string")
        refuse(name.replace("[]", ""), "a data URL, or a file of a form, for a vendor that takes forms", value);
  return fields;
}

type Reference = NonNullable<ReturnType<typeof shownIn>[number]>;

const shownIn = ({
  image,
  images: more,
}: {
  readonly image?: unknown;
  readonly images?: unknown;
}): (string | Fields)[] =>
  [image ?? [], more ?? []].flat().filter((one): one is string | Fields => typeof one === "string" || isRecord(one));

/** Where an image is, or what it is called: of `{image_url}`, `{url}`, `{file_id}` or a text. */
const placeOf = (reference: Reference, param = "images"): string => {
  if (typeof reference === "string") return reference;
  const place = [reference.image_url, reference.url, reference.file_id].find((one) => typeof one === "string");
  return typeof place === "string" ? place : refuse(param, "{image_url} or {file_id} with a string", reference);
};

const dataUrl = /^data:([^;,]*);base64,(.*)$/is;

function fieldOf(reference: Reference, param?: string): FormValue {
  const place = placeOf(reference, param);
  const [, contentType = "", data] = dataUrl.exec(place) ?? [];
  if (data === undefined) return place;
  const [, extension = "png"] = /^image\/([a-z]+)/i.exec(contentType) ?? [];
  return {
    filename: `image.${extension}`,
    contentType: contentType || "image/png",
    bytes: Buffer.from(data, "base64"),
  };
}

const urlOf = ({ contentType = "image/png", bytes }: FormFile): string =>
  `data:${contentType};base64,${bytes.toString("base64")}`;

const referenceTo = (value: FormValue): Fields => {
  if (isFile(value)) return { image_url: urlOf(value) };
  return /^[a-z][a-z0-9+.-]*:/i.test(value) ? { image_url: value } : { file_id: value };
};

function typed(name: string, value: FormFields[string]): unknown {
  if (typeof value !== "string") return value;
  if (name === "stream") return value === "true";
  return numbers.has(name) && value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
}

/** `{image: {url}}`, `{images: [{url}]}` and `{mask: {url}}` of other clients as OpenAI has them. */
function inWordsOfOpenAi(wire: Readonly<Fields>): Fields {
  const { image: _, images: __, ...rest } = wire;
  const said = (one: string | Fields, param?: string) =>
    isRecord(one) && (one.image_url !== undefined || one.file_id !== undefined)
      ? one
      : { image_url: placeOf(one, param) };
  const { mask } = wire;
  const masked = typeof mask === "string" || isRecord(mask) ? { mask: said(mask, "mask") } : {};
  return { ...rest, images: shownIn(wire).map((one) => said(one)), ...masked };
}
