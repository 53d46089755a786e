import { type Fields, isRecord } from "../../codec-kit/records.ts";
import { raise } from "../../errors/gateway-error.ts";
import type { BatchOutcome } from "../../model/batch.ts";
import type { Vendor } from "../../model/procedure.ts";
import type { ByteAnswer, Named } from "../../model/stored-file.ts";
import { type JsonLine, outcomeLine, readOutcome, vendorLines, writtenLines } from "../json-lines.ts";

/** The results of a batch that has ended, each as a line of OpenAI's (inference-api.md section 16.2). */
export async function outputOf({ id }: Named, vendor: Vendor): Promise<ByteAnswer> {
  const path = `/messages/batches/${encodeURIComponent(id)}`;
  const { processing_status: status } = await (await vendor.call({ method: "GET", path })).json();
  if (status !== "ended")
    raise("invalid_request", `The batch is ${status}: it has an output when it has ended.`, { param: "batch_id" });
  // `results_url` leads here as well; a credential follows no address that an answer names.
  const reply = await vendor.call({ method: "GET", path: `${path}/results` });
  return {
    contentType: "application/octet-stream",
    content: writtenLines(translated(vendorLines(reply.bytes()), id, vendor)),
  };
}

async function* translated(lines: AsyncIterable<JsonLine>, id: string, vendor: Vendor): AsyncGenerator<Fields> {
  for await (const line of lines) yield { ...outcomeLine(outcomeOf(line, vendor), `${id}_${line.number}`) };
}

function outcomeOf({ number, wire }: JsonLine, vendor: Vendor): BatchOutcome {
  const { custom_id, result } = wire;
  const customId = typeof custom_id === "string" ? custom_id : null;
  const { type, message, error } = isRecord(result) ? result : {};
  if (type === "succeeded" && isRecord(message)) {
    const model = typeof message.model === "string" ? message.model : "";
    const endpoint = "/v1/chat/completions";
    const requestId = typeof message.id === "string" ? message.id : undefined;
    return readOutcome(customId, () => vendor.decodeLine({ endpoint, model, wire: message, number }), requestId);
  }
  return { customId, error: errorOf(String(type), error) };
}

/** `{type: "error", error: {type, message}}` of a request that failed; others were cancelled, or came too late. */
function errorOf(type: string, error: unknown): NonNullable<BatchOutcome["error"]> {
  const inner = isRecord(error) && isRecord(error.error) ? error.error : error;
  if (!isRecord(inner)) return { code: type, message: `The request is ${type}.` };
  return { code: String(inner.type ?? type), message: String(inner.message ?? type) };
}
