import { assembler, type ChatResponse, isRecord, raise, readErrorBody } from "../../../core/index.ts";
import { GenerationDecoder } from "../stream/decode-stream.ts";

/**
 * A whole answer is a stream of one frame, or a list of frames where the vendor was asked for a stream of another kind:
 * what the frames say together is the answer.
 */
export function decodeResponse(body: unknown): ChatResponse {
  const frames: readonly unknown[] = Array.isArray(body) ? body : [body];
  const answer = assembler();
  const decoder = new GenerationDecoder();
  for (const frame of frames) {
    if (!isRecord(frame) || isRecord(frame.error) || !isAnswer(frame))
      raise(
        "upstream_invalid",
        `The answer is not a generation: ${readErrorBody(frame)?.message ?? "it has no candidates"}`,
      );
    for (const chunk of decoder.take(frame)) answer.add(chunk);
  }
  for (const chunk of Array.isArray(body) ? decoder.end() : decoder.finish()) answer.add(chunk);
  return answer.chat();
}

/** A prompt that was blocked has no candidates, and an answer without any is one that only counts. */
const isAnswer = ({ candidates, promptFeedback, usageMetadata }: Readonly<Record<string, unknown>>): boolean =>
  candidates === undefined ? promptFeedback !== undefined || usageMetadata !== undefined : Array.isArray(candidates);
