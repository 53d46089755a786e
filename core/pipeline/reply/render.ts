import { asReadIn, writeJson } from "../../codec-kit/exact-json.ts";
import type { Answer } from "../../model/answer.ts";
import type { ChatResponse } from "../../model/chat.ts";
import type { CompletionResponse } from "../../model/completion.ts";
import type { EncodeContext, Format } from "../../model/format.ts";
import { framingRules } from "../stream/framing.ts";
import { chunksOf } from "./replay.ts";

export interface Rendered {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** More headers that belong to it. */
  readonly headers?: Readonly<Record<string, string>>;
}

const json = (body: unknown): Rendered => ({
  bytes: Buffer.from(writeJson(body)),
  contentType: "application/json",
});

/** An answer in the client's format; as a stream when that is what the client waits for. */
export function render(format: Format | undefined, answer: Answer, context: EncodeContext, stream: boolean): Rendered {
  if (answer.body) return renderError(format, answer.body, answer.status);
  const { response } = answer;
  if (!response || !format) return json({});
  const encoder = stream ? format.encodeStream?.(context) : undefined;
  if (!encoder)
    return format.writeBytes?.(response, context) ?? json(asReadIn(response, format.encodeResponse(response, context)));
  let text = "";
  for (const chunk of chunksOf(response as ChatResponse | CompletionResponse)) text += encoder.push(chunk);
  const { encoding, contentType } = framingRules(format.framing);
  return { bytes: Buffer.from(text + encoder.end(), encoding), contentType };
}

/** An error body with what clients of the format look for in it; `wait` is how long they are asked to, in milliseconds. */
export function renderError(
  format: Format | undefined,
  body: Readonly<Record<string, unknown>>,
  status: number,
  wait?: number,
): Rendered {
  const encoded = format?.encodeError ? format.encodeError(body, status, wait) : body;
  return format?.errorHeaders ? { ...json(encoded), headers: format.errorHeaders(encoded) } : json(encoded);
}
