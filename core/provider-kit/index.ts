/** What providers are made from: the only file of core that providers import. */

/** The schemas options are described with; a provider from elsewhere shares this copy of them with the gateway. */
export { z } from "zod";
/** An error of the gateway's own table, for providers that have to refuse a request. */
export { GatewayError, raise } from "../errors/gateway-error.ts";
/** What a vendor said went wrong. */
export type { ErrorDetail } from "../model/error-detail.ts";
/** The parts a provider is described with. */
export type * from "../model/provider.ts";
/** A secret option, and the type that keeps it from being printed. */
export { Secret, secret } from "../secret.ts";
/** Declares a provider, and builds the usual credential headers. */
export {
  bearer,
  type CommonOptions,
  defineProvider,
  keyHeader,
  type OperationInput,
  type ProviderDefinition,
  type ProviderInput,
} from "./define-provider.ts";
