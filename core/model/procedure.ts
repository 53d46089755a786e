import type { Readable } from "node:stream";
import type { ErrorDetail } from "../errors/error-detail.ts";
import type { Batch, BatchRequest } from "./batch.ts";
import type { FineTuningJob, FineTuningRequest } from "./fine-tuning.ts";
import type { Headers } from "./headers.ts";
import type { ByteAnswer, FileQuery, FileUpload, ItemPage, Named, PageQuery, StoredFile } from "./stored-file.ts";

/**
 * What clients ask about things that vendors keep. Vendors differ in more than words there: one call of the client may be
 * several of theirs, so each is a function of the provider instead of a format (decision 0024).
 */
export interface Procedures {
  uploadFile: { request: FileUpload; answer: StoredFile };
  listFiles: { request: FileQuery; answer: ItemPage<StoredFile> };
  retrieveFile: { request: Named; answer: StoredFile };
  retrieveFileContent: { request: Named; answer: ByteAnswer };
  deleteFile: { request: Named; answer: Named };
  createBatch: { request: BatchRequest; answer: Batch };
  listBatches: { request: PageQuery; answer: ItemPage<Batch> };
  retrieveBatch: { request: Named; answer: Batch };
  getBatchOutput: { request: Named; answer: ByteAnswer };
  cancelBatch: { request: Named; answer: Batch };
  createFinetune: { request: FineTuningRequest; answer: FineTuningJob };
  listFinetunes: { request: PageQuery; answer: ItemPage<FineTuningJob> };
  retrieveFinetune: { request: Named; answer: FineTuningJob };
  cancelFinetune: { request: Named; answer: FineTuningJob };
}

export type ProcedureName = keyof Procedures;

type Body = Readonly<Record<string, unknown>>;

/** How a vendor does it, in calls of its own making. */
export type Procedure<Name extends ProcedureName> = (
  request: Procedures[Name]["request"],
  vendor: Vendor,
) => Promise<Procedures[Name]["answer"]>;

/** The client's call goes on as it came. A JSON answer may have to be corrected: whoever changes nothing returns it itself. */
export type AsItIs = "as-it-is" | { readonly corrected: (wire: Body) => Body };

/** How a vendor does each. What is not named the vendor does not have. */
export type ProcedureTable = { readonly [Name in ProcedureName]?: Procedure<Name> | AsItIs };

/** The query of a client that asks for models. */
export type ModelQuery = Readonly<Record<string, string>>;

/** Who is told of fields of a form that nobody reads. */
export type Report = (dropped: string) => void;

/** One call to a vendor. */
export interface VendorCall {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  /** Below the base URL; with scheme and host for what stands elsewhere. */
  readonly path: string;
  /** Added to the path; undefined is left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Laid over the provider's own, or made from them. Lower case. */
  readonly headers?: Headers | ((own: Headers) => Headers);
  readonly json?: unknown;
  readonly body?: Buffer | Readable;
  /**
   * The address is from an answer and says itself who may call it: it gets nothing of the provider's, and is checked as
   * one that a caller brought. `signed`: the headers are the provider's own work already, and complete.
   */
  readonly as?: "stranger" | "signed";
  /** Clears away what would be left behind: made even when the client is gone. */
  readonly afterwards?: true;
  /** Reads an error body that is not JSON. */
  readonly readError?: (text: string) => ErrorDetail | undefined;
}

/** An answer whose body waits to be read, once. */
export interface VendorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Throws `upstream_invalid` where it is not a JSON object. */
  json(): Promise<Record<string, unknown>>;
  text(): Promise<string>;
  bytes(): AsyncIterable<Buffer>;
}

/** The vendor as its procedures see it. */
export interface Vendor {
  /** The provider's public name, for messages. */
  readonly name: string;
  /** The model that the route, or else the request, names. */
  readonly model: string | undefined;
  /** Unix seconds. */
  readonly now: number;
  /** What the caller says of the request. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Calls it: with credentials and clocks as every call. An answer that is not a 2xx becomes the client's. */
  call(call: VendorCall): Promise<VendorReply>;
  /** Where a path of the client's API is below its base URL. */
  place(path: string): string;
  /** Tells the client what of its request this vendor cannot be told. */
  report(dropped: string): void;
  /** A request as the vendor takes it, by the codecs of its formats. The endpoint is where a client would post it. */
  encodeLine(line: { readonly endpoint: string; readonly model: string; readonly body: Body }): EncodedLine;
  /** The answer to such a request in the words of the client. */
  decodeLine(line: LineAnswer): Record<string, unknown>;
}

export interface EncodedLine {
  /** The wire format it is in. */
  readonly format: string;
  readonly wire: Body;
}

export interface LineAnswer {
  readonly endpoint: string;
  readonly model: string;
  readonly wire: Body;
  /** The request as it was encoded, where the vendor repeats it beside the answer. */
  readonly asked?: unknown;
  /** Told apart from the other lines of the batch, for answers without an id of their own. */
  readonly number: number;
}
