import { compact, isRecord, tokenCount, type Usage } from "../../core/index.ts";

/** What a transcription used: tokens of newer models, seconds of the others; both of Mistral's, in words of its own. */
export function readUsage(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  const told = isRecord(wire.usage) ? wire.usage : {};
  const details = isRecord(told.input_token_details) ? told.input_token_details : {};
  const audio = tokenCount(details.audio_tokens);
  const usage = compact({
    inputTokens:
      audio === undefined
        ? (tokenCount(told.input_tokens) ?? tokenCount(told.prompt_tokens))
        : tokenCount(details.text_tokens),
    inputAudioTokens: audio,
    outputTokens: tokenCount(told.output_tokens) ?? tokenCount(told.completion_tokens),
    audioSeconds: tokenCount(told.seconds) ?? tokenCount(told.prompt_audio_seconds) ?? tokenCount(wire.duration),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}
