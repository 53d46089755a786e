/** A host as a URL has it: an IPv6 address in brackets (RFC 3986 section 3.2.2). */
export const bracketed = (hostname: string): string => (hostname.includes(":") ? `[${hostname}]` : hostname);

/** A host as sockets and DNS have it: an address without brackets. */
export const unbracketed = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1");

/** Whether a host, without its port, is the machine itself by its name. */
export const isLoopbackName = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
