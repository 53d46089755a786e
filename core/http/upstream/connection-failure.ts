import { codeIn } from "../../errors/code-of.ts";

const unknownAuthority =
  "name the authority that signed the certificate in server.trustedAuthorities (or TLS_CA), if it is to be believed";
const notTls = "what answers there speaks no TLS: check the scheme (http or https) and the port of the address";
const otherVersion = "what answers there speaks no TLS from 1.2 on, which is the least the gateway speaks";

const remedies: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  CERT_HAS_EXPIRED: "the certificate there has to be renewed, unless the clock of this machine is wrong",
  CERT_NOT_YET_VALID: "the certificate there is not good yet, unless the clock of this machine is wrong",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate there is that of another host: check the address",
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: otherVersion,
  ERR_SSL_UNSUPPORTED_PROTOCOL: otherVersion,
  ENOTFOUND: "the name is not known here: check the address, or name the proxy that knows it in server.proxy",
  UND_ERR_INVALID_ARG:
    "a header that the provider is sent is none that HTTP allows: look for line breaks and other characters of that kind in its options",
  ECONNREFUSED: "nothing listens there: check the host and the port of the address",
};

/** What an operator can do about a connection that was not to be had; undefined where nobody knows. */
export function remedyOf(cause: unknown): string | undefined {
  const code = codeIn(cause);
  return code !== undefined && Object.hasOwn(remedies, code) ? remedies[code] : undefined;
}
