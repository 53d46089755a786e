import { serviceToken } from "../service-token.ts";

/** The files that the gateway keeps for its callers (inference-api.md section 16.1), for whoever works with them. */
export interface ManagedFilesService {
  /** Undefined where this tenant has none of that id. */
  find(tenant: string, id: string): Promise<ManagedFile | undefined>;
  /** Its bytes, or a part of them; rejects where they are gone. */
  read(
    file: Pick<ManagedFile, "id">,
    part?: { readonly from?: number; readonly to?: number },
  ): Promise<AsyncIterable<Buffer>>;
  /** Keeps a file that the gateway made; the one that is there under this id stays. */
  keep(file: MadeFile): Promise<ManagedFile>;
}

export interface ManagedFile {
  /** `gw_file_` and a UUID. */
  readonly id: string;
  readonly tenant: string;
  readonly filename: string;
  readonly purpose: string;
  readonly bytes: number;
}

export interface MadeFile {
  readonly tenant: string;
  readonly id: string;
  readonly filename: string;
  readonly purpose: string;
  readonly content: AsyncIterable<Buffer>;
  /** Unix seconds; absent is never. */
  readonly expiresAt?: number | undefined;
}

/** What the ids of the gateway's own files begin with. */
export const managedFilePrefix = "gw_file_";

const shortest = 3_600;
const longest = 30 * 24 * 3_600;

/** Seconds a file may be kept, where not for ever: an hour to thirty days, as with OpenAI. */
export const isFileLifetime = (seconds: unknown): seconds is number =>
  typeof seconds === "number" && Number.isInteger(seconds) && seconds >= shortest && seconds <= longest;

/** The same, in words for refusals. */
export const fileLifetimes = `a whole number from ${shortest} to ${longest}`;

export const ManagedFiles = serviceToken<ManagedFilesService>("managed-files");
