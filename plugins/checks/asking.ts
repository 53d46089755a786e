import { type Ask, type CheckAnswer, CheckError, type CheckRequest, GatewayError } from "../../core/index.ts";
import { Breaker } from "./breaker.ts";

export interface AskedFor {
  /** Whether the address is the operator's word. */
  readonly trusted: boolean;
  /** Whose calls fail and succeed together. */
  readonly family: string;
}

export type Asker = (request: CheckRequest & { readonly timeout: number }, of: AskedFor) => Promise<CheckAnswer>;

/** Asks services over HTTP: with a deadline, and not at all for a while after several failures in a row. */
export function askerFor(ask: Ask, now: () => number = Date.now): Asker {
  const breakers = new Map<string, Breaker>();
  return async (request, { trusted, family }) => {
    const { method = "POST", url, headers, body, timeout, mostBytes, bytes } = request;
    if (!URL.canParse(url)) throw new CheckError(`"${url}" is not an address.`, { label: "InvalidUrl" });
    const key = `${family} ${new URL(url).origin}`;
    const breaker = breakers.get(key) ?? new Breaker(now);
    breakers.set(key, breaker);
    if (breaker.open)
      throw new CheckError("The service failed too often of late; it is asked again soon.", { label: "CircuitOpen" });
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const usual = text === undefined ? {} : { "content-type": "application/json" };
    try {
      const answer = await ask({
        method,
        url,
        headers: { accept: "application/json", ...usual, ...headers },
        ...(text !== undefined && { body: text }),
        trusted,
        timeout,
        ...(mostBytes !== undefined && { mostBytes }),
        ...(bytes && { bytes }),
      });
      breaker.heard(answer.status < 500);
      return readAnswer(answer);
    } catch (error) {
      if (error instanceof GatewayError) {
        breaker.heard(error.code === "address_blocked");
        throw new CheckError(error.message, { label: labels[error.code] ?? "NetworkError" });
      }
      throw error;
    }
  };
}

const labels: Partial<Record<string, string>> = { request_timeout: "TimeoutError", address_blocked: "AddressBlocked" };

function readAnswer({ status, headers, text, bytes }: Awaited<ReturnType<Ask>>): CheckAnswer {
  const json = bytes ? undefined : jsonOr(text);
  if (status >= 200 && status < 300) return { status, headers, json, ...(bytes && { bytes }) };
  throw new CheckError(`HTTP error! status: ${status}`, { label: "HttpError", data: { status, body: json } });
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
