import {
  compact,
  extraIn,
  type Fields,
  fieldsBeyond,
  type ImageRequest,
  ownFields,
  parseRequest,
  refuse,
  reportForeign,
} from "../../core/index.ts";
import { generation } from "./wire.ts";

/** The name of this format: what `extra` made here carries. */
export const formatName = "openai-images";
/** What requests mean that name no model (inference-api.md section 13). */
export const defaultModel = "dall-e-2";

/** What is known of some models: how long their prompts may be, how many images they make at once. */
const bounds: readonly (readonly [model: RegExp, prompt: number, n: number])[] = [
  [/(?:^|\/)dall-e-2$/, 1000, 10],
  [/(?:^|\/)dall-e-3$/, 4000, 1],
];

export function decodeRequest(body: unknown): ImageRequest {
  const wire = parseRequest(generation, body);
  const model = wire.model ?? defaultModel;
  const bound = bounds.find(([pattern]) => pattern.test(model));
  if (bound) {
    const [, prompt, n] = bound;
    if (wire.prompt.length > prompt) refuse("prompt", `a string of at most ${prompt} characters`, wire.prompt);
    if ((wire.n ?? 1) > n) refuse("n", `${n} for ${model}`, wire.n);
  }
  const rest = fieldsBeyond(wire, generation);
  return {
    model,
    prompt: wire.prompt,
    ...compact({
      n: wire.n,
      size: wire.size,
      quality: typeof wire.quality === "number" ? String(wire.quality) : wire.quality,
      style: wire.style,
      responseFormat: wire.response_format === "base64" ? "b64_json" : wire.response_format,
      outputFormat: wire.output_format,
      outputCompression: wire.output_compression,
      negativePrompt: wire.negative_prompt,
      seed: wire.seed,
      user: wire.user,
      stream: wire.stream,
    }),
    ...extraIn(formatName, compact({ partial_images: wire.partial_images, ...rest })),
  };
}

/** A stream of images has no canonical shape: vendors of other formats have none. */
export function refuseElsewhere({ stream }: ImageRequest): void {
  if (stream) refuse("stream", "false or absent for a vendor with an image API of its own", stream);
}

export function encodeRequest(request: ImageRequest, report: (dropped: string) => void): Fields {
  const { extra } = request;
  reportForeign(formatName, extra, "", report);
  return {
    model: request.model,
    prompt: request.prompt,
    ...compact({
      n: request.n,
      size: request.size,
      quality: request.quality,
      style: request.style,
      response_format: request.responseFormat,
      output_format: request.outputFormat,
      output_compression: request.outputCompression,
      negative_prompt: request.negativePrompt,
      seed: request.seed,
      user: request.user,
      stream: request.stream,
    }),
    ...ownFields(formatName, extra),
  };
}
