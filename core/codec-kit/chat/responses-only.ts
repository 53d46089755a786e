/**
 * Models of OpenAI that are there by the Responses API only, whoever hosts them (inference-api.md section 10): Codex, deep
 * research, computer use, and the `pro` of o1 and later. Asked by chat completions they answer 404: "This model is only
 * supported in v1/responses and not in v1/chat/completions."
 */
export const isInResponsesOnly = (model: string): boolean => named.test(model);

const named = /codex|deep-research|computer-use-preview|(?:^|[^a-z0-9])(?:o\d+|gpt-\d+(?:\.\d+)?)-pro(?![a-z])/i;
