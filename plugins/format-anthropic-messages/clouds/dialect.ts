import { type ChatRequest, type Fields, type Format, isRecord, type WireExtra } from "../../../core/index.ts";
import { formatName, writtenIn } from "../fields.ts";

/** What at Anthropic's own host stands in headers: which version of the API, and which betas. */
const versionField = "anthropic_version";
const betaField = "anthropic_beta";

/** The members by which a request of this API is told from what other models are asked at the same path. */
export const members: readonly string[] = [versionField, "messages"];

/** A version of Anthropic's, as its SDKs say it to clouds since October 2026; clouds' own begin with their name. */
const isDate = (version: unknown): boolean => typeof version === "string" && /^\d{4}-\d{2}-\d{2}$/.test(version);

type Operation = "chat" | "count";
type Dialect<Of extends Operation> = Pick<
  Format<Of>,
  "name" | "dialectOf" | "decodeRequest" | "encodeRequest" | "meantElsewhere"
>;

/** The words of a format as a cloud has them: the body says the version of the API, `version` where nobody has said it. */
export const dialectAt = <Of extends Operation>(
  cloud: string,
  version: string,
  { name, decodeRequest, encodeRequest, meantElsewhere }: Dialect<Of>,
): Dialect<Of> => ({
  name: `${name}-${cloud}`,
  dialectOf: name,
  decodeRequest(wire) {
    const { [versionField]: said, ...rest }: Fields = isRecord(wire) ? wire : {};
    if (said === undefined || isDate(said)) return decodeRequest(wire);
    // What one cloud calls it no other host knows.
    const request = decodeRequest(rest);
    return { ...request, extra: noted(request, { [versionField]: said }) };
  },
  encodeRequest(request, ...more) {
    const wire = encodeRequest(request, ...more);
    return { [versionField]: writtenIn(request.extra)[versionField] ?? version, ...wire };
  },
  meantElsewhere: (request, about) => withoutHeaders(meantElsewhere?.(request, about) ?? request),
});

const noted = ({ extra }: ChatRequest, note: Fields): WireExtra => ({
  format: formatName,
  fields: extra?.fields ?? {},
  written: { ...writtenIn(extra), ...note },
});

/** What is a header elsewhere asks vendors of other formats for nothing. */
function withoutHeaders<Request extends ChatRequest>(request: Request): Request {
  const { extra } = request;
  if (extra?.format !== formatName) return request;
  const { [versionField]: _, [betaField]: __, ...fields } = extra.fields;
  return { ...request, extra: { ...extra, fields } };
}
