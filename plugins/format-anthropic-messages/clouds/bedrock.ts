import {
  awsModelErrors,
  type EncodeContext,
  type ErrorDetail,
  eventFrame,
  exceptionEvent,
  exceptionIn,
  type Fields,
  type Format,
  type PathContext,
  percentDecoded,
  type StreamDecoder,
  type StreamEncoder,
} from "../../../core/index.ts";
import { decodeError, encodeError } from "../errors.ts";
import { anthropicMessages } from "../format.ts";
import { withTooLong } from "../prompt-too-long.ts";
import { decodeStream as decodeEvents } from "../stream/decode-stream.ts";
import { encodeStream as encodeEvents } from "../stream/encode-stream.ts";
import { dialectAt } from "./dialect.ts";

/**
 * `/model/MODEL/invoke` and `/invoke-with-response-stream`, as AWS's and Anthropic's SDKs ask for Claude
 * (docs.aws.amazon.com, "Anthropic Claude Messages API"; @anthropic-ai/bedrock-sdk 1.1). A name may hold slashes.
 */
export const invoking = /^(?:\/v1)?\/model\/([^?]+)\/invoke(-with-response-stream)?\/?(?:\?|$)/;

function readUrl(url: string): { model?: string; stream?: boolean } {
  const [, name, streams] = invoking.exec(url) ?? [];
  return name === undefined ? {} : { model: percentDecoded(name), stream: streams !== undefined };
}

const path = ({ model, stream }: PathContext): string =>
  `/model/${encodeURIComponent(model)}/invoke${stream ? "-with-response-stream" : ""}`;

const { asides: _, terminator: __, marks: ___, jobs: ____, ...shared } = anthropicMessages;

/** Each event is two lines and an empty one, and its data holds no end of a line; here it is a chunk with base64 in it. */
const framed = (written: string): string =>
  written.replace(/event: [^\n]*\ndata: ([^\n]*)\n\n/g, (_event, data: string) =>
    eventFrame("chunk", `{"bytes":"${Buffer.from(data).toString("base64")}"}`),
  );

function encodeStream(context: EncodeContext): StreamEncoder {
  const encoder = encodeEvents(context);
  return {
    push: (chunk) => framed(encoder.push(chunk)),
    end: () => framed(encoder.end()),
    fail: (error) => (encoder.fail(error) === "" ? "" : awsModelErrors.streamException(worded(error))),
  };
}

const worded = (error: ErrorDetail): ErrorDetail => ({ ...error, message: withTooLong(error, error.status) });

/** What the framing reports as wrong is an error of the stream. */
function decodeStream(): StreamDecoder {
  const decoder = decodeEvents();
  return {
    *push(event) {
      if (event.event === exceptionEvent) yield { type: "error", error: exceptionIn(event) };
      else yield* decoder.push(event);
    },
    end: () => decoder.end(),
  };
}

/** Anthropic's words for what is wrong, where AWS's clients look for it. */
function encodeAwsError(body: Fields, status?: number): Fields {
  const { error } = encodeError(body, status);
  return awsModelErrors.encodeError({ ...body, error }, status);
}

/** The Messages API as Bedrock has it invoked. */
export const messagesAtBedrock: Format<"chat"> = {
  ...shared,
  ...dialectAt("bedrock", "bedrock-2023-05-31", anthropicMessages),
  framing: "aws-event-stream",
  readUrl,
  encodeStream,
  decodeStream,
  decodeError: (wire) => decodeError(wire) ?? awsModelErrors.decodeError(wire),
  encodeError: encodeAwsError,
  errorHeaders: awsModelErrors.errorHeaders,
  requestIdHeader: "x-amzn-requestid",
  upstream: { path },
};
