import { type Fields, type FormFile, refuse, type WireBody, writeForm } from "../../core/index.ts";

/** A form with files in it, which clients of JSON write as data URLs or as Base64. */
export function formBody(wire: Readonly<Fields>, files: readonly string[]): WireBody {
  const fields = Object.entries(wire).map(([name, value]) => [
    name,
    files.includes(name) ? fileOf(name, value) : value,
  ]);
  return writeForm(Object.fromEntries(fields));
}

function fileOf(name: string, value: unknown): FormFile {
  const text = typeof value === "string" ? value : "";
  const [prefix = "", contentType] = /^data:([^;,]+)[^,]{0,100};base64,/.exec(text) ?? [];
  const base64 = text.slice(prefix.length);
  if (base64 === "" || foreign.test(base64))
    return refuse(name, "an image as a data URL or in Base64, for this vendor", value);
  return { filename: name, ...(contentType && { contentType }), bytes: Buffer.from(base64, "base64") };
}

/** What is no letter of Base64: an address has one. */
const foreign = /[^A-Za-z0-9+/=_\s-]/;
