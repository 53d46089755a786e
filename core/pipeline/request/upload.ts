import { PassThrough, type Readable } from "node:stream";
import { formParts, type StreamedPart } from "../../codec-kit/forms/form-stream.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { SaidOfFile } from "../../model/client-procedure.ts";
import type { Report } from "../../model/procedure.ts";
import type { FileUpload, UploadedFile } from "../../model/stored-file.ts";
import { timerFor } from "../../time/longest-timer.ts";
import type { ClientBody, Road } from "../road.ts";

/**
 * The client's body as it arrives. A stream of its own, because a failed call destroys the stream it was given, and the
 * client's connection is still needed for the answer.
 */
export function streamOf(body: ClientBody, { limit, patience }: UploadLimits): PassThrough {
  if (body.taken) throw new GatewayError("internal", "A streamed request body cannot be sent twice.");
  body.taken = true;
  body.invite?.();
  const upload = new PassThrough();
  // Whoever reads it is told by its end; nobody may be reading it any more.
  upload.on("error", () => undefined);
  let length = 0;
  body.stream.on("data", (bytes: Buffer) => {
    length += bytes.length;
    if (length > limit) upload.destroy(new GatewayError("body_too_large", tooLarge(limit)));
  });
  body.stream.on("error", (error) => upload.destroy(error));
  if (patience > 0) giveUpSilent(body.stream, upload, patience);
  body.stream.pipe(upload);
  // A vendor may have heard enough before the client has said all, which may not read before: the rest goes nowhere. What
  // is not piped any more is paused by node, so this is listened for behind it.
  return upload.once("close", () => body.stream.resume());
}

/** A client that sends nothing is not waited for; one that waits for the vendor to take more is. */
function giveUpSilent(client: Readable, upload: PassThrough, milliseconds: number): void {
  const timer = setTimeout(() => {
    if (client.isPaused()) return void timer.refresh();
    upload.destroy(new GatewayError("body_timeout", `The body was silent for ${milliseconds} ms.`));
  }, timerFor(milliseconds));
  client.on("data", () => timer.refresh());
  for (const over of ["end", "close"]) client.once(over, () => clearTimeout(timer));
  upload.once("close", () => clearTimeout(timer));
}

export interface UploadLimits {
  /** Bytes of a body at most. */
  readonly limit: number;
  /** Milliseconds a client may be silent; 0 is for ever. */
  readonly patience: number;
}

export const uploadLimits = ({ settings }: Road): UploadLimits => ({
  limit: settings.uploadBodyBytes,
  patience: settings.bodyTimeout,
});

const tooLarge = (limit: number) => `The body is larger than ${limit} bytes (server.limits.uploadBodyBytes).`;

/** Refuses a body that is no form. */
export function formTypeOf({ contentType }: ClientBody): string {
  if (contentType !== undefined && /^multipart\/form-data\b/i.test(contentType.trim())) return contentType;
  throw new GatewayError(
    "invalid_request",
    `The body must be a form: send content-type multipart/form-data, not ${contentType ?? "none"}.`,
    { param: "content-type" },
  );
}

/** A file on its way from the client. */
export function fileUpload(body: ClientBody, limits: UploadLimits, said: SaidOfFile, report: Report): FileUpload {
  const contentType = formTypeOf(body);
  const { size } = said;
  return {
    ...(size !== undefined && { size }),
    form: () => ({ contentType, contentLength: body.contentLength, bytes: streamOf(body, limits) }),
    file: (assumed, keeps) => fileIn(formParts(streamOf(body, limits), contentType), assumed, said, { keeps, report }),
  };
}

/** Fields beside the file that are kept, at most. */
const mostFields = 16;
/** Characters of a field beside the file at most. */
const longestField = 4_096;

async function fileIn(
  parts: AsyncGenerator<StreamedPart>,
  assumed: string,
  { purpose: inHeader, purposeHeader: header }: SaidOfFile,
  { keeps, report }: { readonly keeps: ((field: string) => boolean) | undefined; readonly report: Report },
): Promise<UploadedFile> {
  let purpose = inHeader;
  const fields = new Map<string, string>();
  const other = async (part: StreamedPart): Promise<void> => {
    if (!keeps?.(part.name)) report(part.name);
    else if (fields.size < mostFields) fields.set(part.name, await textOf(part));
  };
  const later = keeps?.("purpose") ? (said: string) => void fields.set("purpose", said) : undefined;
  for (;;) {
    const { done, value: part } = await parts.next();
    if (done) throw new GatewayError("invalid_request", "file is required and must be a file.", { param: "file" });
    if (part.name === "file") {
      if (part.filename === undefined)
        throw new GatewayError("invalid_request", "file must be a file, with a filename.", { param: "file" });
      const { filename, contentType, bytes } = part;
      const taken = purpose ?? assumed;
      return {
        filename,
        contentType,
        purpose: taken,
        fields,
        bytes: rest(parts, bytes, { purpose: taken, known: purpose !== undefined, header, other, later }),
      };
    }
    if (part.name === "purpose") purpose = agreed(await textOf(part), inHeader);
    else await other(part);
  }
}

/** A header and a field that say different things are a mistake, whichever is meant. */
function agreed(field: string, header: string | undefined): string {
  if (header === undefined || header === field) return field;
  throw new GatewayError("invalid_request", `purpose is "${field}" in the form and "${header}" in the header.`, {
    param: "purpose",
  });
}

interface Taken {
  readonly purpose: string;
  /** It was said in front of the file. */
  readonly known: boolean;
  readonly header: string;
  /** What is done with any other field. */
  readonly other: (part: StreamedPart) => Promise<void>;
  /** Takes a purpose that stands behind the file, whatever that was taken for; absent where nobody could. */
  readonly later: ((purpose: string) => void) | undefined;
}

/** The bytes of the file, and then the fields behind it, which may say that it was meant for something else. */
async function* rest(
  parts: AsyncGenerator<StreamedPart>,
  bytes: AsyncIterable<Buffer>,
  { purpose, known, header, other, later }: Taken,
): AsyncGenerator<Buffer> {
  yield* bytes;
  let said = known;
  for (;;) {
    const { done, value: part } = await parts.next();
    if (done) break;
    if (part.name !== "purpose") {
      await other(part);
      continue;
    }
    const behind = await textOf(part);
    said = true;
    if (behind === purpose) continue;
    if (later && !known) later(behind);
    else
      throw new GatewayError(
        "invalid_request",
        `purpose "${behind}" stands behind the file, which was taken for "${purpose}": put it in front, or into ${header}.`,
        { param: "purpose" },
      );
  }
  if (!said)
    throw new GatewayError("invalid_request", "purpose is required and must be a string.", { param: "purpose" });
}

async function textOf({ name, bytes }: StreamedPart): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > longestField)
      throw new GatewayError("invalid_request", `${name} must have at most ${longestField} bytes.`, { param: name });
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
