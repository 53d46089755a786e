import {
  type BatchOutcome,
  type ByteAnswer,
  type Fields,
  isRecord,
  outcomeLine,
  raise,
  readOutcome,
  recordsIn,
  type Vendor,
  vendorLines,
  writtenLines,
} from "../../core/provider-kit/index.ts";
import { avroObjects, isAvro } from "./avro.ts";

/** The vectors of a job, each as a line of OpenAI's: the parts of a dataset, one after the other. */
export async function outputOf(job: Readonly<Fields>, vendor: Vendor): Promise<ByteAnswer> {
  const { job_id: id, status, output_dataset_id: output, model } = job;
  if (status !== "complete" || typeof output !== "string")
    return raise("invalid_request", `The job is ${status}: it has an output when it is complete.`, {
      param: "batch_id",
    });
  const path = `/v1/datasets/${encodeURIComponent(output)}`;
  const { dataset } = await (await vendor.call({ method: "GET", path })).json();
  const urls = isRecord(dataset) ? urlsIn(dataset.dataset_parts) : [];
  const rows = translated(rowsAt(urls, vendor), String(id), String(model), vendor);
  return { contentType: "application/octet-stream", content: writtenLines(rows) };
}

/** Addresses that say themselves who may read them, in their order. */
function urlsIn(parts: unknown): string[] {
  return recordsIn(parts)
    .toSorted((one, other) => Number(one.index ?? 0) - Number(other.index ?? 0))
    .map(({ url }) =>
      typeof url === "string" && /^https?:\/\//.test(url)
        ? url
        : raise("upstream_invalid", "A part of the output has no address."),
    );
}

async function* rowsAt(urls: readonly string[], vendor: Vendor): AsyncGenerator<Readonly<Fields>> {
  for (const path of urls) {
    const reply = await vendor.call({ method: "GET", path, as: "stranger" });
    const [beginning, bytes] = await withBeginning(reply.bytes());
    if (isAvro(beginning)) yield* avroObjects(bytes);
    else for await (const { wire } of vendorLines(bytes)) yield wire;
  }
}

/** The first few bytes say what it is. */
async function withBeginning(bytes: AsyncIterable<Buffer>): Promise<readonly [Buffer, AsyncIterable<Buffer>]> {
  const source = bytes[Symbol.asyncIterator]();
  let beginning: Buffer = Buffer.alloc(0);
  while (beginning.length < 4) {
    const { done, value } = await source.next();
    if (done) break;
    beginning = Buffer.concat([beginning, value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield beginning;
    for (let step = await source.next(); !step.done; step = await source.next()) yield step.value;
  }
  return [beginning, all()];
}

async function* translated(
  rows: AsyncIterable<Readonly<Fields>>,
  id: string,
  model: string,
  vendor: Vendor,
): AsyncGenerator<Readonly<Fields>> {
  let number = 0;
  for await (const row of rows) {
    number++;
    yield outcomeLine(outcomeOf(row, { model, number }, vendor), `${id}_${number}`);
  }
}

/** `{custom_id, text, embeddings: {float: […]}}`; of older models `embedding` alone. */
function outcomeOf(row: Readonly<Fields>, line: { model: string; number: number }, vendor: Vendor): BatchOutcome {
  const { custom_id, text, embeddings, embedding } = row;
  const customId = typeof custom_id === "string" ? custom_id : null;
  const vectors = isRecord(embeddings)
    ? Object.fromEntries(Object.entries(embeddings).map(([type, vector]) => [type, [vector]]))
    : { float: [embeddings ?? embedding] };
  const wire = { id: String(row.id ?? line.number), texts: [text], embeddings: vectors };
  return readOutcome(customId, () => vendor.decodeLine({ endpoint: "/v1/embeddings", wire, ...line }));
}
