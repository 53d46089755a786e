import { compact, isRecord, tokenCount, totalOf, type Usage } from "../../core/index.ts";

/** Microsoft's models make at most so many pixels, none of whose sides is shorter than this. */
const mostPixels = 1024 * 1024;
const shortest = 768;
const longest = Math.floor(mostPixels / shortest);
/** Sides are made in steps: what lies between is refused, though nothing is written about it. */
const step = 16;

/** The measures nearest to what was asked for, as far as its ratio can be kept. */
export function maiSize(width: number, height: number): readonly [width: number, height: number] {
  const scale = Math.min(1, Math.sqrt(mostPixels / (width * height)));
  const side = (length: number) =>
    Math.min(Math.max(Math.floor((length * scale) / step) * step, shortest), Math.floor(longest / step) * step);
  const [across, down] = [side(width), side(height)];
  const fitting = (other: number) => Math.floor(mostPixels / other / step) * step;
  return across >= down ? [Math.min(across, fitting(down)), down] : [across, Math.min(down, fitting(across))];
}

/** Everything it writes is an image. */
export function maiUsage(usage: unknown): Usage | undefined {
  const { num_input_text_tokens, num_input_image_tokens, num_output_tokens } = isRecord(usage) ? usage : {};
  const images = tokenCount(num_input_image_tokens);
  const written = tokenCount(num_output_tokens);
  const inputTokens = totalOf(tokenCount(num_input_text_tokens), images);
  const tokens = compact({
    inputTokens,
    inputImageTokens: images,
    outputTokens: written,
    outputImageTokens: written,
  });
  return Object.keys(tokens).length > 0 ? tokens : undefined;
}
