import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createSecureContext } from "node:tls";
import { errorMessage } from "../errors/error-message.ts";
import type { TlsSettings } from "../model/tls.ts";
import { Secret } from "../secret.ts";
import type { ConfigDocument } from "./document.ts";

/** What the file says of its own certificate: paths, or PEM. */
export interface WrittenTls {
  readonly key?: Secret | undefined;
  readonly certificate?: string | undefined;
  readonly clientAuthorities?: string | undefined;
}

/** The certificate the gateway shows, and whom it asks for one; undefined where it speaks plain HTTP. */
export function readTls(
  { key, certificate, clientAuthorities }: WrittenTls,
  document: ConfigDocument,
  folder: string,
): TlsSettings | undefined {
  const wrong = (field: string, message: string) => {
    const path = ["server", "tls", ...(field === "" ? [] : [field])];
    document.report.add(path, document.place(path).valueAt, message);
  };
  if (key === undefined && certificate === undefined) {
    if (clientAuthorities !== undefined) wrong("", "needs key and certificate where it names authorities of clients");
    return undefined;
  }
  if (key === undefined || certificate === undefined) {
    wrong("", `needs key and certificate; ${key === undefined ? "key" : "certificate"} is missing`);
    return undefined;
  }
  const pem = (field: string, written: string): string | undefined => {
    if (written.includes("-----BEGIN")) return written;
    try {
      return readFileSync(resolve(folder, written), "utf8");
    } catch (cause) {
      const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
      wrong(field, `names a file that cannot be read${code}; give the path of a PEM file`);
      return undefined;
    }
  };
  const keyText = pem("key", key.reveal());
  const certificateText = pem("certificate", certificate);
  const authorities = clientAuthorities === undefined ? undefined : pem("clientAuthorities", clientAuthorities);
  if (keyText === undefined || certificateText === undefined) return undefined;
  if (clientAuthorities !== undefined && authorities === undefined) return undefined;
  try {
    createSecureContext({ key: keyText, cert: certificateText, ...(authorities && { ca: authorities }) });
  } catch (error) {
    wrong("", `the key and the certificate cannot be used: ${errorMessage(error)}`);
    return undefined;
  }
  return { key: new Secret(keyText), certificate: certificateText, clientAuthorities: authorities };
}
