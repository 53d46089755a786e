import tls from "node:tls";

/** What every TLS connection out of the gateway is made with: empty where node's own list of authorities will do. */
export interface Trust {
  readonly secureContext?: tls.SecureContext;
}

/** The authorities node believes by default, and these besides. Made once: reading the whole list takes a while. */
export function trustIn(authorities: readonly string[]): Trust {
  if (authorities.length === 0) return {};
  return { secureContext: tls.createSecureContext({ ca: [...usualAuthorities(), ...authorities] }) };
}

/** From 22.15 on node says what it believes, the system's list and NODE_EXTRA_CA_CERTS included. */
function usualAuthorities(): readonly string[] {
  const { getCACertificates } = tls as typeof tls & { getCACertificates?: (type: "default") => string[] };
  return getCACertificates?.("default") ?? tls.rootCertificates;
}
