import type { PricedClass } from "./classes.ts";
import type { Rates } from "./sheet.ts";

/** How much of what a search finds the model is given to read; some vendors' prices of searches depend on it. */
const contexts = ["low", "medium", "high"] as const;

const keyOf = (context: string): string => `web_search_${context}_context`;

/** Searches that bring in so much, at a price of their own. */
export const searchesWith = (context: string): PricedClass => ({
  key: keyOf(context),
  side: "beside",
  count: (usage) => usage.searches ?? 0,
});

/** The contexts that are all there is to price searches by. */
export const contextsPriced = (rates: Rates): readonly string[] =>
  Object.hasOwn(rates, "web_search") ? [] : contexts.filter((context) => Object.hasOwn(rates, keyOf(context)));

export const isSearchPrice = (key: string): boolean =>
  key === "web_search" || contexts.some((context) => key === keyOf(context));
