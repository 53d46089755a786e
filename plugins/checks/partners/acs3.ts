import { createHash, createHmac } from "node:crypto";

export interface Acs3Call {
  readonly host: string;
  readonly action: string;
  readonly version: string;
  /** Parameters in the query. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly contentType?: string;
  readonly accessKeyId: string;
  readonly accessKeySecret: string;
  readonly nonce: string;
  /** Unix milliseconds. */
  readonly now: number;
}

const algorithm = "ACS3-HMAC-SHA256";

/** The headers of a POST to an Alibaba Cloud API of the RPC kind, its signature (version 3) among them. */
export function acs3Headers(call: Acs3Call): Record<string, string> {
  const { host, action, version, query = {}, body, contentType, accessKeyId, accessKeySecret, nonce, now } = call;
  const digest = sha256(body);
  const signed: Record<string, string> = {
    ...(contentType !== undefined && { "content-type": contentType }),
    host,
    "x-acs-action": action,
    "x-acs-content-sha256": digest,
    "x-acs-date": new Date(now).toISOString().replace(/\.\d+Z$/, "Z"),
    "x-acs-signature-nonce": nonce,
    "x-acs-version": version,
  };
  const names = Object.keys(signed).sort();
  const canonical = [
    "POST",
    "/",
    Object.keys(query)
      .sort()
      .map((name) => `${encoded(name)}=${encoded(query[name] ?? "")}`)
      .join("&"),
    names.map((name) => `${name}:${signed[name]}\n`).join(""),
    names.join(";"),
    digest,
  ].join("\n");
  const signature = createHmac("sha256", accessKeySecret)
    .update(`${algorithm}\n${sha256(canonical)}`)
    .digest("hex");
  const { host: _, ...headers } = signed;
  return {
    ...headers,
    authorization: `${algorithm} Credential=${accessKeyId},SignedHeaders=${names.join(";")},Signature=${signature}`,
  };
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** RFC 3986: everything but letters, digits and `-_.~`. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
