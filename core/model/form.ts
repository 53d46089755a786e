/** A file in a multipart form. */
export interface FormFile {
  readonly filename: string;
  /** What the client says it is; absent where it does not. */
  readonly contentType?: string;
  readonly bytes: Buffer;
}

export type FormValue = string | FormFile;

/** A multipart form by the names of its fields; a field that is there more than once is a list. */
export type FormFields = Readonly<Record<string, FormValue | readonly FormValue[]>>;
