import {
  byteAnswer,
  compact,
  type Fields,
  type Headers,
  isRecord,
  type ProcedureTable,
  raise,
  type StoredFile,
  unixSeconds,
  type Vendor,
  type VendorCall,
} from "../../core/provider-kit/index.ts";

const beta = "files-api-2025-04-14";

/** Files are a beta: its word is added where it is missing (providers.md section 6.1). */
function withBeta(own: Headers): Headers {
  const words = (own["anthropic-beta"] ?? "").split(",").map((word) => word.trim());
  if (words.includes(beta)) return own;
  return { ...own, "anthropic-beta": [...words.filter((word) => word !== ""), beta].join(",") };
}

const ask = (vendor: Vendor, call: VendorCall) => vendor.call({ headers: withBeta, ...call });

const pathOf = (id: string): string => `/files/${encodeURIComponent(id)}`;

/** Files have no purpose here: they are for whoever may see them. */
const purpose = "user_data";

function fileOf(wire: Fields): StoredFile {
  if (typeof wire.id !== "string") return raise("upstream_invalid", "The answer is not a file: it has no id.");
  const { id, filename, size_bytes: bytes, mime_type, downloadable } = wire;
  return {
    id,
    ...compact({
      filename: typeof filename === "string" ? filename : undefined,
      bytes: typeof bytes === "number" ? bytes : undefined,
      createdAt: unixSeconds(wire.created_at),
    }),
    purpose,
    status: "processed",
    more: compact({ mime_type, downloadable }),
  };
}

export const fileProcedures: ProcedureTable = {
  async uploadFile(upload, vendor) {
    const { contentType, contentLength, bytes } = upload.form();
    const length: Headers = contentLength === undefined ? {} : { "content-length": String(contentLength) };
    const reply = await vendor.call({
      method: "POST",
      path: "/files",
      headers: (own) => ({ ...withBeta(own), ...length, "content-type": contentType }),
      body: bytes,
    });
    return fileOf(await reply.json());
  },

  async listFiles({ limit, after, purpose: asked, order }, vendor) {
    // The newest come first.
    if (order === "asc") vendor.report("order");
    // Others than these are not to be had here.
    if (asked !== undefined && asked !== purpose) return { data: [], hasMore: false };
    const reply = await ask(vendor, { method: "GET", path: "/files", query: { limit, after_id: after } });
    const { data, has_more: more } = await reply.json();
    return { data: Array.isArray(data) ? data.filter(isRecord).map(fileOf) : [], hasMore: more === true };
  },

  async retrieveFile({ id }, vendor) {
    return fileOf(await (await ask(vendor, { method: "GET", path: pathOf(id) })).json());
  },

  async retrieveFileContent({ id }, vendor) {
    return byteAnswer(await ask(vendor, { method: "GET", path: `${pathOf(id)}/content` }));
  },

  async deleteFile({ id }, vendor) {
    await (await ask(vendor, { method: "DELETE", path: pathOf(id) })).text();
    return { id };
  },
};
