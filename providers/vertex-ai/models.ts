/** Whose models there are, as they stand before the first dot of a name (providers.md section 8.2). */
const publishers = [
  "google",
  "anthropic",
  "mistralai",
  "meta",
  "endpoints",
  "zai-org",
  "moonshotai",
  "qwen",
  "xai",
  "deepseek-ai",
  "minimaxai",
  "openai",
] as const;

export type Publisher = (typeof publishers)[number];

export interface Model {
  readonly publisher: Publisher;
  readonly name: string;
}

/** Whose model it is: Google's, where no other publisher stands in front. */
export function modelOf(asked: string): Model {
  const dot = asked.indexOf(".");
  const publisher = publishers.find((one) => one === asked.slice(0, dot));
  return publisher && dot > 0 ? { publisher, name: asked.slice(dot + 1) } : { publisher: "google", name: asked };
}

/** Tells the models of some publishers from all others. */
export const by =
  (...served: readonly Publisher[]) =>
  (model: string): boolean =>
    served.includes(modelOf(model).publisher);

/** A name as it stands in a path: it is the caller's word, and stays in its place. Versions follow an @. */
export const inPath = (name: string): string => encodeURIComponent(name).replaceAll("%40", "@");

/** The name of a Claude: clients that have it at its publisher's path put no publisher in front. Undefined for all other models. */
export function claudeIn(model: string): string | undefined {
  const { publisher, name } = modelOf(model);
  return publisher === "anthropic" || /^claude/i.test(name) ? name : undefined;
}
