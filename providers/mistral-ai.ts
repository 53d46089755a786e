import { defineProvider, type OperationSpec, strictChats, z } from "../core/provider-kit/index.ts";

type Wire = Record<string, unknown>;

const { renames, clamps } = strictChats;

/** Code that fits between a prompt and a suffix is answered as chat is. */
const withText =
  (field: "message" | "delta") =>
  (wire: Wire): Wire =>
    Array.isArray(wire.choices)
      ? { ...wire, choices: wire.choices.map((choice: Wire) => textOf(choice, field)) }
      : wire;

function textOf(choice: Wire, field: "message" | "delta"): Wire {
  const { [field]: said, ...rest } = choice;
  if (typeof said !== "object" || said === null) return choice;
  const { content } = said as Wire;
  return { ...rest, text: typeof content === "string" ? content : "" };
}

const fim = "/fim/completions";

type Asked = Parameters<NonNullable<OperationSpec["serves"]>>[2];

/** Fields by which the vendor's own clients are known from OpenAI's, which ask below the same paths (@mistralai/mistralai 2.7). */
const ownFields = {
  speech: ["voice_id", "ref_audio"],
  transcribe: ["diarize", "context_bias", "file_url", "file_id", "timestamp_granularities"],
};
/** What transcriptions are asked with that both clients call the same, and read the same answer of. */
const shared: ReadonlySet<string> = new Set(["file", "model", "language", "temperature", ...ownFields.transcribe]);

const saysOwn = (asked: Asked, fields: readonly string[]): boolean => fields.some((name) => asked?.keys?.has(name));

/** Streams have other events for each of them: those of its own clients pass, which always say whether to `diarize`. */
const isOwnTranscription = (asked: Asked): boolean =>
  !asked ||
  [...(asked.keys ?? ["unknown"])].every(
    (name) => shared.has(name) || (name === "stream" && saysOwn(asked, ownFields.transcribe)),
  );

export default defineProvider({
  name: "mistral-ai",
  summary: "Mistral AI: the Mistral, Codestral and Magistral models.",
  baseUrl: "https://api.mistral.ai/v1",
  options: z.strictObject({
    fimCompletion: z
      .preprocess((value) => (value === "true" ? true : value === "false" ? false : value), z.boolean())
      .default(false)
      .describe("Whether requests at the chat endpoint hold a prompt and a suffix, to be completed in the middle."),
  }),
  headerOptions: { fimCompletion: "mistral-fim-completion" },
  operations: ({ fimCompletion }) => ({
    chat: {
      format: "openai-chat",
      ...(fimCompletion && { path: fim }),
      ...strictChats,
      attachments: ["document-url", "document"],
    },
    complete: {
      format: "openai-completions",
      path: fim,
      renames,
      clamps,
      drops: ["n", "best_of", "echo", "logprobs", "logit_bias", "frequency_penalty", "presence_penalty", "user"],
      normalise: withText("message"),
      normaliseFrame: withText("delta"),
    },
    // Fields the vendor does not know it refuses.
    embed: {
      format: "openai-embeddings",
      drops: ["user", "input_type", "task_type"],
      renames: { dimensions: "output_dimension" },
    },
    ocr: "mistral-ocr",
    speech: [
      { format: "openai-speech", serves: (_model, _headers, asked) => !asked || saysOwn(asked, ownFields.speech) },
      "mistral-speech",
    ],
    transcribe: [
      { format: "openai-transcriptions", serves: (_model, _headers, asked) => isOwnTranscription(asked) },
      "mistral-transcriptions",
    ],
  }),
});
