import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** PEM, or in words that follow the name of a setting why there is none. `inline` is that it stood there itself. */
export type Pem =
  | { readonly text: string; readonly inline: boolean }
  /** With the code of the system in brackets, where it gave one. */
  | { readonly problem: string };

export const isPem = (text: string): boolean => text.includes("-----BEGIN");

/** What a setting means that is either PEM or the path of a file with it, relative to a folder. */
export function readPem(written: string, folder: string): Pem {
  if (isPem(written)) return { text: written, inline: true };
  try {
    return { text: readFileSync(resolve(folder, written), "utf8"), inline: false };
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    return { problem: `names a file that cannot be read${code}` };
  }
}

/** Each in PEM and at least one, or in words that follow the name of the setting why there is none. */
export type Certificates = { readonly certificates: readonly string[] } | { readonly problem: string };

/** A block that never ends is one, too: a file that was cut short holds something else than certificates. */
const blocks = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]*?(?:-----END [^-]*-----|$)/g;

export function certificatesIn(file: Pem): Certificates {
  if ("problem" in file) return file;
  const certificates = file.text.match(blocks) ?? [];
  const what = nameOf(file);
  if (certificates.length === 0) return { problem: `${what}holds no certificate` };
  const broken = certificates.findIndex((each) => !isCertificate(each));
  return broken < 0
    ? { certificates }
    : { problem: `${what}holds something else than a certificate at place ${broken + 1}` };
}

/** What a setting is called when something is said of what it holds. */
export const nameOf = ({ inline }: { readonly inline: boolean }): string => (inline ? "" : "names a file that ");

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}
