import type { ChatRequest, ChatResponse } from "./chat.ts";
import type { CompletionRequest, CompletionResponse } from "./completion.ts";
import type { CountResponse } from "./count.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "./embedding.ts";
import type { ImageFormRequest, ImageRequest, ImageResponse } from "./image.ts";
import type { ModerationRequest, ModerationResponse } from "./moderation.ts";
import type { OcrRequest, OcrResponse } from "./ocr.ts";
import type { RerankRequest, RerankResponse } from "./rerank.ts";
import type { SpeechRequest, SpeechResponse } from "./speech.ts";
import type { TranscriptionRequest, TranscriptionResponse } from "./transcription.ts";

/** The canonical shapes of each operation. Plugins that bring a new operation extend this interface. */
export interface Operations {
  chat: { request: ChatRequest; response: ChatResponse };
  complete: { request: CompletionRequest; response: CompletionResponse };
  count: { request: ChatRequest; response: CountResponse };
  embed: { request: EmbeddingRequest; response: EmbeddingResponse };
  rerank: { request: RerankRequest; response: RerankResponse };
  image: { request: ImageRequest; response: ImageResponse };
  imageEdit: { request: ImageFormRequest; response: ImageResponse };
  imageVariation: { request: ImageFormRequest; response: ImageResponse };
  speech: { request: SpeechRequest; response: SpeechResponse };
  transcribe: { request: TranscriptionRequest; response: TranscriptionResponse };
  translate: { request: TranscriptionRequest; response: TranscriptionResponse };
  moderate: { request: ModerationRequest; response: ModerationResponse };
  ocr: { request: OcrRequest; response: OcrResponse };
}

export type OperationName = keyof Operations;

export type RequestOf<Operation extends OperationName> = Operations[Operation]["request"];

export type ResponseOf<Operation extends OperationName> = Operations[Operation]["response"];
