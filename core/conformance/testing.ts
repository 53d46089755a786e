/** What a provider's own tests are made with. */

import { z } from "zod";
import { builtInFormats } from "../built-in-formats.ts";
import type { BoundProvider } from "../model/provider.ts";
import { bindProvider } from "../provider-kit/bind.ts";
import type { CommonOptions, ProviderDefinition } from "../provider-kit/provider-definition.ts";

/** Holds a provider to what every provider has to do. */
export {
  type Cell,
  type CheckInput,
  type ConformanceReport,
  type ConformanceRow,
  checkProvider,
} from "./index.ts";

/** A provider as a gateway would call it: options as in a config file, formats as they come with the product. */
export async function boundProvider(
  definition: ProviderDefinition,
  options: Readonly<Record<string, unknown>> = {},
): Promise<BoundProvider> {
  const parsed = definition.options.safeParse(options);
  if (!parsed.success) throw new Error(`${definition.name}: ${z.prettifyError(parsed.error)}`);
  const { formats } = await builtInFormats();
  return bindProvider({
    slug: definition.name,
    definition,
    options: parsed.data as CommonOptions & Record<string, unknown>,
    formats,
  });
}
