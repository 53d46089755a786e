import { asReadIn, type BatchError, isRecord, jsonOr, withMembers, writeJson } from "../../core/index.ts";
import { readInput } from "./input-file.ts";
import { inputLines } from "./input-lines.ts";
import { ownInputKey, PartWriter, takeoversOf } from "./output-files.ts";
import { written } from "./output-lines.ts";
import type { Headers } from "./provider-calls.ts";
import { isProblem, readLine } from "./read-line.ts";
import type { Work } from "./working.ts";

/**
 * Makes the file that the provider is given: rows that a guardrail denies are left out of it and listed among the errors,
 * rows that one redacts are rewritten (guardrails.md section 9.1).
 */
export async function guardInput(work: Work, headers: Headers): Promise<void> {
  const { batch, working, signal } = work;
  // Begun anew where it was broken off.
  const writer = new PartWriter(batch, { output: 0, error: 0 }, working.blobs);
  let denied = 0;
  const rows = async function* (): AsyncGenerator<Buffer> {
    for await (const line of inputLines(await readInput(work))) {
      if (signal.aborted) throw new Stopped();
      const row = await guarded(work, line, headers);
      if (typeof row === "string") yield Buffer.from(`${row}\n`);
      else {
        denied++;
        await writer.add("error", written(row));
      }
    }
  };
  await working.blobs.put(ownInputKey(batch), rows());
  const parts = await writer.flush();
  const inputBy = takeoversOf(batch.document);
  await batch.change(({ counts, job, progress }) => ({
    counts: { ...counts, failed: denied },
    job: { ...job, denied, ...(inputBy > 0 && { inputBy }) },
    progress: { ...progress, lines: counts.total, parts: { output: 0, error: parts.error } },
  }));
}

/** This process is to stop; somebody else goes on. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}

async function guarded(
  { working, batch }: Work,
  line: { readonly number: number; readonly text: string },
  headers: Headers,
): Promise<string | Parameters<typeof written>[0]> {
  const { asked, principal } = batch.document;
  const read = readLine(line, asked.endpoint);
  if (isProblem(read)) return refusalOf(read);
  const body = asReadIn(read.body, { ...(asked.model !== undefined && { model: asked.model }), ...read.body });
  const { status, refusal, changed } = await working.own.rehearse({
    path: asked.endpoint,
    headers: { ...headers, "content-type": "application/json" },
    principal,
    source: "batch",
    body: Buffer.from(writeJson(body)),
  });
  if (status >= 400) return { customId: read.customId, status, requestId: "", body: refusal ?? {} };
  const wire = jsonOr(line.text);
  if (!changed && read.body.model !== undefined) return line.text.replace(/\r$/, "");
  return writeJson(isRecord(wire) ? withMembers(wire, { body: changed ?? body }) : { body: changed ?? body });
}

const refusalOf = ({ message, code, param }: BatchError) => ({
  customId: "",
  status: 400,
  requestId: "",
  body: { error: { message, type: "invalid_request_error", param: param ?? null, code: code ?? null } },
});
