import { randomUUID } from "node:crypto";
import {
  addressId,
  byteAnswer,
  compact,
  filenameOf,
  GatewayError,
  type Headers,
  type ProcedureTable,
  refuse,
  type StoredFile,
  type UploadedFile,
  unixSeconds,
  type Vendor,
  writtenLines,
  xmlText,
} from "../../core/provider-kit/index.ts";
import { batchRows, tuningRows } from "./lines.ts";
import { putInParts } from "./multipart.ts";
import type { BedrockOptions } from "./options.ts";
import { s3 } from "./s3.ts";
import { storageOf } from "./storage.ts";

/** Where an object says what it is for: nothing else keeps that. */
const purposeHeader = "x-amz-meta-purpose";

/** Files are objects in a bucket of the caller's account (providers.md section 9.9). None can be listed or deleted here. */
export function fileProcedures(options: BedrockOptions): ProcedureTable {
  const storage = storageOf(options);
  return {
    async uploadFile(upload, vendor): Promise<StoredFile> {
      const bucket = options.s3Bucket ?? missing("aws-s3-bucket", vendor);
      const file = await upload.file("batch");
      if (!/\.jsonl$/i.test(file.filename)) refuse("file", "a file of JSON lines, called .jsonl", file.filename);
      const place = storage.checked({ bucket, key: keyOf(options, file) }, "aws-s3-object-key");
      const headers: Headers = {
        "content-type": "application/jsonl",
        [purposeHeader]: encodeURIComponent(file.purpose),
        ...encryptionOf(options),
      };
      const bytes = await putInParts(options, vendor, place, headers, contentOf(file, options, vendor));
      return {
        id: addressId(storage.uri(place)),
        bytes,
        createdAt: vendor.now,
        filename: filenameOf(place.key),
        purpose: file.purpose,
        status: "processed",
      };
    },

    async retrieveFile({ id }, vendor): Promise<StoredFile> {
      const place = storage.read(id, "file_id");
      const headers = { "x-amz-object-attributes": "ObjectSize" };
      const reply = await s3(options, vendor, { method: "GET", place, query: "attributes=", headers });
      const size = xmlText(await reply.text(), "ObjectSize");
      return {
        id: addressId(storage.uri(place)),
        filename: filenameOf(place.key),
        status: "processed",
        ...compact({
          bytes: size === undefined ? undefined : Number(size),
          createdAt: unixSeconds(reply.headers["last-modified"]),
        }),
      };
    },

    async retrieveFileContent({ id }, vendor) {
      return byteAnswer(await s3(options, vendor, { method: "GET", place: storage.read(id, "file_id") }));
    },
  };
}

function missing(header: string, vendor: Vendor): never {
  throw new GatewayError(
    "invalid_request",
    `This upload to ${vendor.name} needs the header ${header} (with the prefix of this gateway).`,
    { param: header },
  );
}

/** Uploads of the same name do not replace each other, unless the client says where they go. */
const keyOf = ({ s3ObjectKey, fileName }: BedrockOptions, { filename }: UploadedFile): string =>
  s3ObjectKey ?? fileName ?? `${randomUUID()}/${filenameOf(filename).replace(/[^\w.-]+/g, "_")}`;

const encryptionOf = ({ serverSideEncryption: how, kmsKeyId }: BedrockOptions): Headers => ({
  ...(how !== undefined && { "x-amz-server-side-encryption": how }),
  ...(kmsKeyId !== undefined && { "x-amz-server-side-encryption-aws-kms-key-id": kmsKeyId }),
});

function contentOf(
  { purpose, bytes }: UploadedFile,
  { fileModel, lineModel, modelType }: BedrockOptions,
  vendor: Vendor,
): AsyncIterable<Buffer> {
  if (purpose === "fine-tune") return writtenLines(tuningRows(bytes, modelType));
  if (purpose !== "batch") return bytes;
  const model = fileModel ?? lineModel ?? vendor.model ?? missing("aws-bedrock-model", vendor);
  return writtenLines(batchRows(bytes, model, vendor));
}
