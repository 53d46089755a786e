import { type Fields, isRecord, writeJson } from "../../../core/index.ts";
import { objectIn } from "../fields.ts";

export interface ReadResponse {
  readonly text: string;
  readonly isError?: true;
  /** The object as it was written, where the text alone would be written differently. */
  readonly written?: Readonly<Fields>;
}

/** `{output: text}` and `{error: text}` are what this format writes itself; any other object is shown as its JSON. */
export function readResponse(value: unknown, path: string): ReadResponse {
  const response = isRecord(value) ? value : objectIn(value, path);
  const [first] = Object.entries(response);
  const [name, text] = first ?? [];
  if (Object.keys(response).length === 1 && typeof text === "string") {
    if (name === "output") return { text };
    if (name === "error") return { text, isError: true };
    if (name === "result") return { text, written: response };
  }
  return { text: writeJson(response), written: response };
}

/** The object for a text. What the client wrote goes back as it was, as long as it still says the same. */
export function writeResponse(text: string, isError: boolean, written: unknown): Readonly<Fields> {
  if (isRecord(written) && !isError && readResponse(written, "").text === text) return written;
  return isError ? { error: text } : { output: text };
}
