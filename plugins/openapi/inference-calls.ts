/** What the calls of the inference API take, as far as every vendor has it; what else they take passes through. */
export interface InferenceCall {
  readonly tag: string;
  readonly summary: string;
  /** The body is a form. */
  readonly form?: true;
  /** A POST with nothing in it. */
  readonly bare?: true;
  /** `stream: true` answers events. */
  readonly streams?: true;
  readonly body?: { readonly required: readonly string[]; readonly properties: Readonly<Record<string, object>> };
}

const text = { type: "string" };
const model = { type: "string", description: "A model, or provider/model, or @provider-slug/model." };
const stream = { type: "boolean", default: false };
const list = { type: "array", items: {} };
const input = { description: "A text, or a list of them." };

const body = (required: readonly string[], properties: Readonly<Record<string, object>>) => ({ required, properties });

/** By the type of the endpoint (inference-api.md section 1). */
export const inferenceCalls: Readonly<Record<string, InferenceCall>> = {
  chatComplete: {
    tag: "chat",
    summary: "Goes on with a conversation.",
    streams: true,
    body: body(["messages"], { model, messages: list, stream, tools: list, temperature: { type: "number" } }),
  },
  complete: {
    tag: "completions",
    summary: "Goes on with a text.",
    streams: true,
    body: body([], { model, prompt: input, stream }),
  },
  messages: {
    tag: "messages",
    summary: "Goes on with a conversation, in Anthropic's format.",
    streams: true,
    body: body(["messages", "max_tokens"], { model, messages: list, max_tokens: { type: "integer" }, stream }),
  },
  messagesCountTokens: {
    tag: "messages",
    summary: "Counts the tokens of a conversation, in Anthropic's format.",
    body: body(["messages"], { model, messages: list }),
  },
  createModelResponse: {
    tag: "responses",
    summary: "Answers, in OpenAI's responses format.",
    streams: true,
    body: body([], { model, input, previous_response_id: text, stream }),
  },
  countInputTokens: {
    tag: "responses",
    summary: "Counts the tokens of what a response would be made of.",
    body: body([], { model, input, previous_response_id: text }),
  },
  getModelResponse: { tag: "responses", summary: "Reads a stored response." },
  deleteModelResponse: { tag: "responses", summary: "Deletes a stored response." },
  cancelModelResponse: { tag: "responses", summary: "Cancels a response that is made in the background.", bare: true },
  listResponseInputItems: { tag: "responses", summary: "Lists what a stored response was given." },
  embed: { tag: "embeddings", summary: "Makes vectors of texts.", body: body([], { model, input }) },
  embedContent: { tag: "gemini", summary: "Makes vectors of texts, in Gemini's format." },
  generateContent: { tag: "gemini", summary: "Answers, in Gemini's format.", streams: true },
  countTokens: { tag: "gemini", summary: "Counts tokens, in Gemini's format." },
  imageGenerate: { tag: "images", summary: "Makes images of a text.", body: body(["prompt"], { model, prompt: text }) },
  imageEdit: { tag: "images", summary: "Changes an image.", form: true },
  imageVariation: { tag: "images", summary: "Makes images like one.", form: true },
  createSpeech: {
    tag: "audio",
    summary: "Speaks a text.",
    body: body(["input"], { model, input: text, voice: {} }),
  },
  createTranscription: { tag: "audio", summary: "Writes down what is said.", form: true },
  createTranslation: { tag: "audio", summary: "Writes down in English what is said.", form: true },
  moderate: { tag: "moderations", summary: "Says what is harmful in a text.", body: body(["input"], { model, input }) },
  rerank: {
    tag: "rerank",
    summary: "Orders documents by how well they answer a query.",
    body: body(["query", "documents"], { model, query: text, documents: list, top_n: { type: "integer" } }),
  },
  ocr: { tag: "ocr", summary: "Reads a document.", body: body(["document"], { model, document: { type: "object" } }) },
  uploadFile: { tag: "files", summary: "Uploads a file.", form: true },
  listFiles: { tag: "files", summary: "Lists files." },
  retrieveFile: { tag: "files", summary: "Says what a file is." },
  retrieveFileContent: { tag: "files", summary: "Reads what a file holds." },
  deleteFile: { tag: "files", summary: "Deletes a file." },
  createBatch: {
    tag: "batches",
    summary: "Has the requests of a file done.",
    body: body([], {
      input_file_id: text,
      endpoint: text,
      completion_window: text,
      model,
      metadata: { type: "object" },
    }),
  },
  listBatches: { tag: "batches", summary: "Lists batches." },
  retrieveBatch: { tag: "batches", summary: "Says how far a batch is." },
  getBatchOutput: { tag: "batches", summary: "Reads what a batch came to." },
  cancelBatch: { tag: "batches", summary: "Cancels a batch.", bare: true },
  createFinetune: {
    tag: "fine-tuning",
    summary: "Has a model trained with a file.",
    body: body([], { model, training_file: text, validation_file: text, suffix: text }),
  },
  listFinetunes: { tag: "fine-tuning", summary: "Lists fine-tuning jobs." },
  retrieveFinetune: { tag: "fine-tuning", summary: "Says how far a fine-tuning job is." },
  cancelFinetune: { tag: "fine-tuning", summary: "Cancels a fine-tuning job.", bare: true },
  realtime: {
    tag: "realtime",
    summary: "Opens a websocket to a model that listens and speaks (an upgrade, answered 101).",
  },
  listModels: { tag: "models", summary: "Lists models." },
  proxy: { tag: "passthrough", summary: "Any other call of a provider, passed through as it is." },
};
