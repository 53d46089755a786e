import { serviceToken } from "../service-token.ts";

/**
 * Bytes that must not be lost and are too many for a record: files of clients, output of batches. Whoever keeps some keeps
 * their keys in records. Methods reject with a `GatewayError` of the code `store_unavailable` where the store fails.
 */
export interface BlobsService {
  /** Keeps bytes whole or not at all, in place of what was there; resolves with how many when they are durable. */
  put(key: string, bytes: AsyncIterable<Buffer>): Promise<number>;
  /** Undefined where there is nothing under the key. `from` and `to` (exclusive) are places in it; absent is all of it. */
  get(key: string, part?: { readonly from?: number; readonly to?: number }): Promise<Blob | undefined>;
  /** Whether there was something. */
  remove(key: string): Promise<boolean>;
}

export interface Blob {
  /** Bytes of the part that was asked for. */
  readonly length: number;
  /** In pieces of at most 5 MB, as they are asked for; to be read once, or not at all. */
  readonly bytes: AsyncIterable<Buffer>;
}

/** What a key is: lower case, in parts of letters, digits, `_`, `.` and `-`, none of which begins with a dot. */
export const blobKey = /^[a-z0-9_-][a-z0-9_.-]*(?:\/[a-z0-9_-][a-z0-9_.-]*){0,3}$/;

/** Where bytes are kept. */
export const Blobs = serviceToken<BlobsService>("blobs");
