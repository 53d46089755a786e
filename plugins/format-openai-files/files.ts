import {
  type Asked,
  type ClientProcedure,
  compact,
  type Fields,
  type FileUpload,
  GatewayError,
  type ItemPage,
  type StoredFile,
} from "../../core/index.ts";
import { fileQuery, named } from "./asked.ts";
import { listed } from "./listed.ts";
import { foreign, whoSpeaks } from "./who-speaks.ts";

const file = ({
  id,
  bytes,
  createdAt,
  expiresAt,
  filename,
  purpose,
  status,
  statusDetails,
  more,
}: StoredFile): Fields => ({
  id,
  object: "file",
  ...compact({
    bytes,
    created_at: createdAt,
    expires_at: expiresAt,
    filename,
    purpose,
    status,
    status_details: statusDetails,
  }),
  ...more,
});

const files = (page: ItemPage<StoredFile>): Fields => listed(page, file);

function upload({ gatewayHeaders, upload: read }: Asked): FileUpload {
  return read({
    purpose: gatewayHeaders.get("file-purpose"),
    purposeHeader: gatewayHeaders.nameOf("file-purpose"),
    size: sizeIn(gatewayHeaders.get("file-upload-size")),
  });
}

function sizeIn(said: string | undefined): number | undefined {
  if (said === undefined) return undefined;
  if (/^\d{1,15}$/.test(said)) return Number(said);
  throw new GatewayError("invalid_request", `file-upload-size must be a number of bytes, got "${said}".`, {
    param: "file-upload-size",
  });
}

export const uploadFile: ClientProcedure<"uploadFile"> = {
  name: "uploadFile",
  takes: "upload",
  transfers: true,
  decode: upload,
  encode: file,
  whoSpeaks,
  foreign,
};

export const listFiles: ClientProcedure<"listFiles"> = {
  name: "listFiles",
  decode: fileQuery,
  encode: files,
  whoSpeaks,
  foreign,
};

export const retrieveFile: ClientProcedure<"retrieveFile"> = {
  name: "retrieveFile",
  decode: named,
  encode: file,
  whoSpeaks,
  foreign,
};

export const retrieveFileContent: ClientProcedure<"retrieveFileContent"> = {
  name: "retrieveFileContent",
  transfers: true,
  decode: named,
  whoSpeaks,
  foreign,
};

export const deleteFile: ClientProcedure<"deleteFile"> = {
  name: "deleteFile",
  decode: named,
  encode: ({ id }) => ({ id, object: "file", deleted: true }),
  whoSpeaks,
  foreign,
};
