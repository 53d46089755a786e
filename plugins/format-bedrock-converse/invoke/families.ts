import type { Family } from "./family.ts";

const sampling = { temperature: "temperature", top_p: "top_p" };

const anthropic: Family = {
  name: "anthropic",
  prompt: "prompt",
  dialogue: { before: "\n\nHuman: ", after: "\n\nAssistant:" },
  settings: {
    ...sampling,
    max_tokens: "max_tokens_to_sample",
    top_k: "top_k",
    stop: "stop_sequences",
    user: "metadata.user_id",
  },
  // The bound that text completions have by themselves; this vendor wants one said.
  defaults: { max_tokens_to_sample: 16 },
  clamps: { temperature: [0, 1] },
  answer: { text: "completion", reason: "stop_reason" },
  words: { stop: "stop_sequence", length: "max_tokens" },
};

const cohere: Family = {
  name: "cohere",
  prompt: "prompt",
  settings: {
    max_tokens: "max_tokens",
    temperature: "temperature",
    top_p: "p",
    top_k: "k",
    frequency_penalty: "frequency_penalty",
    presence_penalty: "presence_penalty",
    logit_bias: "logit_bias",
    n: "num_generations",
    stop: "end_sequences",
    return_likelihoods: "return_likelihoods",
    truncate: "truncate",
  },
  most: 5,
  clamps: { max_tokens: [1, Number.POSITIVE_INFINITY], temperature: [0, 5], k: [0, 500] },
  asksForStream: true,
  answer: { list: "generations", text: "text", reason: "finish_reason" },
  frame: { text: "text", reason: "finish_reason", index: "index" },
  id: "id",
  words: { stop: "COMPLETE", length: "MAX_TOKENS" },
};

const meta: Family = {
  name: "meta",
  prompt: "prompt",
  settings: { ...sampling, max_tokens: "max_gen_len" },
  clamps: { max_gen_len: [1, 2048] },
  answer: { text: "generation", reason: "stop_reason" },
  counts: { input: "prompt_token_count", output: "generation_token_count" },
  words: { stop: "stop", length: "length" },
};

const mistral: Family = {
  name: "mistral",
  prompt: "prompt",
  settings: { ...sampling, max_tokens: "max_tokens", top_k: "top_k", stop: "stop" },
  answer: { list: "outputs", text: "text", reason: "stop_reason" },
  words: { stop: "stop", length: "length" },
};

const titan: Family = {
  name: "titan",
  prompt: "inputText",
  settings: {
    temperature: "textGenerationConfig.temperature",
    top_p: "textGenerationConfig.topP",
    max_tokens: "textGenerationConfig.maxTokenCount",
    stop: "textGenerationConfig.stopSequences",
  },
  answer: { list: "results", text: "outputText", reason: "completionReason" },
  frame: { text: "outputText", reason: "completionReason", index: "index" },
  counts: { input: "inputTextTokenCount", output: "tokenCount", perChoice: true },
  words: { stop: "FINISH", length: "LENGTH" },
};

const ai21: Family = {
  name: "ai21",
  prompt: "prompt",
  settings: {
    temperature: "temperature",
    top_p: "topP",
    max_tokens: "maxTokens",
    stop: "stopSequences",
    n: "numResults",
    presence_penalty: "presencePenalty.scale",
    frequency_penalty: "frequencyPenalty.scale",
    countPenalty: "countPenalty",
  },
  whole: true,
  answer: { list: "completions", text: "data.text", reason: "finishReason.reason" },
  id: "id",
  counts: { input: "prompt.tokens", output: "data.tokens", perChoice: true },
  words: { stop: "endoftext", length: "length" },
};

/** The makers whose models complete texts. */
export const families: readonly Family[] = [anthropic, cohere, meta, mistral, titan, ai21];

/** Those of them whose oldest chat models are told a dialogue as one text. */
export const chatFamilies: readonly Family[] = [cohere, ai21];
