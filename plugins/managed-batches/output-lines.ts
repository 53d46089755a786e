import { randomUUID } from "node:crypto";
import { type Fields, isRecord, jsonOr, withMembers, writeJson } from "../../core/index.ts";

/** What became of a line. */
export interface LineDone {
  readonly customId: string;
  readonly status: number;
  /** The name of the request in logs. */
  readonly requestId: string;
  readonly body: Readonly<Fields>;
}

export const isGood = (status: number): boolean => status >= 200 && status < 300;

/** A line of output, as OpenAI writes it. */
export const written = ({ customId, status, requestId, body }: LineDone): string =>
  `${writeJson({
    id: `batch_req_${randomUUID().replaceAll("-", "")}`,
    custom_id: customId,
    response: { status_code: status, request_id: requestId, body },
    error: null,
  })}\n`;

/** A line of output that a provider wrote. */
export interface GivenLine {
  readonly wire: Readonly<Fields>;
  readonly customId: string | undefined;
  /** The body of an answer; absent of a line that failed. */
  readonly body?: Readonly<Fields>;
}

export function readGiven(text: string): GivenLine | undefined {
  const wire = jsonOr(text);
  if (!isRecord(wire)) return undefined;
  const customId = typeof wire.custom_id === "string" ? wire.custom_id : undefined;
  const { response } = wire;
  const isAnswer = isRecord(response) && isRecord(response.body) && isGood(Number(response.status_code)) && !wire.error;
  return { wire, customId, ...(isAnswer && { body: response.body as Fields }) };
}

/** The same line with another answer in it. */
export function withAnswer({ wire }: GivenLine, status: number, body: Readonly<Fields>): string {
  const response = isRecord(wire.response) ? wire.response : {};
  return `${writeJson(withMembers(wire, { response: { ...response, status_code: status, body } }))}\n`;
}
