import tls from "node:tls";
import type { Environment } from "../environment.ts";
import type { ConfigDocument } from "./document.ts";
import { certificatesIn, isPem, readPem } from "./pem.ts";

const remedy = "give the path of a PEM file with certificates, or leave it out";

/**
 * Certificate authorities besides the usual ones, each in PEM: those of the file, or else those of TLS_CA. Either is a
 * path, relative to the config file or to the working folder, or the certificates themselves. What cannot be read or holds
 * none is reported: a gateway that starts without them would fail at each call.
 */
export function readAuthorities(
  written: string | undefined,
  document: ConfigDocument,
  folder: string,
  environment: Environment,
): readonly string[] {
  const path = ["server", "trustedAuthorities"];
  const variable = written === undefined ? environment.value("TLS_CA") : undefined;
  const text = written ?? variable;
  if (text === undefined) return [];
  const read = certificatesIn(readPem(text, written === undefined ? process.cwd() : folder));
  if ("certificates" in read) return [...read.certificates, ...ofNode(environment)];
  // The value of a variable is never printed.
  if (variable !== undefined) document.report.add([], 0, `the environment variable TLS_CA ${read.problem}; ${remedy}`);
  else {
    const place = document.place(path);
    // A path is printed; PEM might be a key that was put here by mistake.
    const shown = place.reference || isPem(text) ? "" : ` (${JSON.stringify(text.slice(0, 200))})`;
    document.report.add(path, place.valueAt, `${read.problem}${shown}; ${remedy}`);
  }
  return [];
}

/**
 * What NODE_EXTRA_CA_CERTS adds: a list of one's own replaces it where node cannot say what it believes by default, which
 * it can from 22.15 on. Node itself has warned of a file that is no good.
 */
function ofNode(environment: Environment): readonly string[] {
  if ("getCACertificates" in tls) return [];
  const text = environment.value("NODE_EXTRA_CA_CERTS");
  const read = text === undefined ? undefined : certificatesIn(readPem(text, process.cwd()));
  return read && "certificates" in read ? read.certificates : [];
}
