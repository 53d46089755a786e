import { createCipheriv, randomBytes } from "node:crypto";

const bits = 128;
/** New in every process, and told to nobody. */
const secret = randomBytes(bits / 8);
/** One for all: a tag is compared with others of this process, and never shown. */
const nonce = Buffer.alloc(12);

/**
 * Tells bytes apart in this process: AES-GMAC (NIST SP 800-38D), 128 bits in hexadecimal, which take a sixth of the time of
 * SHA-256. Without the secret nobody can look for two texts that have one digest, and two that nobody chose have one with a
 * probability of 2^-128 for each 16 bytes. It means nothing to another process, and must not be shown.
 */
export function ownDigestOf(bytes: Buffer): string {
  const cipher = createCipheriv("aes-128-gcm", secret, nonce);
  cipher.setAAD(bytes);
  cipher.final();
  return cipher.getAuthTag().toString("hex");
}
