import type { Readable } from "node:stream";

/** A file that a vendor keeps (inference-api.md section 16.1). Times are Unix seconds. */
export interface StoredFile {
  readonly id: string;
  readonly bytes?: number;
  readonly createdAt?: number;
  readonly expiresAt?: number;
  readonly filename?: string;
  readonly purpose?: string;
  readonly status?: "uploaded" | "processed" | "error";
  readonly statusDetails?: string;
  /** Fields of the vendor's that clients may know, by their names on the wire. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** A list as vendors page it. */
export interface ItemPage<Item> {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
  /** What goes into `after` for the next page, where that is not the id of the last item. */
  readonly next?: string;
}

/** Which part of a list. */
export interface PageQuery {
  readonly limit?: number;
  readonly after?: string;
  readonly order?: "asc" | "desc";
}

export interface FileQuery extends PageQuery {
  readonly purpose?: string;
}

/** Something a client names in the URL. */
export interface Named {
  readonly id: string;
}

/** A file on its way. It is read once, in one of two ways, and never held whole. */
export interface FileUpload {
  /** How many bytes the file has, where the client says so (`file-upload-size`). */
  readonly size?: number;
  /** The form as it comes, for vendors that take the same. */
  form(): UploadedForm;
  /**
   * Reads the form up to its file. A purpose behind the file cannot be known yet: `assumed` stands for it, and one that
   * turns out to be another ends `bytes` with a 400 that says so. Fields whose names `keeps` knows are kept, a
   * `purpose` behind the file among them: then it may be another one. Of all others the client is told that they are dropped.
   */
  file(assumed: string, keeps?: (field: string) => boolean): Promise<UploadedFile>;
}

export interface UploadedForm {
  /** With the boundary. */
  readonly contentType: string;
  readonly contentLength: number | undefined;
  readonly bytes: Readable;
}

export interface UploadedFile {
  readonly filename: string;
  readonly contentType: string | undefined;
  readonly purpose: string;
  /** The fields that were to be kept; those behind the file once `bytes` has ended. */
  readonly fields: ReadonlyMap<string, string>;
  /** Throws where the form breaks off or contradicts itself: what was written of the file by then is not the file. */
  readonly bytes: AsyncIterable<Buffer>;
}

/** Bytes that go on to the client as they come. */
export interface ByteAnswer {
  readonly contentType: string;
  /** How many there are, where that is known. */
  readonly length?: number;
  /** Throws where they break off: the client is cut off then, and never told that it has all of them. */
  readonly content: AsyncIterable<Buffer>;
}
