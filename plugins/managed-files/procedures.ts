import {
  type Exchange,
  type FileQuery,
  type FileUpload,
  fileLifetimes,
  GatewayError,
  type ItemPage,
  isFileLifetime,
  itemPage,
  mustBe,
  type ProcedureTable,
  type StoredFile,
  tenantOf,
} from "../../core/index.ts";
import type { FileRecord, KeptFiles } from "./kept-files.ts";

/** What a client asks of files, answered from those that are kept here. */
export function fileProcedures(files: KeptFiles, exchange: Exchange, maxBytes: number): ProcedureTable {
  const tenant = tenantOf(exchange.principal ?? { id: "" });
  const found = async (id: string): Promise<FileRecord> =>
    (await files.get(tenant, id)) ?? refuse("item_unknown", `There is no file "${id}".`, "id");
  return {
    uploadFile: async (upload) => stored(await uploaded(files, tenant, upload, maxBytes)),
    listFiles: (query) => page(files, tenant, query),
    retrieveFile: async ({ id }) => stored(await found(id)),
    async retrieveFileContent({ id }) {
      const { document } = await found(id);
      return { contentType: document.content_type, length: document.bytes, content: await files.read({ id }) };
    },
    async deleteFile({ id }) {
      if (!(await files.remove(tenant, id))) refuse("item_unknown", `There is no file "${id}".`, "id");
      return { id };
    },
  };
}

const expiry = { anchor: "expires_after[anchor]", seconds: "expires_after[seconds]" } as const;
const kept = new Set<string>([expiry.anchor, expiry.seconds, "purpose"]);

async function uploaded(files: KeptFiles, tenant: string, upload: FileUpload, maxBytes: number): Promise<FileRecord> {
  if ((upload.size ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const { filename, contentType, purpose, fields, bytes } = await upload.file("batch", (field) => kept.has(field));
  return files.add(tenant, within(bytes, maxBytes), () => ({
    filename,
    purpose: fields.get("purpose") ?? purpose,
    content_type: contentType ?? "application/octet-stream",
    lifetime: lifetimeIn(fields),
  }));
}

async function* within(bytes: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > most) throw tooLarge(most);
    yield piece;
  }
}

const tooLarge = (most: number): GatewayError =>
  new GatewayError("body_too_large", `The file is larger than ${most} bytes (maxBytes of managed-files).`);

/** Seconds a file is kept; undefined is for ever. */
function lifetimeIn(fields: ReadonlyMap<string, string>): number | undefined {
  const seconds = fields.get(expiry.seconds);
  const anchor = fields.get(expiry.anchor);
  if (seconds === undefined && anchor === undefined) return undefined;
  if (anchor !== "created_at")
    refuse("invalid_request", `${mustBe(expiry.anchor, "created_at", anchor)}.`, "expires_after");
  const lifetime = Number(seconds);
  if (isFileLifetime(lifetime)) return lifetime;
  return refuse("invalid_request", `${mustBe(expiry.seconds, fileLifetimes, seconds)}.`, "expires_after");
}

/** Newest first, as with OpenAI. */
function page(files: KeptFiles, tenant: string, query: FileQuery): Promise<ItemPage<StoredFile>> {
  const { limit = 10_000, after, order = "desc", purpose } = query;
  return itemPage(files.all(tenant, purpose, order), { limit, after }, "file of this list", stored);
}

const stored = ({ id, document }: FileRecord): StoredFile => ({
  id,
  bytes: document.bytes,
  createdAt: document.created_at,
  ...(document.expires_at !== null && { expiresAt: document.expires_at }),
  filename: document.filename,
  purpose: document.purpose,
  status: "processed",
});

function refuse(code: "item_unknown" | "invalid_request", message: string, param: string): never {
  throw new GatewayError(code, message, { param });
}
