import type { Extra } from "./content.ts";
import type { Usage } from "./usage.ts";

/** A text to be spoken (inference-api.md section 14). */
export interface SpeechRequest {
  readonly model: string;
  readonly input: string;
  /**
   * The vendor's name of a voice, or an object with one as the client wrote it. Absent where it is said in the words of a vendor that has
   * others, among `extra`.
   */
  readonly voice?: string | Readonly<Record<string, unknown>>;
  /** `mp3`, `opus`, `aac`, `flac`, `wav`, `pcm`. */
  readonly responseFormat?: string;
  readonly speed?: number;
  /** How it is to be spoken. */
  readonly instructions?: string;
  /** `sse`: the sound comes as events. */
  readonly streamFormat?: string;
  readonly extra?: Extra;
}

export interface SpeechResponse {
  /** Base64. */
  readonly audio: string;
  /** Absent where the vendor does not say: it is what was asked for. */
  readonly mediaType?: string;
  readonly usage?: Usage;
}
