import {
  type Ask,
  type CheckAnswer,
  CheckError,
  type CheckRequest,
  GatewayError,
  jsonOr,
  type OutboundAnswer,
  Rest,
  withoutQuoted,
  writeJson,
} from "../../core/index.ts";

export interface AskedFor {
  /** Whether the address is the operator's word. */
  readonly trusted: boolean;
  /** Whose calls fail and succeed together. */
  readonly family: string;
  /** Gives it up when nobody waits for the check any more. */
  readonly signal?: AbortSignal | undefined;
}

export type Asker = (request: CheckRequest & { readonly timeout: number }, of: AskedFor) => Promise<CheckAnswer>;

/** Asks services over HTTP: with a deadline, and not at all for a while after several failures in a row. */
export function askerFor(ask: Ask, now: () => number = Date.now): Asker {
  const rests = new Map<string, Rest>();
  return async (request, { trusted, family, signal }) => {
    const { method = "POST", url, headers, body, timeout, mostBytes, bytes } = request;
    if (!URL.canParse(url))
      throw new CheckError("What this check is to ask is not an address.", { label: "InvalidUrl" });
    const key = `${family} ${new URL(url).origin}`;
    const rest = rests.get(key) ?? new Rest(now);
    rests.set(key, rest);
    if (rest.on)
      throw new CheckError("The service failed too often of late; it is asked again soon.", { label: "CircuitOpen" });
    const text = body === undefined || typeof body === "string" ? body : writeJson(body);
    const usual = text === undefined ? {} : { "content-type": "application/json" };
    try {
      const answer = await ask({
        method,
        url,
        headers: { accept: "application/json", "user-agent": "gateway-plugin/1", ...usual, ...headers },
        ...(text !== undefined && { body: text }),
        trusted,
        timeout,
        signal,
        mostBytes: mostBytes ?? usualBytes + mostSpelled * Buffer.byteLength(text ?? ""),
        ...(bytes && { bytes }),
      });
      rest.heard(answer.status < 500);
      return readAnswer(answer, request);
    } catch (error) {
      if (error instanceof GatewayError) {
        // That nobody waited says nothing about the service, unless it was waited for as long as the check may take.
        if (error.code === "client_gone" && !isLate(signal)) rest.unheard();
        else rest.heard(error.code === "address_blocked");
        throw new CheckError(error.message, { label: labels[error.code] ?? "NetworkError" });
      }
      throw error;
    }
  };
}

const isLate = (signal: AbortSignal | undefined): boolean =>
  signal?.reason instanceof Error && signal.reason.name === "TimeoutError";

/** Services that redact answer with all they were sent, in JSON that may write a letter of two bytes in six. */
const usualBytes = 1024 * 1024;
const mostSpelled = 3;

const labels: Partial<Record<string, string>> = {
  request_timeout: "TimeoutError",
  address_blocked: "AddressBlocked",
  client_gone: "ClientGone",
  upstream_too_large: "AnswerTooLarge",
};

function readAnswer({ status, headers, text, bytes }: OutboundAnswer, asked: CheckRequest): CheckAnswer {
  const { headers: sent, redirections } = asked;
  if ((status >= 200 && status < 300) || (redirections && status >= 300 && status < 400 && headers.location))
    return { status, headers, json: bytes ? undefined : jsonOr(text, text), ...(bytes && { bytes }) };
  const shown = withoutSent(text, sent);
  const body = jsonOr(shown, shown);
  throw new CheckError(`HTTP error! status: ${status}`, { label: "HttpError", data: { status, body } });
}

/** A text without the values of headers that were sent: services quote the key they refuse. */
function withoutSent(text: string, sent: CheckRequest["headers"] = {}): string {
  const values = Object.entries(sent).flatMap(([name, value]) =>
    harmless.has(name) ? [] : [value, ...(/^\S+ (\S+)$/.exec(value)?.slice(1) ?? [])],
  );
  const secrets = values.filter(({ length }) => length >= shortestHidden);
  return withoutQuoted(text, secrets, "[hidden]");
}

const shortestHidden = 6;
const harmless: ReadonlySet<string> = new Set(["accept", "content-type", "user-agent"]);
