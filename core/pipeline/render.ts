import type { Answer } from "../model/answer.ts";
import type { ChatResponse } from "../model/chat.ts";
import type { CompletionResponse } from "../model/completion.ts";
import type { EncodeContext, Format } from "../model/format.ts";
import { chunksOf } from "./replay.ts";

export interface Rendered {
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** What a stream in a format is sent as. */
export const streamType = ({ framing }: Format): string =>
  framing === "json-list" ? "application/json; charset=utf-8" : "text/event-stream; charset=utf-8";

const json = (body: unknown): Rendered => ({
  bytes: Buffer.from(JSON.stringify(body)),
  contentType: "application/json",
});

/** An answer in the client's format; as a stream when that is what the client waits for. */
export function render(format: Format | undefined, answer: Answer, context: EncodeContext, stream: boolean): Rendered {
  if (answer.body) return renderError(format, answer.body);
  const { response } = answer;
  if (!response || !format) return json({});
  const encoder = stream ? format.encodeStream?.(context) : undefined;
  if (!encoder) return json(format.encodeResponse(response, context));
  let text = "";
  for (const chunk of chunksOf(response as ChatResponse | CompletionResponse)) text += encoder.push(chunk);
  return { bytes: Buffer.from(text + encoder.end()), contentType: streamType(format) };
}

/** An error body with what clients of the format look for in it. */
export const renderError = (format: Format | undefined, body: Readonly<Record<string, unknown>>): Rendered =>
  json(format?.encodeError ? format.encodeError(body) : body);
