import type { VendorReply } from "../model/procedure.ts";
import type { ByteAnswer } from "../model/stored-file.ts";

/** An answer of the vendor's as it comes, with its own content type unless another one is given. */
export function byteAnswer(reply: VendorReply, contentType?: string): ByteAnswer {
  const { "content-type": own, "content-length": length, "content-encoding": encoding } = reply.headers;
  return {
    contentType: contentType ?? (typeof own === "string" ? own : "application/octet-stream"),
    ...(typeof length === "string" && encoding === undefined && { length: Number(length) }),
    content: reply.bytes(),
  };
}
