import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** PEM, or in words that follow the name of a setting why there is none. `inline` is that it stood there itself. */
export type Pem =
  | { readonly text: string; readonly inline: boolean }
  /** With the code of the system in brackets, where it gave one. */
  | { readonly problem: string };

const isPem = (text: string): boolean => text.includes("-----BEGIN");

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
