/** Providers for the models a pattern matches. */
export interface ModelRule {
  matches(model: string): boolean;
  readonly providers: readonly string[];
}

/** Compiles `gpt-*`-like patterns; `*` stands for any number of characters. */
export const patternsOf = (models: Readonly<Record<string, string | readonly string[]>>): ModelRule[] =>
  Object.entries(models).map(([pattern, providers]) => {
    const parts = pattern.split("*").map((text) => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
    const expression = new RegExp(`^${parts.join(".*")}$`);
    return { matches: (model) => expression.test(model), providers: [providers].flat() };
  });
