import type { Format, FormFields, FormFile, FormValue, GatewayRequest, LogBody } from "../../../core/index.ts";

type Formats = Pick<ReadonlyMap<string, Format>, "get">;

/** The bodies of one record: what stands in several places is made ready once, and kept once. */
export class Bodies {
  readonly #most: number;
  readonly #asked: GatewayRequest | undefined;
  readonly #formats: Formats;
  readonly #known: { readonly from: Buffer; readonly body: LogBody }[] = [];
  #request: LogBody | undefined;
  #size = 0;

  /** `asked` is what the request was, where nothing says more. */
  constructor(asked: GatewayRequest | undefined, most: number, formats: Formats) {
    this.#asked = asked;
    this.#most = most;
    this.#formats = formats;
  }

  /** Bytes of all of them. */
  get size(): number {
    return this.#size;
  }

  /** Bytes as they are, cut where they are too many. Nothing is copied otherwise. */
  raw(bytes: Buffer): LogBody {
    return this.#once(bytes, bytes);
  }

  /** A value as JSON, cut where it has more than so many bytes. */
  json(value: unknown, most = this.#most): LogBody {
    const bytes = Buffer.from(JSON.stringify(value));
    return this.#once(bytes, bytes, Math.min(most, this.#most));
  }

  /** An answer; one with embeddings is kept without them. */
  answer(bytes: Buffer): LogBody {
    const known = this.#known.find(({ from }) => from === bytes)?.body;
    return known ?? this.#once(bytes, this.#asked?.operation === "embed" ? withoutVectors(bytes) : bytes);
  }

  /** A request in the client's own format; a form as its fields, without the content of files. */
  request(asked: GatewayRequest | undefined = this.#asked): LogBody | undefined {
    this.#request ??= asked && this.#bodyOf(asked);
    return this.#request;
  }

  #bodyOf(request: GatewayRequest): LogBody | undefined {
    const { operation } = request;
    if (request.formType !== undefined) return this.json(described(request.json as FormFields));
    const bytes = request.ownBytes ?? request.bytes;
    if (bytes) return bytes.length > 0 ? this.raw(bytes) : undefined;
    const format = this.#formats.get(request.format ?? "");
    // Where a tap has replaced it, or the gateway itself asks, there were never bytes.
    return format && operation !== undefined
      ? this.json(format.encodeRequest(request.body, () => undefined))
      : undefined;
  }

  #once(from: Buffer, bytes: Buffer, most = this.#most): LogBody {
    const known = this.#known.find((one) => one.from === from)?.body;
    if (known) return known;
    const body: LogBody =
      bytes.length <= most ? { bytes } : { bytes: Buffer.from(bytes.subarray(0, most)), truncated: true };
    this.#known.push({ from, body });
    this.#size += body.bytes.length;
    return body;
  }
}

const described = (fields: FormFields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(describedValue) : describedValue(value as FormValue),
    ]),
  );

const describedValue = (value: FormValue): unknown => (typeof value === "string" ? value : describedFile(value));

const describedFile = ({ filename, contentType, bytes }: FormFile) => ({
  filename,
  ...(contentType !== undefined && { content_type: contentType }),
  bytes: bytes.length,
});

/** The answer to a question for embeddings, without the vectors: they are large, and nobody reads them. */
export function withoutVectors(bytes: Buffer): Buffer {
  try {
    return Buffer.from(JSON.stringify(emptied(JSON.parse(bytes.toString()), false)));
  } catch {
    return bytes;
  }
}

/** Vectors are lists of numbers, and below a field named after them also texts of base64. */
function emptied(value: unknown, embedded: boolean): unknown {
  if (typeof value === "string") return embedded ? [] : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one === "number")) return [];
    return value.map((one) => emptied(one, embedded));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, emptied(one, embedded || /^embeddings?$/.test(name))]),
  );
}
