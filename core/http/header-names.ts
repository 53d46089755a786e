/** Headers that belong to one connection, in either direction. */
export const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const none: readonly string[] = [];

/** The headers a `connection` header declares to be for this connection only (RFC 9110 section 7.6.1). */
export const namesIn = (connection: string | readonly string[] | undefined): readonly string[] =>
  connection === undefined || connection === "keep-alive" || connection === "close"
    ? none
    : String(connection)
        .toLowerCase()
        .split(",")
        .map((name) => name.trim());

/** Never asked to be forwarded: they would leak the gateway's credential or confuse a metadata service. */
export const refusedForwards: ReadonlySet<string> = new Set([
  ...hopByHop,
  "host",
  "content-length",
  "metadata-flavor",
  "x-aws-ec2-metadata-token",
  "x-aws-ec2-metadata-token-ttl-seconds",
  "x-google-metadata-request",
]);

/** Where vendors look for a credential. */
export const credentialHeaders = ["authorization", "x-api-key", "api-key", "x-goog-api-key"] as const;
