import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

type Bytes = string | ArrayBuffer | ArrayBufferView;

/** SHA-256 as the signing library wants it: with a key it is an HMAC. */
class Sha256 {
  readonly #key: Buffer | undefined;
  #hash: Hash | Hmac;

  constructor(key?: Bytes) {
    this.#key = key === undefined ? undefined : bufferOf(key);
    this.#hash = this.#fresh();
  }
  update(data: Bytes): void {
    this.#hash.update(bufferOf(data));
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): void {
    this.#hash = this.#fresh();
  }
  #fresh(): Hash | Hmac {
    return this.#key === undefined ? createHash("sha256") : createHmac("sha256", this.#key);
  }
}

function bufferOf(data: Bytes): Buffer {
  if (typeof data === "string") return Buffer.from(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

/** The headers of a POST to `/` of a service, signed (Signature Version 4) by AWS's own library, which is loaded for it. */
export async function signedHeaders(
  { url, headers, body }: { readonly url: URL; readonly headers: Record<string, string>; readonly body: string },
  credentials: AwsCredentials,
  region: string,
): Promise<Record<string, string>> {
  const { SignatureV4 } = await import("@smithy/signature-v4");
  const signer = new SignatureV4({ region, service: "kms", credentials, sha256: Sha256, applyChecksum: false });
  const signed = await signer.sign({
    method: "POST",
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query: {},
    headers: { ...headers, host: url.host },
    body,
  });
  return signed.headers;
}
