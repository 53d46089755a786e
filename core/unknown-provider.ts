import { suggestion } from "./nearest.ts";
import type { ProviderRegistry } from "./provider-kit/registry.ts";

/** What is wrong with an option that names a provider the file does not have, in the words of all who have such options. */
export const unknownProvider = (slug: string, providers: Pick<ProviderRegistry, "all">): string =>
  `names the provider "${slug}", which the config file does not have; ${suggestion(
    slug,
    providers.all().map((one) => one.slug),
    "providers",
  )}`;
