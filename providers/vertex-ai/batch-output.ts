import {
  type BatchOutcome,
  type ByteAnswer,
  type Fields,
  isRecord,
  type JsonLine,
  outcomeLine,
  raise,
  readOutcome,
  type Storage,
  type Vendor,
  vendorLines,
  writtenLines,
  xmlError,
} from "../../core/provider-kit/index.ts";
import { askedAs, isEmbedding, lastPart, outputUri, stateOf } from "./batch-record.ts";
import { batchEndpoints, objectUrl, type StorageOptions } from "./storage.ts";

interface OutputInput {
  readonly options: StorageOptions;
  readonly storage: Storage;
  readonly vendor: Vendor;
}

/** The predictions of a job, each as a line of OpenAI's (inference-api.md section 16.2). */
export async function outputOf(job: Readonly<Fields>, { options, storage, vendor }: OutputInput): Promise<ByteAnswer> {
  const uri = outputUri(job);
  if (uri === undefined || !/SUCCEEDED$/.test(stateOf(job)))
    return raise("invalid_request", `The job is ${stateOf(job)}: it has an output when it has succeeded.`, {
      param: "batch_id",
    });
  const place = storage.read(uri, "output");
  const reply = await vendor.call({ method: "GET", path: objectUrl(options, place), readError: xmlError });
  const rows = translated(vendorLines(reply.bytes()), lastPart(String(job.name)), String(job.model), vendor);
  return { contentType: "application/octet-stream", content: writtenLines(rows) };
}

async function* translated(
  lines: AsyncIterable<JsonLine>,
  id: string,
  model: string,
  vendor: Vendor,
): AsyncGenerator<Readonly<Fields>> {
  for await (const line of lines) yield outcomeLine(outcomeOf(line, model, vendor), `${id}_${line.number}`);
}

/** `{request, response, status, requestId}`; of embeddings `{instance, predictions, status}`; open models have OpenAI's own. */
function outcomeOf({ number, wire }: JsonLine, model: string, vendor: Vendor): BatchOutcome {
  const customId = idIn(wire);
  const { status, request: asked, response, predictions } = wire;
  const failed = typeof status === "string" && status !== "";
  if (failed && !hasContent(response)) return { customId, error: { code: "batch_line_failed", message: status } };
  const answer = isEmbedding(model) && Array.isArray(predictions) ? { predictions } : response;
  if (!isRecord(answer))
    return { customId, error: { code: "upstream_invalid", message: "The line has neither an answer nor an error." } };
  if (isRecord(answer.body))
    return { customId, response: { status: Number(answer.status_code ?? 200), body: answer.body } };
  const endpoint = isEmbedding(model) ? batchEndpoints[1] : batchEndpoints[0];
  const requestId = [answer.responseId, answer.id].find((one): one is string => typeof one === "string");
  const read = () => vendor.decodeLine({ endpoint, model: askedAs(model), wire: answer, asked, number });
  return readOutcome(customId, read, requestId);
}

const hasContent = (value: unknown): boolean => isRecord(value) && Object.keys(value).length > 0;

/** What the row was called when it was written, wherever the vendor keeps it. */
function idIn({ custom_id, requestId, instance }: Readonly<Fields>): string | null {
  const inner = isRecord(instance) ? instance.requestId : undefined;
  return [custom_id, requestId, inner].find((one): one is string => typeof one === "string") ?? null;
}
