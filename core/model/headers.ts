/** Header names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** The headers of a request or an answer as they came. Names in lower case. */
export type ClientHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Reads `x-gateway-…` headers by their name without prefix, under the prefix of this deployment or an alias of it. */
export interface GatewayHeaders {
  get(name: string): string | undefined;
  /** Whether the client sent it with nothing in it, which is otherwise as good as not sent. */
  isEmpty(name: string): boolean;
  /** The header's full name as this client writes it, for telling it what is wrong: `x-gateway-config`. */
  nameOf(name: string): string;
}
