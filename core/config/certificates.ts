import { createSecureContext } from "node:tls";
import { errorMessage } from "../errors/error-message.ts";
import type { TlsSettings } from "../model/tls.ts";
import { Secret } from "../secret.ts";
import type { ConfigDocument } from "./document.ts";
import { readPem } from "./pem.ts";

/** What the file says of its own certificate: paths, or PEM. */
export interface WrittenTls {
  readonly key?: Secret | undefined;
  readonly certificate?: string | undefined;
  readonly clientAuthorities?: string | undefined;
}

/** Says what is wrong with a field; of none, with all of them. */
type Wrong = (field: keyof WrittenTls | undefined, message: string) => void;

/** The certificate the gateway shows, and whom it asks for one; undefined where it speaks plain HTTP. */
export function readTls(written: WrittenTls, document: ConfigDocument, folder: string): TlsSettings | undefined {
  const wrong: Wrong = (field, message) => {
    const path = ["server", "tls", ...(field ? [field] : [])];
    document.report.add(path, document.place(path).valueAt, message);
  };
  const { key, certificate, clientAuthorities } = written;
  if (key === undefined && certificate === undefined) {
    if (clientAuthorities !== undefined)
      wrong(undefined, "needs key and certificate where it names authorities of clients");
    return undefined;
  }
  if (key === undefined || certificate === undefined) {
    wrong(undefined, `needs key and certificate; ${key === undefined ? "key" : "certificate"} is missing`);
    return undefined;
  }
  const pem = (field: keyof WrittenTls, text: string): string | undefined => {
    const read = readPem(text, folder);
    if ("text" in read) return read.text;
    wrong(field, `${read.problem}; give the path of a PEM file`);
    return undefined;
  };
  const keyText = pem("key", key.reveal());
  const certificateText = pem("certificate", certificate);
  const authorities = clientAuthorities === undefined ? undefined : pem("clientAuthorities", clientAuthorities);
  if (keyText === undefined || certificateText === undefined) return undefined;
  if (clientAuthorities !== undefined && authorities === undefined) return undefined;
  return usable({ key: new Secret(keyText), certificate: certificateText, clientAuthorities: authorities }, wrong);
}

function usable(settings: TlsSettings, wrong: Wrong): TlsSettings | undefined {
  const { key, certificate, clientAuthorities } = settings;
  try {
    createSecureContext({ key: key.reveal(), cert: certificate, ...(clientAuthorities && { ca: clientAuthorities }) });
    return settings;
  } catch (error) {
    wrong(undefined, `the key and the certificate cannot be used: ${errorMessage(error)}`);
    return undefined;
  }
}
