import type { Extra } from "./content.ts";
import type { FormFields } from "./form.ts";
import type { Usage } from "./usage.ts";

/** Images to be made from a text (inference-api.md section 13). */
export interface ImageRequest {
  readonly model: string;
  readonly prompt: string;
  readonly n?: number;
  /** `1024x1024`, or a word of the vendor's. */
  readonly size?: string;
  readonly quality?: string;
  readonly style?: string;
  /** Whether the client wants addresses or the images themselves; absent is what the vendor does. */
  readonly responseFormat?: "url" | "b64_json";
  /** `png`, `jpeg`, `webp`. */
  readonly outputFormat?: string;
  /** 0..100. */
  readonly outputCompression?: number;
  readonly negativePrompt?: string;
  readonly seed?: number;
  readonly user?: string;
  readonly stream?: boolean;
  readonly extra?: Extra;
}

/** Images to be changed, or made alike: a form, which goes to vendors that take the same form. */
export interface ImageFormRequest {
  readonly model: string;
  readonly fields: FormFields;
  readonly stream?: boolean;
  /** What a client wrote that sent no form, as it stood there. */
  readonly extra?: Extra;
}

export interface Image {
  readonly url?: string;
  /** Without a `data:` prefix. */
  readonly base64?: string;
  readonly revisedPrompt?: string;
  /** Other fields of the vendor's, as it wrote them. */
  readonly extra?: Extra;
}

export interface ImageResponse {
  /** Unix seconds. */
  readonly created?: number;
  readonly images: readonly Image[];
  readonly usage?: Usage;
  readonly extra?: Extra;
}
