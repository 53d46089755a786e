import type { Extra } from "./content.ts";
import type { FormFile } from "./form.ts";
import type { Usage } from "./usage.ts";

/** Sound to be written down, in its own language or in English (inference-api.md section 14). */
export interface TranscriptionRequest {
  readonly model: string;
  /** Absent where the vendor is to fetch the sound, from an address or a file it has: in the words of vendors that can, among `extra`. */
  readonly file?: FormFile;
  readonly language?: string;
  readonly prompt?: string;
  /** `json`, `text`, `srt`, `verbose_json`, `vtt`, `diarized_json`. */
  readonly responseFormat?: string;
  readonly temperature?: number;
  /** `word`, `segment`. */
  readonly granularities?: readonly string[];
  readonly stream?: boolean;
  readonly extra?: Extra;
}

/** Times are seconds. */
export interface TranscribedWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** A sentence, or what the vendor takes for one. */
export interface TranscribedSegment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Who says it: `A`, `B`, …, or the name of somebody known. */
  readonly speaker?: string;
}

export interface TranscriptionResponse {
  readonly text: string;
  readonly language?: string;
  /** Of the sound, in seconds. */
  readonly duration?: number;
  readonly words?: readonly TranscribedWord[];
  readonly segments?: readonly TranscribedSegment[];
  readonly usage?: Usage;
  readonly extra?: Extra;
}
