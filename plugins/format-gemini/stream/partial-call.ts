import { type Fields, isRecord, putMember, raise, shown } from "../../../core/index.ts";
import { camelled } from "../fields.ts";

type Step = string | number;

/**
 * A call whose arguments come in pieces (`functionCallingConfig.streamFunctionCallArguments` of Vertex AI): the first names the function,
 * `willContinue` says that another one follows, and each of `partialArgs` is a value, or a piece of a text, at a JSON path.
 * Pieces may come in any order, so that there is no JSON of them before the last one. What of them cannot be read is `malformed_frame`:
 * a function would be called without it.
 */
export class PartialCall {
  readonly name: string;
  /** The call as its frames said it, but for the pieces. */
  #fields: Fields = {};
  /** What stands beside it in its parts. */
  #beside: Fields = {};
  readonly #args: Fields = {};

  constructor(name: string) {
    this.name = name;
  }

  get id(): unknown {
    return this.#fields.id;
  }

  /** Whether another piece is to follow. */
  add(call: Readonly<Fields>, part: Readonly<Fields>): boolean {
    const { partialArgs: pieces = [], willContinue, args, ...fields } = call;
    if (!Array.isArray(pieces)) unreadable(pieces);
    if (isRecord(args)) for (const [name, value] of Object.entries(args)) putMember(this.#args, name, value);
    for (const piece of pieces) this.#piece(piece);
    const { functionCall: _, ...beside } = part;
    this.#fields = { ...this.#fields, ...fields };
    this.#beside = { ...this.#beside, ...beside };
    return willContinue === true;
  }

  /** The part as it would have come whole. */
  whole(): Fields {
    return { ...this.#beside, functionCall: { ...this.#fields, name: this.name, args: this.#args } };
  }

  #piece(piece: unknown): void {
    const { jsonPath, willContinue, ...values } = isRecord(piece) ? camelled(piece) : unreadable(piece);
    const steps = typeof jsonPath === "string" ? stepsOf(jsonPath) : [];
    const [[kind, value] = [], ...more] = Object.entries(values);
    const last = steps.pop();
    if (last === undefined || more.length > 0) unreadable(piece);
    let at: Fields | unknown[] = this.#args;
    for (const [depth, step] of steps.entries()) at = inside(at, step, steps[depth + 1] ?? last, piece);
    const before = valueAt(at, last);
    // A text may end with a piece that says no more than that.
    if (kind === undefined && (before !== undefined || willContinue === true)) return;
    if (kind === undefined || !valueKinds.has(kind) || (typeof last === "number") !== Array.isArray(at))
      unreadable(piece);
    const text = typeof value === "string" && kind === "stringValue";
    const next = kind === "nullValue" ? null : text && typeof before === "string" ? before + value : value;
    place(at, last, next, piece);
  }
}

const valueKinds: ReadonlySet<string> = new Set(["stringValue", "numberValue", "boolValue", "nullValue"]);

/** Whether a call comes in pieces. */
export const isPartial = ({ willContinue, partialArgs }: Readonly<Fields>): boolean =>
  willContinue === true || partialArgs !== undefined;

const step = /\.([^.[\]'"]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** The steps of a path of names and indices, `$.foo.bar[0]['data']`; none of any other. */
function stepsOf(path: string): Step[] {
  const steps: Step[] = [];
  step.lastIndex = 1;
  while (path.startsWith("$") && step.lastIndex < path.length) {
    const found = step.exec(path);
    if (!found) return [];
    const [, name, index, single, double] = found;
    steps.push(index === undefined ? (name ?? (single ?? double ?? "").replace(/\\(.)/gs, "$1")) : Number(index));
  }
  return steps;
}

const valueAt = (at: Fields | unknown[], name: Step): unknown =>
  Object.hasOwn(at, name) ? (at as Record<Step, unknown>)[name] : undefined;

/** The object or the list at a step, made where there is none. */
function inside(at: Fields | unknown[], name: Step, next: Step, piece: unknown): Fields | unknown[] {
  const known = valueAt(at, name);
  const list = typeof next === "number";
  if (list ? Array.isArray(known) : isRecord(known)) return known as Fields | unknown[];
  if (known !== undefined) unreadable(piece);
  const made = list ? [] : {};
  place(at, name, made, piece);
  return made;
}

/** Members of a list come one after the other. */
function place(at: Fields | unknown[], name: Step, value: unknown, piece: unknown): void {
  if (Array.isArray(at) !== (typeof name === "number") || (Array.isArray(at) && Number(name) > at.length))
    unreadable(piece);
  putMember(at, name, value);
}

export function unreadable(piece: unknown): never {
  return raise("malformed_frame", `A piece of the arguments of a call cannot be read: ${shown(piece)}`);
}
