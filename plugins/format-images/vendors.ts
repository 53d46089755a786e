import { type Fields, isRecord } from "../../core/index.ts";
import { maiSize, maiUsage } from "./mai.ts";
import type { Vendor } from "./vendor.ts";

const stabilityRatios = ["1:1", "16:9", "21:9", "2:3", "3:2", "4:5", "5:4", "9:16", "9:21"];
const measures = { width: "width", height: "height" };

/** A list of prompts with weights, of which a request has one. */
const weighted = ({ prompt, ...rest }: Readonly<Fields>): Fields => ({
  text_prompts: [{ text: prompt, weight: 1 }],
  ...rest,
});

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Of all there is to say of how an image ended, what a filter did. Filtered ones are blurred, blank or absent. */
const asFilter = (ending: unknown): unknown =>
  typeof ending === "string" && /^(?:CONTENT_FILTERED$|Filter reason)/.test(ending) ? ending : undefined;

const endingsIn = (artifacts: unknown): readonly unknown[] =>
  listIn(artifacts).map((one) => (isRecord(one) ? asFilter(one.finishReason) : undefined));

const stability1 = {
  names: { n: "samples", style: "style_preset", seed: "seed" },
  size: measures,
  takes: ["cfg_scale", "clip_guidance_preset", "sampler", "steps", "extras"],
  most: 10,
  gives: "b64_json",
  place: weighted,
  images: ({ artifacts }: Readonly<Fields>) => artifacts,
  filtered: ({ artifacts }: Readonly<Fields>) => endingsIn(artifacts),
} as const;

const stability2 = {
  names: { style: "style_preset", negativePrompt: "negative_prompt", seed: "seed", outputFormat: "output_format" },
  size: { name: "aspect_ratio", ratios: stabilityRatios },
  takes: ["aspect_ratio", "mode", "image", "strength"],
  gives: "b64_json",
} as const;

/** `sd3.5-large`, `sd3-medium`; the family itself, `sd3`, is an address. */
const isStableDiffusion3 = (model: string): boolean => /^sd3(?:\.\d+)?-/.test(model);

/** Parameters of a prediction that no other vendor has (`GenerateImagesConfig` of @google/genai 2.32). */
const imagenFields = [
  ...["aspectRatio", "personGeneration", "safetySetting", "addWatermark", "includeRaiReason", "mimeType"],
  ...["compressionQuality", "sampleImageSize", "enhancePrompt", "language", "guidanceScale"],
  "includeSafetyAttributes",
];

export const vendors: Readonly<Record<string, Vendor>> = {
  "stability-v1": { ...stability1, path: (model) => `/v1/generation/${model}/text-to-image` },
  "stability-v2": {
    ...stability2,
    form: { files: ["image"] },
    accept: "application/json",
    // One address is for all models of this family: which one it is stands in the form.
    saysModel: isStableDiffusion3,
    images: ({ image }) => image,
    filtered: ({ finish_reason }) => [asFilter(finish_reason)],
    path: (model) => `/v2beta/stable-image/generate/${isStableDiffusion3(model) ? "sd3" : model}`,
  },
  segmind: {
    names: { n: "samples", style: "style", negativePrompt: "negative_prompt", seed: "seed" },
    size: { width: "img_width", height: "img_height" },
    takes: [
      ...["num_inference_steps", "scheduler", "guidance_scale", "strength", "refiner", "high_noise_fraction"],
      ...["control_scale", "control_start", "control_end", "qr_text", "invert", "qr_size"],
    ],
    most: 10,
    asks: { name: "base64", bytes: true, url: false },
    images: ({ image }) => image,
    path: (model) => `/${model}`,
  },
  fireworks: {
    names: { n: "samples", seed: "seed" },
    size: measures,
    takes: ["cfg_scale", "sampler", "steps", "safety_check", "lora_adapter_name", "lora_weight_filename"],
    gives: "b64_json",
    place: weighted,
    images: (wire) => wire,
    filtered: endingsIn,
    path: (model) => `/image_generation/${model}`,
  },
  "fireworks-flux": {
    names: { seed: "seed" },
    size: { name: "aspect_ratio", ratios: [...stabilityRatios, "4:3", "3:4"] },
    takes: ["aspect_ratio", "guidance_scale", "num_inference_steps", "safety_check"],
    gives: "b64_json",
    accept: "application/json",
    images: ({ base64 }) => base64,
    filtered: ({ base64, finishReason }) => [base64].flat().map(() => asFilter(finishReason)),
    path: (model) => `/workflows/${model}/text_to_image`,
  },
  siliconflow: {
    names: { n: "batch_size", negativePrompt: "negative_prompt", seed: "seed" },
    size: { name: "image_size" },
    takes: ["num_inference_steps", "guidance_scale"],
    gives: "url",
    images: ({ images }) => images,
    path: (model) => `/${model}/text-to-image`,
  },
  together: {
    names: { n: "n", negativePrompt: "negative_prompt", seed: "seed", outputFormat: "output_format" },
    size: measures,
    takes: [
      ...["steps", "guidance_scale", "image_url", "image_loras", "reference_images", "prompt_upsampling"],
      "disable_safety_checker",
    ],
    saysModel: true,
    asks: { name: "response_format", bytes: "base64", url: "url" },
    images: ({ data }) => data,
    path: () => "/v1/images/generations",
  },
  zhipu: {
    names: { quality: "quality", user: "user_id" },
    size: { name: "size" },
    takes: ["watermark_enabled"],
    saysModel: true,
    gives: "url",
    place: zhipuRequest,
    images: ({ data }) => data,
    path: () => "/images/generations",
  },
  fal: {
    names: { n: "num_images", negativePrompt: "negative_prompt", seed: "seed", outputFormat: "output_format" },
    size: measures,
    // Each of its models is a program of its own.
    takes: "all",
    asks: { name: "sync_mode", bytes: true, url: false },
    place: ({ width, height, ...rest }) => ({ ...rest, ...(width !== undefined && { image_size: { width, height } }) }),
    images: ({ images, image }) => images ?? image,
    filtered: ({ has_nsfw_concepts: faulty }) =>
      listIn(faulty).map((found) => (found === true ? "has_nsfw_concepts" : undefined)),
    path: (model) => `/${model}`,
  },
  hyperbolic: {
    names: {},
    size: measures,
    takes: ["backend"],
    saysModel: true,
    gives: "b64_json",
    images: ({ images }) => images,
    path: () => "/v1/image/generation",
  },
  "workers-ai": {
    names: { negativePrompt: "negative_prompt", seed: "seed" },
    size: measures,
    takes: ["num_steps", "steps"],
    gives: "b64_json",
    images: ({ result }) => (isRecord(result) ? result.image : undefined),
    path: (model) => `/${model}`,
  },
  imagen: {
    names: {
      n: "sampleCount",
      style: "sampleImageStyle",
      negativePrompt: "negativePrompt",
      seed: "seed",
      quality: "quality",
      outputFormat: "outputFormat",
      outputCompression: "outputCompression",
    },
    size: { name: "aspectRatio", ratios: ["1:1", "3:4", "4:3", "9:16", "16:9"] },
    takes: imagenFields,
    most: 8,
    gives: "b64_json",
    place: imagenRequest,
    images: ({ predictions }) => predictions,
    filtered: imagenFilters,
  },
  mai: {
    names: {},
    size: { ...measures, fit: maiSize },
    takes: ["auto_aspect_ratio", "web_grounding"],
    saysModel: true,
    gives: "b64_json",
    images: ({ data }) => data,
    usage: ({ usage }) => maiUsage(usage),
  },
  "bedrock-stability-v1": stability1,
  "bedrock-stability-v2": {
    ...stability2,
    images: ({ images }) => images,
    filtered: ({ finish_reasons }) => listIn(finish_reasons).map(asFilter),
  },
  "bedrock-amazon": {
    names: { n: "numberOfImages", quality: "quality", negativePrompt: "negativeText", seed: "seed" },
    size: measures,
    takes: ["cfgScale"],
    most: 5,
    gives: "b64_json",
    place: ({ prompt, negativeText, quality, ...config }) => ({
      taskType: "TEXT_IMAGE",
      textToImageParams: { text: prompt, ...(negativeText !== undefined && { negativeText }) },
      imageGenerationConfig: { ...config, ...(quality !== undefined && { quality: amazonQuality(quality) }) },
    }),
    images: ({ images }) => images,
    // Those that are withheld are not in the list; in answers the only thing that is wrong is that.
    filtered: ({ images, error }) => (listIn(images).length === 0 ? [error] : undefined),
  },
};

