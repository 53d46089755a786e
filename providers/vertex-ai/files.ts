import { randomUUID } from "node:crypto";
import {
  addressId,
  byteAnswer,
  compact,
  countedBytes,
  filenameOf,
  GatewayError,
  type ProcedureTable,
  type StoragePlace,
  type StoredFile,
  streamed,
  type UploadedFile,
  unixSeconds,
  type Vendor,
  writtenLines,
  xmlError,
} from "../../core/provider-kit/index.ts";
import { batchRows, tuningRows } from "./lines.ts";
import { objectUrl, type StorageOptions, storageOf } from "./storage.ts";

/** Where an object says what it is for: nothing else keeps that. */
const purposeHeader = "x-goog-meta-purpose";

const readError = xmlError;

/** Files are objects in a bucket of the caller's project (providers.md section 8.9). None can be listed or deleted here. */
export function fileProcedures(options: StorageOptions): ProcedureTable {
  const storage = storageOf(options);
  return {
    async uploadFile(upload, vendor): Promise<StoredFile> {
      const { bucket, model } = neededFor(options, vendor);
      const file = await upload.file("batch");
      const place = storage.checked({ bucket, key: keyOf(options, file) }, "provider-file-name");
      const written = countedBytes(contentOf(file, { vendor, model, endpoint: options.batchEndpoint }));
      const reply = await vendor.call({
        method: "PUT",
        path: objectUrl(options, place),
        headers: {
          "content-type": file.contentType ?? "application/octet-stream",
          [purposeHeader]: encodeURIComponent(file.purpose),
        },
        body: streamed(written.bytes),
        readError,
      });
      await reply.text();
      return {
        id: addressId(storage.uri(place)),
        bytes: written.count(),
        createdAt: vendor.now,
        filename: filenameOf(place.key),
        purpose: file.purpose,
        status: "processed",
      };
    },

    async retrieveFile({ id }, vendor): Promise<StoredFile> {
      const place = storage.read(id, "file_id");
      const reply = await vendor.call({ method: "HEAD", path: objectUrl(options, place), readError });
      await reply.text();
      return describedBy(reply.headers, place, addressId(storage.uri(place)));
    },

    async retrieveFileContent({ id }, vendor) {
      const place = storage.read(id, "file_id");
      return byteAnswer(await vendor.call({ method: "GET", path: objectUrl(options, place), readError }));
    },
  };
}

function neededFor(
  { storageBucketName: bucket, fileModel }: StorageOptions,
  vendor: Vendor,
): { readonly bucket: string; readonly model: string } {
  const model = fileModel ?? vendor.model;
  if (bucket !== undefined && model !== undefined) return { bucket, model };
  throw new GatewayError(
    "invalid_request",
    `An upload to ${vendor.name} needs the headers vertex-storage-bucket-name and provider-model (with the prefix of this gateway).`,
    { param: bucket === undefined ? "vertex-storage-bucket-name" : "provider-model" },
  );
}

/** Uploads of the same name do not replace each other, unless the client says where they go. */
const keyOf = ({ fileName }: StorageOptions, { filename }: UploadedFile): string =>
  fileName ?? `${randomUUID()}/${filenameOf(filename).replace(/[^\w.-]+/g, "_") || "file"}`;

function contentOf(
  { purpose, bytes }: UploadedFile,
  input: { readonly vendor: Vendor; readonly model: string; readonly endpoint: string | undefined },
): AsyncIterable<Buffer> {
  if (purpose === "batch") return writtenLines(batchRows(bytes, input));
  if (purpose === "fine-tune") return writtenLines(tuningRows(bytes, input));
  return bytes;
}

function describedBy(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  { key }: StoragePlace,
  id: string,
): StoredFile {
  const { "content-length": length, "x-goog-stored-content-length": stored, [purposeHeader]: purpose } = headers;
  const bytes = Number(stored ?? length);
  return {
    id,
    filename: filenameOf(key),
    status: "processed",
    ...compact({
      bytes: Number.isFinite(bytes) ? bytes : undefined,
      createdAt: unixSeconds(headers["last-modified"]),
      purpose: typeof purpose === "string" ? decodeURIComponent(purpose) : undefined,
    }),
  };
}
