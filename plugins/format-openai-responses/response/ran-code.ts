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

/** Code and what comes of it are two parts, mostly, and one item here: the code waits. */
export class Runs {
  #code: RanCode | undefined;

  get waiting(): boolean {
    return this.#code !== undefined;
  }

  /** The item that is complete with this part, if one is. */
  add(ran: RanCode, id: string): Fields | undefined {
    if (ran.output !== undefined) return interpreterCall(id, this.#taken() ?? ran, ran);
    this.#code = ran;
    return undefined;
  }

  /** Of code that waits nothing more comes. */
  flush(id: string): Fields | undefined {
    const code = this.#taken();
    return code && interpreterCall(id, code);
  }

  #taken(): RanCode | undefined {
    const code = this.#code;
    this.#code = undefined;
    return code;
  }
}

/** Whether it says what came of code that was told before. */
export function isResult(chunk: StreamChunk): boolean {
  const ran = chunk.type === "part" && chunk.value.type === "opaque" ? chunk.value.ran : undefined;
  return ran !== undefined && ran.code === undefined;
}
