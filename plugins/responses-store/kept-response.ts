import type { ChatRequest, Fields } from "../../core/index.ts";

/** The format whose responses are kept. */
export const formatName = "openai-responses";

/** A response the gateway keeps for a provider that does not. */
export interface KeptResponse {
  /** As the client got it. */
  readonly response: Readonly<Fields>;
  /** The items the model was given, those of the responses before included, each with an id. */
  readonly input: readonly Readonly<Fields>[];
  /** The conversation up to and with this answer, canonical. */
  readonly messages: ChatRequest["messages"];
}
