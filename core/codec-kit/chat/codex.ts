/** Models of OpenAI that are there by the Responses API only, whoever hosts them (inference-api.md section 10). */
export const isCodex = (model: string): boolean => /codex/i.test(model);
