/** `@cf/meta/llama-3.1-8b`, and with `@hf/` in front, are what Cloudflare calls its models. */
const ownNames = /^@(?:cf|hf)\/[^/@][^/]*\/[^/]/;

/** Whether a model begins with an @ because that is its name, and not because a stored provider stands in front. */
export const isOwnName = (model: string): boolean => ownNames.test(model);

/** A name with another one in front of it. */
export interface NameInFront {
  readonly name: string;
  readonly rest: string;
}

/** `name/rest`, at the first slash. */
export function split(text: string): NameInFront | undefined {
  const slash = text.indexOf("/");
  return slash <= 0 || slash === text.length - 1
    ? undefined
    : { name: text.slice(0, slash), rest: text.slice(slash + 1) };
}

/** `@slug/model` is a provider and a model; anything else is a model. */
export const storedModel = (model: string): NameInFront | undefined =>
  model.startsWith("@") ? split(model.slice(1)) : undefined;

/** The same of what a request or a config calls a model. */
export const slugIn = (model: string): NameInFront | undefined => (isOwnName(model) ? undefined : storedModel(model));

export const withoutSlug = (model: string): string => slugIn(model)?.rest ?? model;
