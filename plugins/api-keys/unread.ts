import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { SealingService } from "../../core/index.ts";
import type { Installation } from "./installation.ts";

/** Keeps secrets nobody has read yet, so that they do not lie about in the clear. */
export interface Envelope {
  seal(organisation: string, id: string, value: string): Promise<string>;
  open(organisation: string, id: string, sealed: string): Promise<string>;
}

/** The plugin for encryption where there is one, else AES-256-GCM under a key that follows from the installation's. */
export const envelope = (sealing: SealingService | undefined, installation: Installation): Envelope =>
  sealing
    ? {
        seal: (organisation, id, value) => sealing.seal(organisation, `${id}.unread`, value),
        open: (organisation, id, sealed) =>
          sealed.startsWith(own)
            ? opened(installation, id, sealed)
            : sealing.open(organisation, `${id}.unread`, sealed),
      }
    : {
        seal: (_, id, value) => sealedOwn(installation, id, value),
        open: (_, id, sealed) => opened(installation, id, sealed),
      };

const own = "own:";
const nonceBytes = 12;
const tagBytes = 16;

async function sealedOwn(installation: Installation, id: string, value: string): Promise<string> {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", await keyOf(installation), nonce).setAAD(Buffer.from(id));
  const text = Buffer.concat([cipher.update(value), cipher.final()]);
  return own + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url");
}

async function opened(installation: Installation, id: string, sealed: string): Promise<string> {
  const bytes = Buffer.from(sealed.slice(own.length), "base64url");
  const text = bytes.subarray(nonceBytes + tagBytes);
  const decipher = createDecipheriv("aes-256-gcm", await keyOf(installation), bytes.subarray(0, nonceBytes))
    .setAAD(Buffer.from(id))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(text), decipher.final()]).toString();
}

async function keyOf(installation: Installation): Promise<Buffer> {
  const from = (await installation.madeDigestKey()).export();
  return Buffer.from(hkdfSync("sha256", from, "", "api-keys unread secrets", 32));
}
