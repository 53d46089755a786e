import {
  type BatchOutcome,
  type ByteAnswer,
  type Fields,
  filenameOf,
  isRecord,
  type JsonLine,
  outcomeLine,
  raise,
  readOutcome,
  type Vendor,
  vendorLines,
  writtenLines,
} from "../../core/provider-kit/index.ts";
import { completionOf } from "./family-answers.ts";
import { inputUri, uriIn } from "./jobs.ts";
import { endpointOf } from "./lines.ts";
import type { BedrockOptions } from "./options.ts";
import { familyOf } from "./prompt-families.ts";
import { s3 } from "./s3.ts";
import { storageOf } from "./storage.ts";

/** The records of a job, each as a line of OpenAI's: `{outputUri}{jobId}/{input}.out` (providers.md section 9.9). */
export async function outputOf(job: Readonly<Fields>, options: BedrockOptions, vendor: Vendor): Promise<ByteAnswer> {
  const { status, outputDataConfig } = job;
  const folder = isRecord(outputDataConfig) ? uriIn(outputDataConfig.s3OutputDataConfig) : undefined;
  const input = inputUri(job);
  if (folder === undefined || input === undefined || !/Completed$/.test(String(status)))
    return raise("invalid_request", `The job is ${status}: it has an output when it is completed.`, {
      param: "batch_id",
    });
  const id = filenameOf(String(job.jobArn));
  const uri = `${folder.replace(/\/*$/, "")}/${id}/${filenameOf(input)}.out`;
  const reply = await s3(options, vendor, { method: "GET", place: storageOf(options).read(uri, "output") });
  return {
    contentType: "application/octet-stream",
    content: writtenLines(translated(vendorLines(reply.bytes()), id, String(job.modelId), vendor)),
  };
}

async function* translated(
  lines: AsyncIterable<JsonLine>,
  id: string,
  model: string,
  vendor: Vendor,
): AsyncGenerator<Readonly<Fields>> {
  for await (const line of lines) yield outcomeLine(outcomeOf(line, id, model, vendor), `${id}_${line.number}`);
}

/** `{recordId, modelInput, modelOutput}`, or `{recordId, modelInput, error: {errorCode, errorMessage}}`. */
function outcomeOf({ number, wire }: JsonLine, job: string, model: string, vendor: Vendor): BatchOutcome {
  const { recordId, modelInput: asked, modelOutput: answer, error } = wire;
  const customId = typeof recordId === "string" ? recordId : null;
  if (isRecord(error))
    return {
      customId,
      error: {
        code: String(error.errorCode ?? "batch_line_failed"),
        message: String(error.errorMessage ?? "It failed."),
      },
    };
  if (!isRecord(answer))
    return { customId, error: { code: "upstream_invalid", message: "The record has neither an answer nor an error." } };
  const endpoint = endpointOf(model);
  const family = familyOf(model);
  if (!family || endpoint !== "/v1/chat/completions")
    return readOutcome(customId, () => vendor.decodeLine({ endpoint, model, wire: answer, asked, number }));
  return readOutcome(customId, () => {
    const said = family.decode(answer) ?? raise("upstream_invalid", "The record's answer has no text.");
    return completionOf(said, { id: `${job}_${number}`, model, created: vendor.now });
  });
}
