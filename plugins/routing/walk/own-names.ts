/** `@cf/meta/llama-3.1-8b`, and with `@hf/` in front, are what Cloudflare calls its models. */
const ownNames = /^@(?:cf|hf)\/[^/@][^/]*\/[^/]/;

/** Whether a model begins with an @ because that is its name, and not because a stored provider stands in front. */
export const isOwnName = (model: string): boolean => ownNames.test(model);
