import { z } from "zod";
import { isHeaderName, isHeaderValue, unsendable } from "../http/header-shapes.ts";
import type { Headers } from "../model/headers.ts";
import { type Secret, secret } from "../secrets/secret.ts";
import { checkedInput } from "./checked-input.ts";
import type { CommonOptions, ProviderDefinition, ProviderInput } from "./provider-definition.ts";

const clock = (what: string) => z.int().nonnegative().exactOptional().describe(`${what}, in milliseconds.`);

const headerValue = z.string().refine(isHeaderValue, unsendable);
const headerName = z.string().refine(isHeaderName, "it is no name of a header");

/** Options every provider has, whatever else it needs. */
const commonShape = {
  apiKey: secret()
    .refine((key) => isHeaderValue(key.reveal()), unsendable)
    .exactOptional()
    .describe("The vendor's API key. Absent: the caller brings one in Authorization."),
  baseUrl: z.url({ protocol: /^https?$/ }).describe("Where the API is, with its version path."),
  headers: z.record(headerName, headerValue).default({}).describe("Headers sent with every call."),
  forwardHeaders: z.array(z.string()).default([]).describe("Client headers copied to the upstream."),
  clocks: z
    .strictObject({
      connect: clock("Until a connection is there"),
      headers: clock("From the connection until the status line"),
      firstToken: clock("Until the first frame of a stream"),
      idle: clock("Between two pieces of an answer"),
      total: clock("The whole attempt"),
    })
    .default({})
    .describe("Clocks of this provider; they win over the server's."),
};

/** Declares a provider. What a vendor does like everybody else need not be said. */
export function defineProvider<Options extends z.ZodObject = z.ZodObject<Record<never, never>>>(
  input: ProviderInput<Options>,
): ProviderDefinition {
  checkedInput(input);
  const options = z.strictObject({ ...commonShape, baseUrl: baseUrlOption(input.baseUrl), ...input.options?.shape });
  return Object.freeze({ ...(input as unknown as ProviderInput<z.ZodObject>), kind: "provider" as const, options });
}

/** The option for a provider whose base URL is known (text), made from other options (function) or neither. */
function baseUrlOption(known: unknown): z.ZodType {
  if (known === undefined) return commonShape.baseUrl;
  return typeof known === "string" ? commonShape.baseUrl.default(known) : commonShape.baseUrl.exactOptional();
}

/** `authorization: Bearer …`. */
export const bearer = (key: Secret): Headers => ({ authorization: `Bearer ${key.reveal()}` });

/** The key in a header of the vendor's own: `keyHeader("x-api-key")`. */
export const keyHeader =
  (name: string, prefix = "") =>
  ({ apiKey }: Pick<CommonOptions, "apiKey">): Headers | undefined =>
    apiKey && { [name]: prefix + apiKey.reveal() };
