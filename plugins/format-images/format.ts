import {
  compact,
  type Fields,
  type Format,
  type ImageRequest,
  type ImageResponse,
  isRecord,
  measuresOf,
  nearestRatio,
  raise,
  readErrorBody,
  refuse,
  type Usage,
  vendorsOnly,
} from "../../core/index.ts";
import { decodeResponse, filteredOf, imagesOf, tokensOf } from "./answer.ts";
import { formBody } from "./form.ts";
import type { Setting, Vendor } from "./vendor.ts";
import { vendors } from "./vendors.ts";

/** The public names of settings, for saying which of them a vendor cannot be told. */
const publicNames: Readonly<Record<Setting, string>> = {
  n: "n",
  quality: "quality",
  style: "style",
  outputFormat: "output_format",
  outputCompression: "output_compression",
  negativePrompt: "negative_prompt",
  seed: "seed",
  user: "user",
};
const settings = Object.keys(publicNames) as readonly Setting[];

type Report = (dropped: string) => void;

function encodeRequest(vendor: Vendor, request: ImageRequest, report: Report): Fields {
  const { model, prompt, n, responseFormat, extra } = request;
  const { most, gives, asks, place, takes = [] } = vendor;
  // Numbers are brought into a vendor's bounds, and never refused (providers.md 1.2). Fewer images are a loss.
  const count = most !== undefined && n !== undefined && n > most ? most : n;
  if (count !== n) report(publicNames.n);
  const fields: Fields = { prompt };
  for (const setting of settings) {
    const value = setting === "n" ? count : request[setting];
    const name = vendor.names[setting];
    if (value === undefined || (setting === "n" && name === undefined && value === 1)) continue;
    if (name === undefined) report(publicNames[setting]);
    else fields[name] = value;
  }
  if (request.size !== undefined && request.size !== "auto") Object.assign(fields, sizeIn(vendor, request.size));
  if (asks) fields[asks.name] = responseFormat === "b64_json" ? asks.bytes : asks.url;
  else if (responseFormat !== undefined && responseFormat !== gives) report("response_format");
  for (const [name, value] of Object.entries(extra?.fields ?? {}))
    if (takes === "all" || takes.includes(name) || isOwnName(vendor, name)) fields[name] = value;
    else report(name);
  return { model, ...(place ? place(fields, report) : fields) };
}

/**
 * What a vendor has a name of its own for it takes by that, too: settings, and a width and a height. How many images there are to be is
 * `n` only, which is held to what the vendor makes at most and counted before.
 */
const isOwnName = ({ names, size }: Vendor, name: string): boolean =>
  (name !== names.n && Object.values(names).includes(name)) ||
  (size !== undefined && !("name" in size) && (name === size.width || name === size.height));

function sizeIn({ size }: Vendor, asked: string): Fields {
  if (!size) return {};
  if ("name" in size) return { [size.name]: size.ratios ? nearestRatio(asked, size.ratios, "vendor") : asked };
  const measures = measuresOf(asked, "vendor");
  const [width, height] = size.fit?.(...measures) ?? measures;
  return { [size.width]: width, [size.height]: height };
}

/** Some of these vendors list what is wrong: `{errors: ["…"]}`, `{errors: [{message}]}`. */
function decodeError(body: unknown): ReturnType<typeof readErrorBody> {
  const errors: unknown[] = isRecord(body) && Array.isArray(body.errors) ? body.errors : [];
  const texts = errors.map((one) => (typeof one === "string" ? one : readErrorBody(one)?.message));
  const message = texts.filter((text) => text !== undefined).join(", ");
  if (message === "") return readErrorBody(body);
  // The id is what the vendor's support asks for.
  const { name, id } = body as Fields;
  return compact({ message, type: asText(name), param: asText(id) });
}

/** Answers may have a text as `error`, which says of some of their images, or of all, that they are withheld. */
function errorOf(vendor: Vendor, body: unknown): ReturnType<typeof readErrorBody> {
  if (!isRecord(body) || typeof body.error !== "string") return decodeError(body);
  return imagesOf(vendor, body).whole.length > 0 ? undefined : (filteredOf(vendor, body) ?? decodeError(body));
}

const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function formatOf(name: string, vendor: Vendor): Format<"image"> {
  const { form, accept, path } = vendor;
  return {
    name,
    operation: "image",
    drops: ["response_format", ...Object.values(publicNames)],
    decodeRequest: vendorsOnly(name),
    encodeRequest: (request, report) => encodeRequest(vendor, request, report),
    writeBody({ model, ...wire }) {
      const body = says(vendor, model) ? { ...wire, model } : wire;
      const written = form ? formBody(body, form.files) : jsonBody(body);
      return accept === undefined ? written : { ...written, headers: { accept } };
    },
    decodeResponse: (body) => decodeResponse(vendor, body, decodeError),
    encodeResponse: ({ images }) => ({ images: images.map(({ url, base64 }) => compact({ url, base64 })) }),
    readBytes: imageItself,
    decodeError: (wire) => errorOf(vendor, wire),
    readUsage(wire): Usage | undefined {
      const { whole, filters, lacking } = imagesOf(vendor, wire);
      if (whole.length + filters.length + lacking === 0) return undefined;
      return { ...tokensOf(vendor, wire), images: whole.length };
    },
    ...(path && { upstream: { path: ({ model }) => path(inPath(model)) } }),
  };
}

/** A vendor that was asked for one image may send the image itself. */
function imageItself(bytes: Buffer, contentType: string): ImageResponse {
  if (!contentType.startsWith("image/"))
    raise("upstream_invalid", `The answer is neither JSON nor an image: ${contentType}`);
  return { images: [{ base64: bytes.toString("base64") }], usage: { images: 1 } };
}

const says = ({ saysModel }: Vendor, model: unknown): boolean =>
  typeof saysModel === "function" ? saysModel(String(model)) : saysModel === true;

const jsonBody = (wire: Readonly<Fields>) => ({
  bytes: Buffer.from(JSON.stringify(wire)),
  contentType: "application/json",
});

/** Names of models may have slashes, which are part of the address. */
function inPath(model: string): string {
  const steps = model.split("/");
  if (steps.some((step) => step === "" || step === "." || step === "..")) refuse("model", "the name of a model", model);
  return steps.map(encodeURIComponent).join("/");
}

/** The formats of vendors with an image API of their own: `stability-v1-images`, `segmind-images`, … */
export const vendorFormats: readonly Format<"image">[] = Object.entries(vendors).map(([vendor, about]) =>
  formatOf(`${vendor}-images`, about),
);
