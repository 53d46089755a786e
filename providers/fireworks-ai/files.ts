import { randomUUID } from "node:crypto";
import {
  byteAnswer,
  compact,
  type Fields,
  GatewayError,
  isRecord,
  type ProcedureTable,
  raise,
  type StoredFile,
  streamed,
  unixSeconds,
  type Vendor,
  xmlError,
} from "../../core/provider-kit/index.ts";
import { type Account, below, idIn, lastPart } from "./account.ts";

/** Files are datasets, whose bytes are put at an address that is given for them (providers.md section 13.4). */
export function fileProcedures(account: Account): ProcedureTable {
  const datasets = (rest = ""): string => below(account, `/datasets${rest}`);
  const named = (id: string) => datasets(`/${idIn(id, "file_id")}`);
  return {
    async uploadFile(upload, vendor): Promise<StoredFile> {
      const size = upload.size ?? missingSize();
      // Nothing is made at the vendor for a form that turns out to be none.
      const { filename, purpose, bytes } = await upload.file("fine-tune");
      const id = `file-${randomUUID()}`;
      const stored = `${id}.jsonl`;
      const dataset = { userUploaded: {}, displayName: filename };
      await post(vendor, datasets(), { datasetId: id, dataset });
      try {
        const given = await post(vendor, datasets(`/${id}:getUploadEndpoint`), { filenameToSize: { [stored]: size } });
        const reply = await vendor.call({
          method: "PUT",
          path: addressIn(given, stored),
          headers: {
            "content-type": "application/octet-stream",
            "content-length": String(size),
            "x-goog-content-length-range": `${size},${size}`,
          },
          body: streamed(exactly(bytes, size)),
          as: "stranger",
          readError: xmlError,
        });
        await reply.text();
        await post(vendor, datasets(`/${id}:validateUpload`), {});
      } catch (error) {
        // A dataset without its bytes is nobody's.
        await vendor.call({ method: "DELETE", path: datasets(`/${id}`), afterwards: true }).catch(() => undefined);
        throw error;
      }
      return { id, bytes: size, createdAt: vendor.now, filename, purpose, status: "uploaded" };
    },

    async listFiles({ limit = 20, after, purpose, order }, vendor) {
      if (purpose !== undefined && purpose !== "fine-tune") return { data: [], hasMore: false };
      if (order !== undefined) vendor.report("order");
      const query = { pageSize: limit, pageToken: after };
      const found = await (await vendor.call({ method: "GET", path: datasets(), query })).json();
      const data = Array.isArray(found.datasets) ? found.datasets.filter(isRecord).map(fileOf) : [];
      const next = found.nextPageToken;
      return typeof next === "string" && next !== "" ? { data, hasMore: true, next } : { data, hasMore: false };
    },

    async retrieveFile({ id }, vendor) {
      return fileOf(await (await vendor.call({ method: "GET", path: named(id) })).json());
    },

    async retrieveFileContent({ id }, vendor) {
      const given = await (await vendor.call({ method: "GET", path: `${named(id)}:getDownloadEndpoint` })).json();
      const path = addressIn(given, `${id}.jsonl`);
      return byteAnswer(await vendor.call({ method: "GET", path, as: "stranger", readError: xmlError }));
    },

    async deleteFile({ id }, vendor) {
      await (await vendor.call({ method: "DELETE", path: named(id) })).text();
      return { id };
    },
  };
}

const post = async (vendor: Vendor, path: string, json: unknown): Promise<Fields> =>
  (await vendor.call({ method: "POST", path, json })).json();

function missingSize(): never {
  throw new GatewayError(
    "invalid_request",
    "An upload to fireworks-ai needs the header file-upload-size (with the prefix of this gateway): the bytes of the file.",
    { param: "file-upload-size" },
  );
}

/** The address for a file; of a dataset that was made elsewhere, the one there is. */
function addressIn({ filenameToSignedUrls: urls }: Readonly<Fields>, filename: string): string {
  const all = isRecord(urls) ? urls : {};
  const url = all[filename] ?? Object.values(all)[0];
  if (typeof url === "string" && /^https?:\/\//.test(url)) return url;
  return raise("upstream_invalid", "The answer holds no address for the file.");
}

/** As many bytes as were announced. */
async function* exactly(bytes: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let count = 0;
  const wrong = (what: string) =>
    new GatewayError("invalid_request", `file has ${what} than the ${size} bytes that file-upload-size says.`, {
      param: "file-upload-size",
    });
  for await (const piece of bytes) {
    count += piece.length;
    if (count > size) throw wrong("more");
    yield piece;
  }
  if (count < size) throw wrong("fewer");
}

function fileOf(dataset: Readonly<Fields>): StoredFile {
  const { name, displayName, state, status } = dataset;
  if (typeof name !== "string") return raise("upstream_invalid", "The answer is not a dataset: it has no name.");
  const problem = isRecord(status) && status.code !== "OK" ? status.message : undefined;
  const failed = typeof problem === "string" && problem !== "";
  return {
    id: lastPart(name),
    purpose: "fine-tune",
    filename: typeof displayName === "string" && displayName !== "" ? displayName : `${lastPart(name)}.jsonl`,
    status: state === "READY" ? "processed" : failed ? "error" : "uploaded",
    ...compact({ createdAt: unixSeconds(dataset.createTime), statusDetails: failed ? problem : undefined }),
  };
}
