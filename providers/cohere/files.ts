import { randomUUID } from "node:crypto";
import {
  batchLine,
  compact,
  countedBytes,
  type Fields,
  inLine,
  isRecord,
  jsonLines,
  type ProcedureTable,
  raise,
  refuse,
  type StoredFile,
  streamed,
  unixSeconds,
  type Vendor,
  writtenLines,
} from "../../core/provider-kit/index.ts";

const datasets = "/v1/datasets";
const datasetPath = (id: string): string => `${datasets}/${encodeURIComponent(id)}`;

async function datasetOf(id: string, vendor: Vendor): Promise<Fields> {
  const { dataset } = await (await vendor.call({ method: "GET", path: datasetPath(id) })).json();
  return isRecord(dataset) ? dataset : {};
}

/** Files are datasets of texts to embed (providers.md section 12.1). Their content is not to be had back. */
export const fileProcedures: ProcedureTable = {
  async uploadFile(upload, vendor): Promise<StoredFile> {
    const file = await upload.file("batch");
    if (file.purpose !== "batch") refuse("purpose", '"batch": datasets here hold texts to embed', file.purpose);
    const boundary = `form-${randomUUID()}`;
    const rows = countedBytes(writtenLines(rowsIn(file.bytes)));
    const reply = await vendor.call({
      method: "POST",
      path: datasets,
      query: { name: `gateway-${randomUUID()}`, type: "embed-input", keep_fields: "custom_id,id" },
      headers: (own) => ({ ...own, "content-type": `multipart/form-data; boundary=${boundary}` }),
      body: streamed(asForm(rows.bytes, boundary)),
    });
    const { id } = await reply.json();
    if (typeof id !== "string") return raise("upstream_invalid", "The answer is not a dataset: it has no id.");
    return {
      id,
      bytes: rows.count(),
      createdAt: vendor.now,
      filename: file.filename,
      purpose: file.purpose,
      status: "uploaded",
    };
  },

  async listFiles({ limit = 20, after, purpose, order }, vendor) {
    // The newest come first.
    if (order === "asc") vendor.report("order");
    if (purpose !== undefined && purpose !== "batch") return { data: [], hasMore: false };
    const before = after === undefined ? undefined : (await datasetOf(after, vendor)).created_at;
    const query = { dataset_type: "embed-input", limit, ...(typeof before === "string" && { before }) };
    const { datasets: found } = await (await vendor.call({ method: "GET", path: datasets, query })).json();
    const data = Array.isArray(found) ? found.filter(isRecord).map(fileOf) : [];
    return { data, hasMore: data.length >= limit };
  },

  async retrieveFile({ id }, vendor) {
    return fileOf(await datasetOf(id, vendor));
  },

  async deleteFile({ id }, vendor) {
    await (await vendor.call({ method: "DELETE", path: datasetPath(id) })).text();
    return { id };
  },
};

/** Lines of a batch as rows of a dataset: `{custom_id, text, id}`. */
async function* rowsIn(bytes: AsyncIterable<Buffer>): AsyncGenerator<Fields> {
  for await (const line of jsonLines(bytes)) {
    const { number, customId, endpoint, body } = batchLine(line);
    const text = inLine(number, () => {
      if (endpoint !== "/v1/embeddings")
        refuse("url", "/v1/embeddings: all other batches are not to be had here", endpoint);
      const [first, ...others] = [body.input].flat();
      if (typeof first === "string" && others.length === 0) return first;
      return refuse("body.input", "one text: a line asks for one", body.input);
    });
    yield { custom_id: customId, text, id: randomUUID() };
  }
}

/** A form with one file in it. */
async function* asForm(file: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Buffer> {
  const head = 'Content-Disposition: form-data; name="data"; filename="data.jsonl"\r\nContent-Type: application/jsonl';
  yield Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`);
  yield* file;
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

/** How far a dataset is looked through; others are on their way. */
const statuses: Readonly<Record<string, StoredFile["status"]>> = {
  validated: "processed",
  skipped: "processed",
  failed: "error",
};

function fileOf(dataset: Readonly<Fields>): StoredFile {
  const { id, name, validation_error: problem, dataset_parts: parts } = dataset;
  if (typeof id !== "string") return raise("upstream_invalid", "The answer is not a dataset: it has no id.");
  const sizes = Array.isArray(parts) ? parts.map((part) => (isRecord(part) ? part.size_bytes : undefined)) : [];
  const known = sizes.filter((size) => typeof size === "number");
  return {
    id,
    purpose: "batch",
    status: statuses[String(dataset.validation_status)] ?? "uploaded",
    ...compact({
      bytes: known.length > 0 && known.length === sizes.length ? known.reduce((sum, size) => sum + size, 0) : undefined,
      createdAt: unixSeconds(dataset.created_at),
      filename: typeof name === "string" ? name : undefined,
      statusDetails: typeof problem === "string" && problem !== "" ? problem : undefined,
    }),
  };
}
