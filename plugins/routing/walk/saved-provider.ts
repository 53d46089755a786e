import { GatewayError } from "../../../core/index.ts";
import type { Choice } from "./select-provider.ts";

/**
 * The provider of a choice. What was saved with a request outlives providers, and comes from others who share it: a caller
 * is told that the provider is not available, and not that it asked for an unknown one.
 */
export function providerOf<Provider>(
  { saved, elsewhere, name }: Choice,
  get: () => Provider | Promise<Provider>,
): Provider | Promise<Provider> {
  if (!saved) return get();
  if (elsewhere) throw notAvailable(name);
  try {
    const provider = get();
    return provider instanceof Promise ? provider.catch((error: unknown) => gone(error, name)) : provider;
  } catch (error) {
    return gone(error, name);
  }
}

function gone(error: unknown, name: string): never {
  if (!(error instanceof GatewayError) || error.code !== "provider_unknown") throw error;
  throw notAvailable(name, { cause: error });
}

const notAvailable = (name: string, options?: ErrorOptions) =>
  new GatewayError(
    "provider_not_available",
    `The provider "${name}" that was saved with this request is not available here.`,
    { reason: "provider_not_available" },
    options,
  );
