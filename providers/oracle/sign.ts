import { createHash, createSign } from "node:crypto";
import { GatewayError, type Headers, type SignableCall } from "../../core/provider-kit/index.ts";
import type { OracleOptions } from "./options.ts";

const signed = ["(request-target)", "date", "host"] as const;
const signedWithBody = [...signed, "x-content-sha256", "content-type", "content-length"] as const;

/** The headers that sign a finished call (providers.md section 13.13). */
export function signatureOf(call: SignableCall, options: OracleOptions, now = new Date()): Headers {
  const { tenancy, user, fingerprint } = options;
  const { host, pathname, search } = new URL(call.url);
  const hash = createHash("sha256");
  const lines: Record<string, string> = {
    "(request-target)": `${call.method.toLowerCase()} ${pathname}${search}`,
    date: now.toUTCString(),
    host,
    "x-content-sha256": hash.update(call.body ?? "").digest("base64"),
    "content-type": call.headers["content-type"] ?? "application/json",
    "content-length": String(call.body?.length ?? 0),
  };
  // Calls without a body are signed without what would describe it.
  const names = /^(?:post|put|patch)$/i.test(call.method) ? signedWithBody : signed;
  const text = names.map((name) => `${name}: ${lines[name]}`).join("\n");
  const authorization =
    `Signature version="1",keyId="${tenancy}/${user}/${fingerprint}",algorithm="rsa-sha256",` +
    `headers="${names.join(" ")}",signature="${signedText(text, options)}"`;
  const shown = names === signedWithBody ? ["date", "x-content-sha256", "content-type"] : ["date"];
  return { ...Object.fromEntries(shown.map((name) => [name, lines[name] ?? ""])), authorization };
}

function signedText(text: string, { privateKey, keyPassphrase }: OracleOptions): string {
  const key = inLines(privateKey?.reveal() ?? "");
  try {
    const signer = createSign("RSA-SHA256").update(text);
    return signer.sign(keyPassphrase ? { key, passphrase: keyPassphrase.reveal() } : key, "base64");
  } catch {
    // What OpenSSL says of a key may repeat parts of it.
    throw new GatewayError(
      "invalid_request",
      "oracle cannot sign with its private key: give a key in PEM, and its passphrase where it has one.",
      { param: "privateKey" },
    );
  }
}

/** A key that came on one line, as in a header, where no lines can be: with `\n` written out, or blanks where they ended. */
function inLines(key: string): string {
  if (key.includes("\n")) return key;
  if (key.includes("\\n")) return key.replaceAll("\\n", "\n");
  const [, begin, body, end] =
    /^\s*(-----BEGIN [A-Z ]+-----)([A-Za-z0-9+/=\s]+)(-----END [A-Z ]+-----)\s*$/.exec(key) ?? [];
  return begin === undefined || body === undefined
    ? key
    : `${begin}\n${body.replaceAll(/\s/g, "").replaceAll(/.{64}/g, "$&\n")}\n${end}\n`;
}
