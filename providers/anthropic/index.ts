import {
  defineProvider,
  messageBatches,
  messageFiles,
  modelsByLastId,
  raise,
  z,
} from "../../core/provider-kit/index.ts";
import { betaFilters, credentialOf, federationLacks, federationOptions } from "./credential.ts";

type Wire = Readonly<Record<string, unknown>>;

/** The older text completions want a dialogue as their prompt (providers.md section 6.8). */
function dialogue({ prompt, stop, user, stream_options: _, ...rest }: Wire): Record<string, unknown> {
  const [text, ...others] = Array.isArray(prompt) ? prompt : [prompt];
  if (typeof text !== "string" || others.length > 0)
    raise("invalid_request", "prompt must be one text: anthropic completes one at a time.", { param: "prompt" });
  return {
    ...rest,
    prompt: `\n\nHuman: ${text}\n\nAssistant:`,
    ...(stop !== undefined && stop !== null && { stop_sequences: [stop].flat() }),
    ...(typeof user === "string" && { metadata: { user_id: user } }),
  };
}

/** The same in one piece and in the frames of a stream. */
function completion({ completion: text, stop_reason: reason, ...rest }: Wire): Record<string, unknown> {
  if (typeof text !== "string") return { ...rest };
  const finish = reason === "max_tokens" ? "length" : reason === "stop_sequence" ? "stop" : (reason ?? null);
  return { id: rest.id, model: rest.model, choices: [{ index: 0, text, finish_reason: finish }] };
}

export default defineProvider({
  name: "anthropic",
  summary: "Anthropic: the Claude models.",
  baseUrl: "https://api.anthropic.com/v1",
  options: z.strictObject({
    version: z.string().default("2023-06-01").describe("Sent as anthropic-version; a client's own header wins."),
    beta: z.string().exactOptional().describe("Sent as anthropic-beta, comma-separated; a client's own header wins."),
    ...federationOptions,
  }),
  headerOptions: { version: "anthropic-version", beta: "anthropic-beta" },
  machineOptions: ["federationRuleId", "identityTokenFile"],
  lacks: federationLacks,
  authenticate: (options) =>
    credentialOf(options, {
      "anthropic-version": options.version,
      ...(options.beta !== undefined && { "anthropic-beta": options.beta }),
    }),
  headerFilters: betaFilters,
  forwards: ["anthropic-version", "anthropic-beta"],
  operations: {
    complete: {
      format: "openai-completions",
      path: "/complete",
      drops: [
        "n",
        "best_of",
        "echo",
        "suffix",
        "logprobs",
        "logit_bias",
        "frequency_penalty",
        "presence_penalty",
        "seed",
      ],
      renames: { max_tokens: "max_tokens_to_sample" },
      // The bound the format has by itself; this vendor wants one said.
      defaults: { max_tokens_to_sample: 16 },
      clamps: { temperature: [0, 1] },
      rewrite: { when: ["{"], apply: dialogue },
      normalise: completion,
      normaliseFrame: completion,
    },
    count: {
      format: "anthropic-count-tokens",
      instructsWithin: true,
      leavesOutThinking: true,
    },
    chat: {
      format: "anthropic-messages",
      path: "/messages",
      instructsWithin: true,
      leavesOutThinking: true,
    },
  },
  listModels: modelsByLastId,
  procedures: {
    ...messageFiles({ header: "anthropic-beta", word: "files-api-2025-04-14" }),
    ...messageBatches,
  },
});
