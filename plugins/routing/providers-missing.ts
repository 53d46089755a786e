import { type OptionMistake, type ProviderRegistry, unknownProvider } from "../../core/index.ts";
import type { RoutingOptions } from "./options.ts";

/** What `models` and `default` name and the file does not have. */
export function providersMissing(
  { models, default: rest }: Pick<RoutingOptions, "models" | "default">,
  providers: Pick<ProviderRegistry, "all" | "configured">,
): OptionMistake[] {
  const missingIn = (named: string | readonly string[] | undefined, path: readonly string[]): OptionMistake[] =>
    [named ?? []].flat().flatMap((slug, at) => {
      if (providers.configured(slug)) return [];
      return [{ path: typeof named === "string" ? path : [...path, at], message: unknownProvider(slug, providers) }];
    });
  return [
    ...Object.entries(models).flatMap(([pattern, named]) => missingIn(named, ["models", pattern])),
    ...missingIn(rest, ["default"]),
  ];
}
