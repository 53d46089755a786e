import { type Fields, isRecord, type RanCode, type StreamChunk, unsigned } from "../../../core/index.ts";

/** Code that another vendor ran, and what came of it, as a call of this one's interpreter: in no container that it knows. */
const interpreterCall = (id: string, code: RanCode | undefined, result?: RanCode): Fields => ({
  type: "code_interpreter_call",
  id,
  status: result?.failed ? "failed" : "completed",
  code: code?.code ?? null,
  container_id: unsigned,
  outputs: result ? [{ type: "logs", logs: result.output ?? "" }] : null,
});

/** Whether it is such an item: the vendor knows nothing of it. */
export const isRanElsewhere = (value: unknown): boolean => isRecord(value) && value.container_id === unsigned;

/** Code and what comes of it are two parts, and one item here: the code waits. */
export class Runs {
  #code: RanCode | undefined;

  get waiting(): boolean {
    return this.#code !== undefined;
  }

  /** The item that is complete with this part, if one is. */
  add(ran: RanCode, id: string): Fields | undefined {
    const before = this.#code;
    this.#code = ran.code === undefined ? undefined : ran;
    if (ran.code === undefined) return interpreterCall(id, before, ran);
    return before && interpreterCall(id, before);
  }

  /** Of code that waits nothing more comes. */
  flush(id: string): Fields | undefined {
    const code = this.#code;
    this.#code = undefined;
    return code && interpreterCall(id, code);
  }
}

export const isRun = (chunk: StreamChunk): boolean =>
  chunk.type === "part" && chunk.value.type === "opaque" && chunk.value.ran !== undefined;
