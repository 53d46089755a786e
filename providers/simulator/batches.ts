import type { Files } from "./files.ts";
import { isRecord, Refusal, textIn, type Wire } from "./wire.ts";
import { created, digestOf } from "./words.ts";

/** Batches that are remembered; the oldest are forgotten. */
const mostBatches = 100;
/** Lines of a batch: they are done at once, in the middle of everything else. */
const mostLines = 1_000;

/** Answers one line: the status, and the body of the answer or of the error. */
export type AnswerLine = (url: string, body: Wire) => { readonly status: number; readonly body: Wire };

/** Batches that are done as soon as they are made. */
export class Batches {
  readonly #kept = new Map<string, Wire & { readonly id: string }>();
  readonly #files: Files;
  readonly #answer: AnswerLine;

  constructor(files: Files, answer: AnswerLine) {
    this.#files = files;
    this.#answer = answer;
  }

  create(wire: Wire): Wire {
    const { input_file_id: input, endpoint, completion_window: window, metadata = null } = wire;
    if (typeof input !== "string") throw new Refusal(400, "input_file_id is required.");
    if (typeof endpoint !== "string") throw new Refusal(400, "endpoint is required.");
    const { bytes } = this.#files.find(input);
    const lines = bytes
      .toString()
      .split("\n")
      .filter((line) => line.trim() !== "");
    if (lines.length > mostLines) throw new Refusal(400, `A simulated batch has at most ${mostLines} lines.`);
    const id = `batch_${digestOf(JSON.stringify(wire), bytes).slice(0, 24)}`;
    const done = lines.map((line, at) => this.#lineDone(line, endpoint, `batch_req_${id.slice(6)}_${at + 1}`));
    const failed = done.filter(({ ok }) => !ok);
    const fileOf = (kind: string, all: typeof done): string | null =>
      all.length === 0
        ? null
        : this.#files.keep(
            `${id}_${kind}.jsonl`,
            "batch_output",
            Buffer.from(all.map(({ line }) => `${line}\n`).join("")),
          ).id;
    const batch = {
      id,
      object: "batch",
      endpoint,
      errors: null,
      input_file_id: input,
      completion_window: typeof window === "string" ? window : "24h",
      status: "completed",
      output_file_id: fileOf(
        "output",
        done.filter(({ ok }) => ok),
      ),
      error_file_id: fileOf("error", failed),
      created_at: created,
      in_progress_at: created,
      finalizing_at: created,
      completed_at: created,
      request_counts: { total: done.length, completed: done.length - failed.length, failed: failed.length },
      metadata,
    };
    this.#kept.delete(id);
    this.#kept.set(id, batch);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostBatches && oldest !== undefined) this.#kept.delete(oldest);
    return batch;
  }

  #lineDone(line: string, endpoint: string, id: string): { readonly ok: boolean; readonly line: string } {
    const asked = parsed(line);
    const customId = textIn(asked?.custom_id) || null;
    const body = asked?.body;
    const { status, body: answer } =
      isRecord(body) && asked?.url === endpoint
        ? this.#answer(endpoint, body)
        : refused(`A line must be {custom_id, method, url: "${endpoint}", body}.`);
    const response = { status_code: status, request_id: id.replace("batch_", ""), body: answer };
    return { ok: status < 400, line: JSON.stringify({ id, custom_id: customId, response, error: null }) };
  }

  find(id: string): Wire {
    const found = this.#kept.get(id);
    if (found) return found;
    throw new Refusal(404, `No batch found with id '${id}'.`);
  }

  /** What is done cannot be undone. */
  cancel(id: string): never {
    throw new Refusal(409, `Cannot cancel the batch ${textIn(this.find(id).id)}: it is completed.`);
  }

  /** The newest first. */
  list(): readonly (Wire & { readonly id: string })[] {
    return [...this.#kept.values()].reverse();
  }
}

const refused = (message: string) => ({
  status: 400,
  body: { error: { message, type: "invalid_request_error", param: null, code: null } },
});

function parsed(line: string): Wire | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
