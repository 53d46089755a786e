import { boundaryIn, fieldsOf, headOf, readForm } from "../../codec-kit/forms/form.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { FormFields } from "../../model/form.ts";

/** A multipart form as it came, and what stands in it. */
export interface Form {
  /** With the boundary. */
  readonly contentType: string;
  readonly fields: FormFields;
  /** Where the value of `model` is in the bytes, `[from, to)`. */
  readonly model: readonly [number, number] | undefined;
}

/** Throws `invalid_request` where the body is no form. */
export function readFormBody(bytes: Buffer, contentType: string | undefined): Form {
  if (contentType === undefined || !/^multipart\/form-data\b/i.test(contentType.trim()))
    throw new GatewayError(
      "invalid_request",
      `The body must be a form: send content-type multipart/form-data, not ${contentType ?? "none"}.`,
      { param: "content-type" },
    );
  const parts = readForm(bytes, contentType);
  const model = parts.find(({ name }) => name === "model")?.range;
  return { contentType, fields: fieldsOf(parts), model };
}

/** The bytes of a form with another model in them; every other byte stays. */
export function withModelIn({ model: range, contentType }: Form, bytes: Buffer, model: string): Buffer {
  const value = Buffer.from(model.replace(/[\r\n]/g, " "));
  if (range) return Buffer.concat([bytes.subarray(0, range[0]), value, bytes.subarray(range[1])]);
  const boundary = boundaryIn(contentType);
  const at = bytes.indexOf(`--${boundary}`);
  return Buffer.concat([
    bytes.subarray(0, at),
    headOf(boundary, "model", model),
    value,
    Buffer.from("\r\n"),
    bytes.subarray(at),
  ]);
}
