import { compact, type Fields, isRecord } from "../../codec-kit/records.ts";
import { raise } from "../../errors/gateway-error.ts";
import type { Headers } from "../../model/headers.ts";
import type { ProcedureTable, Vendor, VendorCall } from "../../model/procedure.ts";
import type { StoredFile } from "../../model/stored-file.ts";
import { byteAnswer } from "../byte-answer.ts";
import { unixSeconds } from "../unix-seconds.ts";

/** The word by which files are asked for as long as they are a beta, and the header it stands in. */
export interface BetaWord {
  readonly header: string;
  readonly word: string;
}

/** It is added where it is missing (providers.md section 6.1). */
function withBeta(own: Headers, { header, word }: BetaWord): Headers {
  const words = (own[header] ?? "").split(",").map((one) => one.trim());
  if (words.includes(word)) return own;
  return { ...own, [header]: [...words.filter((one) => one !== ""), word].join(",") };
}

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

/** Files of whoever serves the Messages API as its maker does. */
export function messageFiles(beta: BetaWord): ProcedureTable {
  const ask = (vendor: Vendor, call: VendorCall) => vendor.call({ headers: (own) => withBeta(own, beta), ...call });
  return {
    async uploadFile(upload, vendor) {
      const { contentType, contentLength, bytes } = upload.form();
      const length: Headers = contentLength === undefined ? {} : { "content-length": String(contentLength) };
      const reply = await vendor.call({
        method: "POST",
        path: "/files",
        headers: (own) => ({ ...withBeta(own, beta), ...length, "content-type": contentType }),
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
}
