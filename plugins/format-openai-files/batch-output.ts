import { type ByteAnswer, byteAnswer, GatewayError, type Named, type Vendor } from "../../core/index.ts";

/** The output of a batch at vendors of OpenAI's API (providers.md section 5.3), which have no such call: its file. */
export async function outputOf({ id }: Named, vendor: Vendor): Promise<ByteAnswer> {
  const get = (path: string) => vendor.call({ method: "GET", path: vendor.place(path) });
  const batch = await (await get(`/batches/${encodeURIComponent(id)}`)).json();
  const { status, errors } = batch;
  // Where every line failed, all there is are errors.
  const file = fileId(batch.output_file_id) ?? fileId(batch.error_file_id);
  if (file !== undefined)
    return byteAnswer(await get(`/files/${encodeURIComponent(file)}/content`), "application/octet-stream");
  if (errors) return { contentType: "application/json", content: once(Buffer.from(JSON.stringify(errors))) };
  throw new GatewayError("invalid_request", `The batch is ${status}: it has an output when it is completed.`, {
    param: "batch_id",
  });
}

const fileId = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