/** There are two; other APIs have other words for them. */
const amazonQuality = (word: unknown): unknown =>
  word === "hd" || word === "high"
    ? "premium"
    : word === "low" || word === "medium" || word === "auto"
      ? "standard"
      : word;

/** There are two words for quality, and a name of who asks has from 6 to 128 characters. */
function zhipuRequest(fields: Readonly<Fields>, report: (dropped: string) => void): Fields {
  const { quality, user_id: user, ...rest } = fields;
  const fits = typeof user === "string" && user.length >= 6 && user.length <= 128;
  if (user !== undefined && !fits) report("user");
  return {
    ...rest,
    ...(quality !== undefined && quality !== "auto" && { quality: zhipuQualities.get(quality) ?? quality }),
    ...(fits && { user_id: user }),
  };
}

const zhipuQualities: ReadonlyMap<unknown, string> = new Map([
  ["high", "hd"],
  ["medium", "standard"],
  ["low", "standard"],
]);

/** Images come as one of these; what is another one comes as PNG. */
const jpeg = "image/jpeg";
const imagenTypes: ReadonlyMap<unknown, string> = new Map([
  ["png", "image/png"],
  ["jpeg", jpeg],
  ["jpg", jpeg],
]);

/** Quality is how far the image is compressed: a number, or a word for one. How far a JPEG is can be said as such, too. */
function imagenRequest(fields: Readonly<Fields>, report: (dropped: string) => void): Fields {
  const {
    prompt,
    quality,
    outputFormat,
    outputCompression,
    mimeType: own,
    compressionQuality: ownQuality,
    ...rest
  } = fields;
  const mimeType = imagenTypes.get(outputFormat) ?? own;
  if (outputFormat !== undefined && mimeType === undefined) report("output_format");
  const isCompressed = outputCompression !== undefined && mimeType === jpeg;
  if (outputCompression !== undefined && !isCompressed) report("output_compression");
  const compressionQuality = isCompressed
    ? outputCompression
    : (ownQuality ?? (quality !== undefined && (quality === "hd" ? 100 : Number(quality) || 75)));
  const outputOptions = {
    ...(mimeType !== undefined && { mimeType }),
    ...(compressionQuality !== false && { compressionQuality }),
  };
  return {
    instances: [{ prompt }],
    parameters: { ...rest, ...(Object.keys(outputOptions).length > 0 && { outputOptions }) },
  };
}

/** Images that are withheld are said to be where the request asks for that, and else left out: all of them, in the end. */
function imagenFilters({ predictions, ...rest }: Readonly<Fields>): readonly unknown[] {
  if (listIn(predictions).length === 0 && Object.keys(rest).length === 0)
    return ["it says nothing of why; includeRaiReason asks it to"];
  return listIn(predictions).map((one) => (isRecord(one) ? one.raiFilteredReason : undefined));
}
