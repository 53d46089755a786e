import { createHash, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { decrypt, encrypt } from "./cipher.ts";

/** Which data key it is. */
export interface DataKeyName {
  readonly organisation: string;
  /** Counted from 1 within the organisation. */
  readonly number: string;
}

/** What data keys are encrypted under. */
export interface MasterKey {
  /** `local:` and a digest of it, or `kms:` and its ARN: it is kept beside what is encrypted under it. */
  readonly id: string;
  /** A new data key, in the clear and as it is kept. */
  generate(name: DataKeyName): Promise<{ readonly plain: Buffer; readonly wrapped: string }>;
  wrap(plain: Buffer, name: DataKeyName): Promise<string>;
  /** Undefined where it is none of this master key's, or damaged. */
  unwrap(wrapped: string, name: DataKeyName): Promise<Buffer | undefined>;
}

export const keyBytes = 32;

const placeOf = ({ organisation, number }: DataKeyName): string => `data key ${number} of ${organisation}`;

/** A master key that is at hand. */
export function localKey(bytes: Buffer): MasterKey {
  const key: KeyObject = createSecretKey(bytes);
  const wrap: MasterKey["wrap"] = async (plain, name) => encrypt(key, plain, placeOf(name)).toString("base64url");
  return {
    id: `local:${createHash("sha256").update("sluice master key\n").update(bytes).digest("hex").slice(0, 12)}`,
    wrap,
    async generate(name) {
      const plain = randomBytes(keyBytes);
      return { plain, wrapped: await wrap(plain, name) };
    },
    unwrap: async (wrapped, name) => decrypt(key, Buffer.from(wrapped, "base64url"), placeOf(name)),
  };
}

/**
 * Master keys as they are written: 32 bytes each in base64, base64url or hex, with commas or lines between them. The
 * message of what is thrown names the key by its position; a key itself is never part of one.
 */
export function keysIn(text: string): MasterKey[] {
  const written = text
    .split(/[,\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== "" && !one.startsWith("#"));
  return written.map((one, at) => {
    const bytes = bytesOf(one);
    if (bytes?.length === keyBytes) return localKey(bytes);
    const found = bytes ? `has ${bytes.length} bytes` : "is neither base64 nor hex";
    throw new Error(`key ${at + 1} ${found}; a master key has ${keyBytes} bytes: openssl rand -hex 32`);
  });
}

function bytesOf(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, "base64") : undefined;
}
