import { compact, fieldsIn, isRecord, lessParts, tokenCount, totalOf, type Usage } from "../../../core/index.ts";

/** The usage of a `response.done`. Its counts include their parts; the buckets do not. Undefined where none is reported. */
export function usageOf(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  const input = fieldsIn(wire.input_token_details);
  const output = fieldsIn(wire.output_token_details);
  const cached = fieldsIn(input.cached_tokens_details);
  const cacheReadTokens = tokenCount(input.cached_tokens) ?? totalOf(...Object.values(cached).map(tokenCount));
  const cacheReadAudioTokens = tokenCount(cached.audio_tokens);
  const cacheReadImageTokens = tokenCount(cached.image_tokens);
  const inputAudioTokens = lessParts(tokenCount(input.audio_tokens), cacheReadAudioTokens);
  const outputAudioTokens = tokenCount(output.audio_tokens);
  const usage: Usage = compact({
    inputTokens: lessParts(tokenCount(wire.input_tokens), cacheReadTokens, inputAudioTokens),
    cacheReadTokens,
    cacheReadAudioTokens,
    cacheReadImageTokens,
    inputAudioTokens,
    inputImageTokens: lessParts(tokenCount(input.image_tokens), cacheReadImageTokens),
    outputTokens: lessParts(tokenCount(wire.output_tokens), outputAudioTokens),
    outputAudioTokens,
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

/**
 * What the transcription of what was said used, as its event tells it, in tokens or in seconds: it "is billed according to the ASR
 * model's pricing" (openai 6.49). Undefined where it tells nothing.
 */
export function transcriptionUsageOf(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  const inputAudioTokens = tokenCount(fieldsIn(wire.input_token_details).audio_tokens);
  const usage: Usage = compact({
    inputTokens: lessParts(tokenCount(wire.input_tokens), inputAudioTokens),
    inputAudioTokens,
    outputTokens: tokenCount(wire.output_tokens),
    audioSeconds: tokenCount(wire.seconds),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}
