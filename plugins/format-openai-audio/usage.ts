import { compact, isRecord, tokenCount, type Usage } from "../../core/index.ts";

/** What a transcription used: tokens of newer models, seconds of the others. */
export function readUsage(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  const told = isRecord(wire.usage) ? wire.usage : {};
  const details = isRecord(told.input_token_details) ? told.input_token_details : {};
  const audio = tokenCount(details.audio_tokens);
  const usage = compact({
    inputTokens: audio === undefined ? tokenCount(told.input_tokens) : tokenCount(details.text_tokens),
    inputAudioTokens: audio,
    outputTokens: tokenCount(told.output_tokens),
    audioSeconds: tokenCount(told.seconds) ?? tokenCount(wire.duration),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}
