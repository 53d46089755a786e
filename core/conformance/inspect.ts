import type { IncomingHttpHeaders } from "node:http";
import { errorMessage } from "../errors/error-message.ts";
import { pathBelow } from "../http/upstream/place-of.ts";
import type { Format } from "../model/format.ts";
import type { OperationSpec } from "../model/operation-spec.ts";
import type { OperationName, RequestOf } from "../model/operations.ts";
import type { BoundProvider } from "../model/provider.ts";
import type { Marker } from "./cases.ts";
import { holds } from "./holds.ts";

/** What reached the mock. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What should have. */
export interface Expected {
  readonly provider: BoundProvider;
  /** Headers that were made for this call, or one before it. */
  readonly shownIn: ReadonlySet<string>;
  /** The vendor serves without a credential. */
  readonly anonymous: boolean;
  readonly format: Format;
  readonly spec: OperationSpec;
  /** The model the client asks for. */
  readonly model: string;
  readonly stream: boolean;
  readonly markers: readonly Marker<RequestOf<OperationName>>[];
}

export interface Inspected {
  /** What is wrong with the request, in words. */
  readonly problems: readonly string[];
  /** The markers that did not arrive. */
  readonly missing: readonly string[];
  readonly includeUsage: boolean;
  /** Whether the vendor streams here: one that has no streams is asked for whole answers. */
  readonly asksStream: boolean;
  readonly asked: Readonly<Record<string, unknown>> | undefined;
}

/** The client's credential, which no vendor may ever see. */
export const clientKey = "client-key-0123456789abcdef";

/** Looks at a request as its vendor would. */
export function inspect(arrived: Arrived, expected: Expected): Inspected {
  const { provider, spec, markers } = expected;
  const problems = [...methodProblems(arrived), ...credentialProblems(arrived, expected)];
  const wire = objectIn(arrived.body);
  if (!wire) {
    const missing = markers.map(({ what }) => what);
    return {
      problems: [...problems, "the body is not a JSON object"],
      missing,
      includeUsage: false,
      asksStream: streamsHere(expected),
      asked: undefined,
    };
  }
  const place = placeOf(spec, expected, new Set(Object.keys(wire)));
  // A place beside the base URL is told as a whole URL.
  const base = place.path.startsWith("http") ? "" : provider.basePath;
  const path = pathBelow(base, place.path.replace(/^https?:\/\/[^/]+/, ""));
  if (arrived.url !== path) problems.push(`the path is ${arrived.url} and should be ${path}`);
  const below = arrived.url.slice(base.length);
  const read = readBody(wire, below, place, expected);
  problems.push(...read.problems);
  const { request } = read;
  const isRead = ({ text, place: within }: (typeof markers)[number]) =>
    request !== undefined && holds(within(request), text);
  // Where a vendor is told things in words of its own, what the format reads may be nothing at all.
  const unread = !request || (hasOwnWords(expected) && !markers.some(isRead));
  const absent = markers.filter((marker) => !(unread ? holds(wire, marker.text) : isRead(marker)));
  return {
    problems,
    missing: absent.map(({ what }) => what),
    includeUsage: hasOwnWords(expected) || (request as { includeUsage?: boolean } | undefined)?.includeUsage === true,
    asksStream: streamsHere(expected),
    asked: wire,
  };
}

const streamsHere = ({ stream, spec }: Expected): boolean => stream && spec.whole !== true;

const methodProblems = ({ method }: Arrived): string[] =>
  method === "POST" ? [] : [`the method is ${method} and should be POST`];

function credentialProblems({ headers }: Arrived, { provider, anonymous, shownIn }: Expected): string[] {
  const values = Object.values(headers).flatMap((value) => value ?? []);
  if (values.some((value) => value.includes(clientKey))) return ["the client's own credential was passed on"];
  if (anonymous) return [];
  const shown = values.some((value) => provider.secrets.some((secret) => showsSecret(value, secret)));
  const made = [...shownIn].some((name) => headers[name] !== undefined);
  return shown || made ? [] : ["no header holds the provider's credential"];
}

/** As it is, or as one half of a name and a password. */
const showsSecret = (value: string, secret: string): boolean =>
  value.includes(secret) || Buffer.from(value.replace(/^\w+ /, ""), "base64").toString().includes(secret);

function objectIn(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

interface Place {
  readonly path: string;
  /** The path says it, so the body need not. */
  readonly saysModel: boolean;
  readonly saysStream: boolean;
}

/** Where a call should go, and what its path says of it. */
function placeOf({ path, model: named }: OperationSpec, expected: Expected, fields: ReadonlySet<string>): Place {
  if (typeof path === "string") return { path, saysModel: false, saysStream: false };
  const stream = streamsHere(expected);
  const model = named?.(expected.model) ?? expected.model;
  const own = path({ model: expected.model, stream, fields });
  return {
    path: own,
    saysModel:
      own.includes(encodeURIComponent(model)) || path({ model: `${expected.model}-2`, stream, fields }) !== own,
    saysStream: path({ model: expected.model, stream: !stream, fields }) !== own,
  };
}

interface ReadBody {
  readonly request?: RequestOf<OperationName>;
  readonly problems: readonly string[];
}

function readBody(wire: Record<string, unknown>, url: string, place: Place, expected: Expected): ReadBody {
  const { format, spec } = expected;
  const stream = streamsHere(expected);
  const model = spec.model?.(expected.model) ?? expected.model;
  const said = {
    ...(place.saysModel && { model }),
    ...(place.saysStream && { stream }),
    ...format.readUrl?.(url),
  };
  let request: RequestOf<OperationName>;
  try {
    request = format.decodeRequest({ ...withoutRenames(wire, spec), ...said });
  } catch (error) {
    // A vendor that is told things in words of its own is taken at them: what was asked has to be there all the same.
    if (hasOwnWords(expected)) return { problems: [] };
    return {
      problems: [`the body is not one of ${format.name}: ${errorMessage(error)}`],
    };
  }
  const problems: string[] = [];
  const isAsked = request.model === model || (hasOwnWords(expected) && request.model.includes(model));
  if (!isAsked && !place.saysModel)
    problems.push(`the model is ${JSON.stringify(request.model)} and should be ${JSON.stringify(model)}`);
  const streams = (request as { stream?: boolean }).stream === true;
  if (streams !== stream)
    problems.push(
      stream ? "the body does not ask for a stream" : "the body asks for a stream, which the client did not",
    );
  return { request, problems };
}

/** Whether the provider rewrites bodies beyond what all vendors of the format need. */
function hasOwnWords({ spec, format }: Expected): boolean {
  const usual = spec.exact ? undefined : format.upstream?.rewrite;
  return (spec.rewrite?.when.length ?? 0) > (usual?.when.length ?? 0);
}

/** Fields under the names the format has for them. */
function withoutRenames(wire: Record<string, unknown>, { renames = {} }: OperationSpec): Record<string, unknown> {
  const known = { ...wire };
  for (const [from, to] of Object.entries(renames)) {
    if (!(to in known) || from in known) continue;
    known[from] = known[to];
    delete known[to];
  }
  return known;
}
