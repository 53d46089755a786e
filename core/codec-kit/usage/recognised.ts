import type { Format } from "../../model/format.ts";
import type { Usage } from "../../model/usage.ts";
import { type Fields, isRecord } from "../records.ts";

/** What an answer of which nobody knows the format says about what it used. */
export interface Recognised {
  readonly usage?: Usage;
  /** The model it says it is from. */
  readonly model?: string;
}

/** The format whose marks a JSON answer has, or an event of a stream. */
export function formatOfAnswer(wire: unknown, formats: Iterable<Format>): Format | undefined {
  if (!isRecord(wire)) return undefined;
  for (const format of formats)
    if (format.marks?.some((members) => members.every((path) => at(wire, path) !== undefined))) return format;
  return undefined;
}

/** Reads a whole answer by its marks. Empty where it has none: what is not recognised is not known. */
export function recognised(wire: unknown, formats: Iterable<Format>): Recognised {
  const usage = formatOfAnswer(wire, formats)?.readUsage(wire);
  const model = modelNamed(wire);
  return { ...(usage && { usage }), ...(model !== undefined && { model }) };
}

const modelPaths = ["model", "modelVersion", "message.model", "response.model"];

/** The model that an answer, or an event of a stream, says it is from. */
export function modelNamed(wire: unknown): string | undefined {
  if (!isRecord(wire)) return undefined;
  const named = modelPaths.map((path) => at(wire, path)).find((value) => typeof value === "string" && value !== "");
  return named as string | undefined;
}

/** A member by its dotted path; null is as good as none. */
function at(wire: Fields, path: string): unknown {
  let value: unknown = wire;
  for (const name of path.split(".")) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value ?? undefined;
}
