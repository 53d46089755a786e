import type { Answer, OperationName } from "../../core/index.ts";
import { isResponse } from "./answer-shape.ts";
import { digestOf } from "./digest.ts";

/** `sluice-answer 1 <digest>`, a line end, and the JSON the digest is over. Other versions count as unreadable. */
const head = /^sluice-answer 1 ([\da-f]{64})\n/;
const headLength = "sluice-answer 1 ".length + 64 + 1;

/** An answer as it is kept. The digest covers its key as well: an entry is worth nothing under another one. */
export function entryOf(key: string, operation: OperationName, { status, response }: Answer): Buffer {
  const text = JSON.stringify({ status, operation, response });
  return Buffer.from(`sluice-answer 1 ${digestOf([key, text])}\n${text}`);
}

/** The answer kept under a key; undefined when what is there is not whole, of another version, or not an answer. */
export function answerIn(key: string, operation: OperationName, entry: Buffer): Answer | undefined {
  const [, digest] = head.exec(entry.toString("latin1", 0, headLength)) ?? [];
  const text = entry.toString("utf8", headLength);
  if (digest === undefined || digest !== digestOf([key, text])) return undefined;
  try {
    const kept: unknown = JSON.parse(text);
    if (typeof kept !== "object" || kept === null) return undefined;
    const { status, operation: of, response } = kept as Partial<Record<string, unknown>>;
    if (of !== operation || !isSuccess(status) || !isResponse(operation, response)) return undefined;
    return { kind: "answer", status, response };
  } catch {
    return undefined;
  }
}

/** The status of a vendor's answer that no check has found fault with. */
export const isSuccess = (status: unknown): status is number =>
  typeof status === "number" && Number.isInteger(status) && status >= 200 && status <= 299 && status !== foundFaulty;

/** An answer that was let through although a check failed. */
const foundFaulty = 246;
