import {
  type Fields,
  fieldsBeyond,
  inputBegin,
  inputEnd,
  inputPiece,
  isRecord,
  type StreamChunk,
} from "../../../core/index.ts";
import { extraOf, type WireExtra } from "../extra.ts";
import type { callIds } from "../response/call-ids.ts";
import { argumentsText } from "../response/decode-response.ts";
import { customCall, functionCall, toolCall } from "../wire.ts";

interface OpenCall {
  readonly part: number;
  readonly ordinal: number;
  /** The number that the vendor gave it. */
  readonly index: number | undefined;
  id: string;
  name: string;
  /** Arguments that arrived before id and name were known. */
  pending: string;
  started: boolean;
  /** A call of a tool for free text, whose arguments are closed when it is. */
  custom?: "open" | "closed";
  extra?: WireExtra;
}

const nonEmpty = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * The tool calls of one choice. Vendors differ: ids and names come late, are repeated or missing, indexes are missing
 * or all 0. A call starts when its id and its name are known; what came before waits.
 */
export class ToolCallDecoder {
  readonly #choice: number;
  readonly #nextPart: () => number;
  readonly #idOf: ReturnType<typeof callIds>;
  readonly #calls: OpenCall[] = [];
  /** Those whose id is known, by it. */
  readonly #byId = new Map<string, OpenCall[]>();
  readonly #byIndex = new Map<number, OpenCall>();

  constructor(choice: number, nextPart: () => number, idOf: ReturnType<typeof callIds>) {
    this.#idOf = idOf;
    this.#choice = choice;
    this.#nextPart = nextPart;
  }

  /** Whether the model has called anything. */
  get any(): boolean {
    return this.#calls.length > 0;
  }

  push(deltas: readonly unknown[], chunks: StreamChunk[]): void {
    for (const delta of deltas) if (isRecord(delta)) this.#advance(delta, chunks);
  }

  /** The choice has finished: calls that never got an id get one, and free texts are complete. */
  flush(chunks: StreamChunk[]): void {
    for (const call of this.#calls) {
      if (!call.started) {
        if (call.id === "") this.#identify(call, this.#idOf(this.#choice, call.ordinal));
        this.#start(call, chunks);
      }
      if (call.custom !== "open") continue;
      call.custom = "closed";
      chunks.push({ type: "tool-call-delta", choice: this.#choice, part: call.part, arguments: inputEnd });
    }
  }

  #advance(delta: Fields, chunks: StreamChunk[]): void {
    const named: Fields = isRecord(delta.function) ? delta.function : isRecord(delta.custom) ? delta.custom : {};
    const id = nonEmpty(delta.id);
    const name = nonEmpty(named.name);
    const call = this.#find(typeof delta.index === "number" ? delta.index : undefined, id, name);
    if (isRecord(delta.custom)) call.custom ??= "open";
    if (!call.started) {
      if (call.id === "" && id !== "") this.#identify(call, id);
      if (name !== call.name) call.name += name;
      remember(call, delta, named);
    }
    const text = call.custom ? inputPiece(nonEmpty(named.input)) : argumentsText(named.arguments);
    if (!call.started) call.pending += text;
    else if (text !== "")
      chunks.push({ type: "tool-call-delta", choice: this.#choice, part: call.part, arguments: text });
    if (!call.started && call.id !== "" && call.name !== "") this.#start(call, chunks);
  }

  #find(index: number | undefined, id: string, name: string): OpenCall {
    // One id under two names is two calls: some vendors count ids anew for every function.
    const isSame = (call: OpenCall) => name === "" || !call.started || call.name === name;
    const sameId = this.#byId.get(id)?.find(isSame);
    const known = index === undefined ? this.#calls.at(-1) : this.#byIndex.get(index);
    if (!known) return sameId && !this.#isNumbered(sameId, name) ? sameId : this.#open(index);
    if (id !== "" && known.id !== "" && id !== known.id) {
      // A new id with a name is another call; without one, the vendor makes up an id for every frame.
      return name === "" && index !== undefined ? known : (sameId ?? this.#open(index));
    }
    if (index === undefined && id === "" && name !== "" && known.name !== "") return this.#open(index);
    return known;
  }

  /** Under a number of its own, and named again, a call of the same id is another one: vendors give several the same. */
  #isNumbered(call: OpenCall, name: string): boolean {
    return name !== "" && call.index !== undefined && this.#byIndex.get(call.index) === call;
  }

  #open(index: number | undefined): OpenCall {
    const ordinal = this.#calls.length;
    const call: OpenCall = { part: this.#nextPart(), ordinal, id: "", name: "", pending: "", started: false, index };
    this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }

  #identify(call: OpenCall, id: string): void {
    call.id = id;
    const known = this.#byId.get(id);
    if (known) known.push(call);
    else this.#byId.set(id, [call]);
  }

  #start(call: OpenCall, chunks: StreamChunk[]): void {
    call.started = true;
    const choice = this.#choice;
    const { part, id, name, extra } = call;
    const custom = call.custom && ({ custom: true } as const);
    chunks.push({ type: "tool-call-start", choice, part, id, name, ...custom, ...(extra && { extra }) });
    const begun = (custom ? inputBegin : "") + call.pending;
    if (begun !== "") chunks.push({ type: "tool-call-delta", choice, part, arguments: begun });
    call.pending = "";
  }
}

function remember(call: OpenCall, delta: Fields, named: Fields): void {
  const { index: _, custom: __, ...outer } = fieldsBeyond(delta, toolCall);
  if (nonEmpty(delta.type) !== "" && delta.type !== "function" && delta.type !== "custom") outer.type = delta.type;
  const { extra } = isRecord(delta.custom)
    ? extraOf(fieldsBeyond(named, customCall.shape.custom), outer, "custom")
    : extraOf(fieldsBeyond(named, functionCall), outer);
  if (extra) call.extra = extra;
}
