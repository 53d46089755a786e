import { type BatchError, type Fields, isRecord, jsonOr } from "../../core/index.ts";
import type { InputLine } from "./input-lines.ts";

/** A request of a batch. */
export interface AskedLine {
  readonly number: number;
  readonly customId: string;
  readonly body: Readonly<Fields>;
}

const longestId = 512;

/** What a line asks, or what is wrong with it. */
export function readLine(
  { number, text }: Pick<InputLine, "number" | "text">,
  endpoint: string,
): AskedLine | BatchError {
  const wrong = (code: string, message: string, param?: string): BatchError => ({
    code,
    line: number,
    message,
    ...(param !== undefined && { param }),
  });
  const wire = jsonOr(text);
  if (!isRecord(wire)) return wrong("invalid_json_line", "The line is not a JSON object.");
  const { custom_id: customId, method = "POST", url, body } = wire;
  if (typeof customId !== "string" || customId === "" || customId.length > longestId)
    return wrong(
      "missing_required_parameter",
      `custom_id must be a string of 1 to ${longestId} characters.`,
      "custom_id",
    );
  if (method !== "POST")
    return wrong("invalid_method", `method must be POST, not ${JSON.stringify(method)}.`, "method");
  if (url !== endpoint)
    return wrong(
      "mismatched_url",
      `url must be the endpoint of the batch, "${endpoint}", not ${JSON.stringify(url)}.`,
      "url",
    );
  if (!isRecord(body)) return wrong("missing_required_parameter", "body must be an object.", "body");
  if (body.stream === true)
    return wrong("invalid_stream", "body.stream must be false: a batch is not streamed.", "body.stream");
  return { number, customId, body };
}

export const isProblem = (line: AskedLine | BatchError): line is BatchError => !("customId" in line);
