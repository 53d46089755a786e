import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { errorMessage } from "../errors/error-message.ts";
import type { TlsSettings } from "../model/tls.ts";
import { Secret } from "../secrets/secret.ts";
import type { ConfigDocument } from "./document.ts";
import { certificatesIn, nameOf, readPem } from "./pem.ts";

/** What the file says of its own certificate: paths, or PEM. */
export interface WrittenTls {
  readonly key?: Secret | undefined;
  readonly certificate?: string | undefined;
  readonly clientAuthorities?: string | undefined;
}

export interface ReadTls {
  /** The certificate the gateway shows, and whom it asks for one; undefined where it speaks plain HTTP. */
  readonly settings: TlsSettings | undefined;
  /** Of certificates that are no longer good, or not yet: who is refused because of them is not the gateway's to say. */
  readonly warnings: readonly string[];
}

/** Says what is wrong with a field; of none, with all of them. */
type Wrong = (field: keyof WrittenTls | undefined, message: string) => void;

const remedy = "give the path of a PEM file";
const none: ReadTls = { settings: undefined, warnings: [] };

export function readTls(written: WrittenTls, document: ConfigDocument, folder: string): ReadTls {
  const wrong: Wrong = (field, message) => {
    const path = ["server", "tls", ...(field ? [field] : [])];
    document.report.add(path, document.place(path).valueAt, message);
  };
  const { key, certificate, clientAuthorities } = written;
  if (key === undefined && certificate === undefined) {
    if (clientAuthorities !== undefined)
      wrong(undefined, "needs key and certificate where it names authorities of clients");
    return none;
  }
  if (key === undefined || certificate === undefined) {
    wrong(undefined, `needs key and certificate; ${key === undefined ? "key" : "certificate"} is missing`);
    return none;
  }
  const certificates = (field: keyof WrittenTls, text: string): readonly string[] | undefined => {
    const read = certificatesIn(readPem(text, folder));
    if ("certificates" in read) return read.certificates;
    wrong(field, `${read.problem}; ${remedy}`);
    return undefined;
  };
  const own = readKey(key, folder, wrong);
  const chain = certificates("certificate", certificate);
  const authorities = clientAuthorities === undefined ? [] : certificates("clientAuthorities", clientAuthorities);
  if (!own || !chain || !authorities) return none;
  const settings: TlsSettings = {
    key: own,
    certificate: chain.join("\n"),
    clientAuthorities: clientAuthorities === undefined ? undefined : authorities.join("\n"),
  };
  const problem = problemOf(settings);
  if (problem !== undefined) {
    wrong(undefined, problem);
    return none;
  }
  return { settings, warnings: [...outdated("certificate", chain), ...outdated("clientAuthorities", authorities)] };
}

function readKey(written: Secret, folder: string, wrong: Wrong): Secret | undefined {
  const file = readPem(written.reveal(), folder);
  const problem = "problem" in file ? `${file.problem}; ${remedy}` : keyProblem(file);
  if (problem !== undefined) wrong("key", problem);
  return problem === undefined && "text" in file ? new Secret(file.text) : undefined;
}

function keyProblem(file: { readonly text: string; readonly inline: boolean }): string | undefined {
  if (!/-----BEGIN (?:\w+ )?PRIVATE KEY-----/.test(file.text)) return `${nameOf(file)}holds no private key; ${remedy}`;
  if (/BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: 4,ENCRYPTED/.test(file.text))
    return `${nameOf(file)}holds a key with a passphrase, which nobody could give; decrypt it with "openssl pkey"`;
  try {
    createPrivateKey(file.text);
    return undefined;
  } catch {
    return `${nameOf(file)}holds a private key that cannot be read; ${remedy}`;
  }
}

/** In words that follow the name of the section. A context takes a key and a certificate of two kinds for two pairs. */
function problemOf({ key, certificate, clientAuthorities }: TlsSettings): string | undefined {
  try {
    const own = createPrivateKey(key.reveal());
    if (!new X509Certificate(certificate).checkPrivateKey(own))
      return "the key is not that of the certificate; the server's own certificate comes first in its file";
    createSecureContext({ key: key.reveal(), cert: certificate, ...(clientAuthorities && { ca: clientAuthorities }) });
    return undefined;
  } catch (error) {
    return `the key and the certificate cannot be used: ${errorMessage(error)}`;
  }
}

function outdated(field: keyof WrittenTls, certificates: readonly string[]): string[] {
  const now = Date.now();
  return certificates.flatMap((each, index) => {
    const { validFrom, validTo } = new X509Certificate(each);
    const which = `server.tls.${field}: certificate ${index + 1}`;
    if (Date.parse(validTo) < now) return `${which} expired on ${validTo}; renew it and reload`;
    return Date.parse(validFrom) > now ? `${which} is not valid before ${validFrom}` : [];
  });
}
