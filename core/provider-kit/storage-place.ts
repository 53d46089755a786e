import { GatewayError } from "../errors/gateway-error.ts";
import { percentDecoded } from "../percent-decoded.ts";

/** Where an object is: its bucket, and its name there. */
export interface StoragePlace {
  readonly bucket: string;
  readonly key: string;
}

/** Addresses of objects in a cloud's storage, which are the ids of files there: `gs%3A%2F%2Fbucket%2Fkey`. */
export interface Storage {
  uri(place: StoragePlace): string;
  /** Reads an address, escaped or not. Throws `invalid_request` naming the parameter where it is none, or not allowed. */
  read(address: string, param: string): StoragePlace;
  /** Checks a place that is put together. */
  checked(place: StoragePlace, param: string): StoragePlace;
}

export interface StorageInput {
  /** `gs`, `s3`. */
  readonly scheme: string;
  /** What a bucket may be called: its name becomes part of a host or a path. */
  readonly bucket: RegExp;
  /** The only buckets there may be; absent: whatever the credential may see. */
  readonly buckets?: readonly string[] | undefined;
}

/** Bytes of a key at most, with all these clouds. */
const longestKey = 1_024;

export function storage({ scheme, bucket: pattern, buckets }: StorageInput): Storage {
  const shape = `${scheme}://BUCKET/KEY`;
  const refuse = (param: string, why: string): never => {
    throw new GatewayError("invalid_request", `${param}: ${why}.`, { param });
  };
  function checked({ bucket, key }: StoragePlace, param: string): StoragePlace {
    if (!pattern.test(bucket) || bucket.includes("..")) refuse(param, `"${bucket}" is no name of a bucket`);
    if (buckets && !buckets.includes(bucket))
      refuse(param, `the bucket "${bucket}" is not among those of the config file`);
    if (key === "" || Buffer.byteLength(key) > longestKey)
      refuse(param, `the name of an object has 1 to ${longestKey} bytes`);
    if (hasControls(key) || key.split("/").some((part) => part === "." || part === ".."))
      refuse(param, "the name of an object has no control characters and no steps like ../ in it");
    return { bucket, key };
  }
  const uri = ({ bucket, key }: StoragePlace) => `${scheme}://${bucket}/${key}`;
  return {
    uri,
    checked,
    read(address, param) {
      const plain = address.includes("://") ? address : percentDecoded(address);
      const [, bucket = "", key = ""] = new RegExp(`^${scheme}://([^/]*)/(.*)$`, "s").exec(plain) ?? [];
      if (bucket === "") refuse(param, `must be the address of an object, as in ${shape}, got "${address}"`);
      return checked({ bucket, key }, param);
    },
  };
}

const hasControls = (text: string): boolean => [...text].some((one) => one < " " || one === "\u007f");

/** The id of an object: its address, escaped. What a vendor says is checked when a client comes back with it. */
export const addressId = (uri: string): string => encodeURIComponent(uri);

/** A key as it stands in a path: its slashes stay. */
export const keyPath = (key: string): string => key.split("/").map(escaped).join("/");

/** As signatures want it: of the marks of a URL only `-._~` stay (RFC 3986). */
const escaped = (part: string): string =>
  encodeURIComponent(part).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/** The last part of a key: what a file would be called. */
export const filenameOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1);

/** The folder an object is in, with its slash; empty at the top. */
export const folderOf = (key: string): string => key.slice(0, key.lastIndexOf("/") + 1);
