import {
  GatewayError,
  raise,
  type StoragePlace,
  type Vendor,
  xmlError,
  xmlText,
} from "../../core/provider-kit/index.ts";
import type { BedrockOptions } from "./options.ts";
import { type S3Call, s3 } from "./s3.ts";

/** Bytes of a part: S3 wants 5 MiB at least in all but the last, and takes 10,000 of them. One is held at a time. */
const partBytes = 8 * 1024 * 1024;

/** Puts an object together from parts, as its bytes arrive. What is given up on the way is cleared away. Returns its bytes. */
export async function putInParts(
  options: BedrockOptions,
  vendor: Vendor,
  place: StoragePlace,
  headers: Readonly<Record<string, string>>,
  bytes: AsyncIterable<Buffer>,
): Promise<number> {
  const ask = (call: Omit<S3Call, "place">) => s3(options, vendor, { ...call, place });
  const begun = await (await ask({ method: "POST", query: "uploads=", headers })).text();
  const id = encodeURIComponent(
    xmlText(begun, "UploadId") ?? raise("upstream_invalid", "S3 began an upload without naming it."),
  );
  try {
    const tags: string[] = [];
    let total = 0;
    for await (const body of inParts(bytes)) {
      const query = `partNumber=${tags.length + 1}&uploadId=${id}`;
      const reply = await ask({ method: "PUT", query, body });
      await reply.text();
      tags.push(String(reply.headers.etag ?? raise("upstream_invalid", "S3 took a part without an ETag.")));
      total += body.length;
    }
    const body = Buffer.from(completion(tags));
    const type = { "content-type": "application/xml" };
    const answer = await (await ask({ method: "POST", query: `uploadId=${id}`, headers: type, body })).text();
    refuseError(answer);
    return total;
  } catch (error) {
    // Parts that are never put together would be paid for, and seen by nobody.
    await ask({ method: "DELETE", query: `uploadId=${id}`, afterwards: true }).catch(() => undefined);
    throw error;
  }
}

/** An object may be empty: there is always one part. */
async function* inParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  let any = false;
  for await (const piece of bytes) {
    held.push(piece);
    length += piece.length;
    if (length < partBytes) continue;
    yield Buffer.concat(held);
    any = true;
    held = [];
    length = 0;
  }
  if (length > 0 || !any) yield Buffer.concat(held);
}

const completion = (tags: readonly string[]): string =>
  `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${tags
    .map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag.replace(/[<>&]/g, "")}</ETag></Part>`)
    .join("")}</CompleteMultipartUpload>`;

/** It may begin with a 200 and end in an error. */
function refuseError(answer: string): void {
  const error = /<Error[ >]/.test(answer) ? xmlError(answer) : undefined;
  if (error)
    throw new GatewayError("upstream_failed", `bedrock: S3 could not put the parts together: ${error.message}`);
}
