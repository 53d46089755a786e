import { randomUUID } from "node:crypto";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { FormFields, FormFile, FormValue } from "../../model/form.ts";
import type { WireBody } from "../../model/format.ts";

/** A part of a form, with the place of its value in the bytes, `[from, to)`. */
export interface FormPart {
  readonly name: string;
  readonly value: FormValue;
  readonly range: readonly [number, number];
}

export const malformed = (what: string): never => {
  throw new GatewayError("invalid_request", `The body is not a multipart form: ${what}.`);
};

/** The boundary in a content type. */
export function boundaryIn(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  return quoted ?? plain ?? malformed("its content type has no boundary");
}

/** The parts of a multipart form (RFC 7578). Files are views of the bytes, not copies. */
export function readForm(bytes: Buffer, contentType: string): FormPart[] {
  const delimiter = `--${boundaryIn(contentType)}`;
  const parts: FormPart[] = [];
  let at = bytes.indexOf(delimiter);
  if (at < 0) malformed("its boundary is not in it");
  for (;;) {
    at += delimiter.length;
    const next = bytes.toString("latin1", at, at + 2);
    if (next === "--") return parts;
    if (next !== "\r\n") malformed("a boundary stands in the middle of a line");
    const headEnd = bytes.indexOf("\r\n\r\n", at);
    const end = headEnd < 0 ? -1 : bytes.indexOf(`\r\n${delimiter}`, headEnd + 2);
    if (end < 0) malformed("it has no end");
    // A part may be empty: then the blank line after its headers is the line end before the boundary, too.
    const from = Math.min(headEnd + 4, end + 2);
    parts.push(partOf(bytes.toString("utf8", at + 2, headEnd), bytes, [from, Math.max(from, end)]));
    at = end + 2;
  }
}

function partOf(head: string, bytes: Buffer, range: readonly [number, number]): FormPart {
  const { name, filename, contentType } = readHead(head);
  const content = bytes.subarray(...range);
  if (filename === undefined) return { name, value: content.toString(), range };
  const file: FormFile = { filename, ...(contentType !== undefined && { contentType }), bytes: content };
  return { name, value: file, range };
}

/** What the headers of a part say of it. */
export interface PartHead {
  readonly name: string;
  /** Undefined where the part is no file. */
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
}

export function readHead(head: string): PartHead {
  const disposition = headerIn(head, "content-disposition") ?? "";
  const name = parameterIn(disposition, "name") ?? malformed("a part has no name");
  return { name, filename: parameterIn(disposition, "filename"), contentType: headerIn(head, "content-type") };
}

const headerIn = (head: string, name: string): string | undefined =>
  new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*$`, "im").exec(head)?.[1];

/** Quotes and line ends in names are written as percent escapes (RFC 7578, section 2). */
function parameterIn(header: string, name: string): string | undefined {
  const [, quoted, plain] = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;]+))`, "i").exec(header) ?? [];
  return (quoted ?? plain)?.replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n");
}

/** The fields of a form by their names. */
export function fieldsOf(parts: readonly FormPart[]): FormFields {
  const fields: Record<string, FormValue | FormValue[]> = Object.create(null);
  for (const { name, value } of parts) {
    const known = fields[name];
    fields[name] = known === undefined ? value : [known, value].flat();
  }
  return fields;
}

export const isFile = (value: unknown): value is FormFile =>
  typeof value === "object" && value !== null && "filename" in value && "bytes" in value;

/** Writes a form. Numbers, flags and texts are texts in it; null and undefined are left out. */
export function writeForm(fields: Readonly<Record<string, unknown>>): WireBody {
  const boundary = `form-${randomUUID()}`;
  const pieces: Buffer[] = [];
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat())
      if (value !== undefined && value !== null) pieces.push(headOf(boundary, name, value), bytesOf(value), lineEnd);
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return { bytes: Buffer.concat(pieces), contentType: `multipart/form-data; boundary=${boundary}` };
}

const lineEnd = Buffer.from("\r\n");

const bytesOf = (value: unknown): Buffer =>
  isFile(value) ? value.bytes : Buffer.from(typeof value === "object" ? JSON.stringify(value) : String(value));

export function headOf(boundary: string, name: string, value: unknown): Buffer {
  const disposition = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"`;
  if (!isFile(value)) return Buffer.from(`${disposition}\r\n\r\n`);
  const type = value.contentType ?? "application/octet-stream";
  return Buffer.from(`${disposition}; filename="${escaped(value.filename)}"\r\nContent-Type: ${type}\r\n\r\n`);
}

const escaped = (name: string): string => name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
