import { imagesAsBytes, type OperationInputs, raise, refusedIn } from "../../core/provider-kit/index.ts";
import { isMai, maiEdits, maiImages } from "./mai.ts";
import { beside, isAnthropic, type Place, urlOf, withVersion } from "./place.ts";

export interface ServedOptions extends Place {
  readonly apiVersion?: string;
  readonly responsesProxy: boolean;
}

/** Claude's URL may be written with its version. */
export const messagesPath = (place: Place, path: string): string =>
  /\/v1\/*$/.test(urlOf(place)) ? path : `/v1${path}`;

const rerank = (options: ServedOptions) => ({
  format: "cohere-rerank",
  path: beside(options, "/providers/cohere/v2/rerank"),
  model: (model: string) => model.replace(/^cohere\./, ""),
});

/** What is offered below a URL: Claude's own API, or OpenAI's for the models of all others. */
export function operationsOf(options: ServedOptions): OperationInputs {
  if (isAnthropic(options))
    return {
      count: {
        format: "anthropic-count-tokens",
        path: messagesPath(options, "/messages/count_tokens"),
        instructsWithin: true,
      },
      chat: {
        format: "anthropic-messages",
        path: messagesPath(options, "/messages"),
        instructsWithin: true,
      },
    };
  const path = (own: string) => withVersion(own, options.apiVersion);
  const chat = {
    format: "openai-chat",
    path: path("/chat/completions"),
    drops: ["functions", "function_call"],
    // Reasoning models know max_completion_tokens only, so it keeps its name.
    renames: { max_completion_tokens: "max_completion_tokens" },
  };
  const isRefused = refusedIn("openai-chat");
  const responses = {
    format: "openai-responses",
    path: path("/responses"),
    rewrite: { when: ['"input"'], apply: typed },
    firstFor: isRefused,
  };
  return {
    // Agents and what is stored are not to be had by chat: whoever wants them asks for the API itself.
    chat: [
      chat,
      // An agent of the vendor's has a model of its own: requests to one name none.
      options.responsesProxy
        ? { ...responses, defaultModel: "" }
        : { ...responses, serves: (model, _, request) => isRefused(model, request) },
    ],
    complete: { format: "openai-completions", path: path("/completions") },
    embed: { format: "openai-embeddings", path: path("/embeddings") },
    rerank: rerank(options),
    ocr: {
      format: "mistral-ocr",
      path: beside(options, "/providers/mistral/azure/ocr"),
      rewrite: { when: ['"document"'], apply: inlined },
    },
    image: [
      maiImages(options),
      {
        format: "openai-images",
        path: path("/images/generations"),
        serves: (model) => !isMai(model),
        rewrite: imagesAsBytes(),
      },
    ],
    imageEdit: [
      maiEdits(options),
      { format: "openai-image-edits", path: path("/images/edits"), serves: (model) => !isMai(model) },
    ],
    speech: { format: "openai-speech", path: path("/audio/speech") },
    transcribe: { format: "openai-transcriptions", path: path("/audio/transcriptions") },
    translate: { format: "openai-translations", path: path("/audio/translations") },
  };
}

type Wire = Readonly<Record<string, unknown>>;

/** Documents have to be in the request: this vendor fetches none (providers.md section 11). */
function inlined(wire: Wire): Record<string, unknown> {
  const { document_url, image_url } = (wire.document ?? {}) as Wire;
  const url =
    document_url ?? (typeof image_url === "object" && image_url !== null ? (image_url as Wire).url : image_url);
  if (typeof url !== "string" || !url.startsWith("data:"))
    raise("invalid_request", "document must be a data URL (data:application/pdf;base64,…) for this vendor.", {
      param: "document",
    });
  return { ...wire };
}

/** Items of the input that say no type are messages. */
const typed = (wire: Wire): Record<string, unknown> => ({
  ...wire,
  ...(Array.isArray(wire.input) && { input: wire.input.map(withType) }),
});

const withType = (item: unknown): unknown =>
  typeof item === "object" && item !== null && !("type" in item) ? { type: "message", ...item } : item;
