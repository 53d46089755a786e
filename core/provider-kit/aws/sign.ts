import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";
import type { Headers } from "../../model/headers.ts";
import type { SignableCall } from "../../model/transport.ts";
import { signatureHeaders } from "../../pipeline/attempt/upstream-headers.ts";
import type { Credentials } from "./renewed.ts";

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

export interface Scope {
  readonly region: string;
  readonly service: string;
  /** When it is signed; now where absent. */
  readonly date?: Date;
}

/** AWS's own library, which is loaded with the first signature. */
async function signerOf({ region, service }: Scope, credentials: Credentials) {
  const { SignatureV4 } = await import("@smithy/signature-v4");
  return new SignatureV4({
    region,
    service,
    credentials,
    sha256: Sha256,
    applyChecksum: false,
    uriEscapePath: service !== "s3",
  });
}

/**
 * The headers that sign a finished call (Signature Version 4), by AWS's own library, which is loaded with the first one.
 * What is signed: host, content type, every `x-amz-` header, and the body, unless it is streamed. The path is encoded once more for it, except by S3.
 */
export async function signatureOf(
  call: SignableCall,
  credentials: Credentials,
  { region, service, date }: Scope,
): Promise<Headers> {
  const signer = await signerOf({ region, service }, credentials);
  const url = new URL(call.url);
  const { headers } = await signer.sign(
    {
      method: call.method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: queryOf(url.searchParams),
      headers: { ...signedHeaders(call.headers, service), ...(call.streamed && unsignedBody), host: url.host },
      body: call.body,
    },
    date ? { signingDate: date } : {},
  );
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name === "authorization" || isAmazon(name)));
}

/** As the clients of AWS, and of vendors that are there, sign uploads. */
const unsignedBody = { "x-amz-content-sha256": "UNSIGNED-PAYLOAD" };

/** The query of a call without a body at the root of a host, with the signature in it. `seconds` is how long it is good for. */
export async function presignedQuery(
  { method, host, query }: { readonly method: string; readonly host: string; readonly query: Record<string, string> },
  credentials: Credentials,
  scope: Scope,
  seconds: number,
): Promise<string> {
  const signer = await signerOf(scope, credentials);
  const signed = await signer.presign(
    { method, protocol: "https:", hostname: host, path: "/", query, headers: { host } },
    { expiresIn: seconds, ...(scope.date && { signingDate: scope.date }) },
  );
  return Object.entries(signed.query ?? {})
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join("&");
}

const isAmazon = (name: string): boolean => name.startsWith("x-amz-");

/** Signatures of a client's own say nothing about what the gateway sends. S3 wants the digest of the body signed, too. */
const signedHeaders = (headers: Headers, service: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) =>
        name === "content-type" ||
        (isAmazon(name) && !signatureHeaders.has(name)) ||
        (service === "s3" && name === "x-amz-content-sha256"),
    ),
  );

function queryOf(parameters: URLSearchParams): Record<string, string[]> {
  const query: Record<string, string[]> = {};
  for (const [name, value] of parameters) query[name] = [...(query[name] ?? []), value];
  return query;
}
