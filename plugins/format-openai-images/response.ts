import {
  compact,
  type EncodeContext,
  extraIn,
  type Fields,
  fieldsBeyond,
  type ImageResponse,
  isRecord,
  ownFields,
  parseAnswer,
  tokenCount,
  type Usage,
} from "../../core/index.ts";
import { formatName } from "./generation.ts";
import { answer } from "./wire.ts";

export function decodeResponse(body: unknown): ImageResponse {
  const wire = parseAnswer(answer, body, "a list of images");
  return {
    ...compact({ created: wire.created }),
    images: wire.data.map((one) => ({
      ...compact({ url: one.url, base64: one.b64_json, revisedPrompt: one.revised_prompt }),
      ...extraIn(formatName, fieldsBeyond(one, answer.shape.data.element)),
    })),
    ...compact({ usage: readUsage(wire) }),
    ...extraIn(formatName, compact({ usage: wire.usage, ...fieldsBeyond(wire, answer) })),
  };
}

export function encodeResponse(response: ImageResponse, context: EncodeContext): Fields {
  return {
    created: response.created ?? context.now,
    data: response.images.map(({ url, base64, revisedPrompt, extra }) => ({
      ...compact({ url, b64_json: base64, revised_prompt: revisedPrompt }),
      ...ownFields(formatName, extra),
    })),
    ...ownFields(formatName, response.extra),
    provider: context.provider,
  };
}

/** What writes an SVG is another model, whose tokens are told apart (openai 7.59, `ImagesResponse.SvgUsage`), and are paid for at its prices. */
const isWrittenByAnother = ({ svg_usage: usage }: Fields): boolean => isRecord(usage);

/** Images are counted in an answer; tokens are told by some models. */
export function readUsage(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  const usage = compact({
    ...tokensIn(wire.usage),
    images: Array.isArray(wire.data) ? wire.data.length : undefined,
    uncounted: isWrittenByAnother(wire) || undefined,
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

/**
 * The last event of a stream holds the image that all before it were parts of, and "the number of image tokens in the output image"
 * (openai 6.49, `ImageGenCompletedEvent`): it tells no kinds apart. Or it says how many images there were (Seedream).
 */
export function readLastEvent({ usage }: Fields): Usage {
  const tokens = tokensIn(usage);
  const images = (isRecord(usage) ? tokenCount(usage.generated_images) : undefined) ?? 1;
  return compact({ ...tokens, outputImageTokens: tokens.outputImageTokens ?? tokens.outputTokens, images });
}

/** One of several images that failed (Seedream): the others come all the same. */
export const isPartOnly = (type: string): boolean => type.endsWith(".partial_failed");

function tokensIn(usage: unknown): { readonly [Bucket in keyof Usage]: Usage[Bucket] | undefined } {
  const tokens = isRecord(usage) ? usage : {};
  const read = isRecord(tokens.input_tokens_details) ? tokens.input_tokens_details : {};
  const written = isRecord(tokens.output_tokens_details) ? tokens.output_tokens_details : {};
  return {
    inputTokens: tokenCount(tokens.input_tokens),
    inputImageTokens: tokenCount(read.image_tokens),
    outputTokens: tokenCount(tokens.output_tokens),
    outputImageTokens: tokenCount(written.image_tokens),
  };
}
