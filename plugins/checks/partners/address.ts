/** The base URL at a host that may have been given with its scheme: always over TLS. */
export const httpsAt = (host: string): string => `https://${host.replace(/^https?:\/\//i, "").replace(/\/+$/, "")}`;

/** A base URL to which paths are added. */
export const baseOf = (url: string): string => url.replace(/\/+$/, "");
