import { codeOf } from "../errors/code-of.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { identityNetwork } from "../http/upstream/identity-network.ts";
import type { Token } from "./token-source.ts";

export interface TokenRequest {
  /** The provider the token is for, by its name: for messages. */
  readonly provider: string;
  /** What whoever runs the gateway can look at when there is no token: `entraClientId and entraClientSecret`. */
  readonly check: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a form by POST; absent is a GET. */
  readonly form?: Readonly<Record<string, string>>;
  /** The same as JSON, for servers that take no forms. */
  readonly json?: Readonly<Record<string, string>>;
}

/** Milliseconds a token server may take. */
const deadline = 10_000;

/**
 * Asks a token server by OAuth 2.0 (RFC 6749 section 5). Rejects with `credential_missing` when it refuses and with
 * `upstream_unreachable` when it cannot be asked; neither message holds anything that was sent.
 */
export async function fetchToken(request: TokenRequest): Promise<Token> {
  const response = await askTokenServer(request);
  const body = (await response.json().catch(nothing)) as Readonly<Record<string, unknown>> | null | undefined;
  if (!response.ok) throw refusedToken(request, response.status, reasonIn(body));
  const text = body?.access_token;
  if (typeof text !== "string" || text === "")
    throw noToken(request, "upstream_unreachable", "its answer holds no access_token");
  return { text, expiresAt: expiryOf(body ?? {}) };
}

/** What kept a token from being had, with where it was asked for and what to look at. */
export function noToken(
  { provider, check, url }: Pick<TokenRequest, "provider" | "check" | "url">,
  code: "credential_missing" | "upstream_unreachable",
  why: string,
  cause?: unknown,
): GatewayError {
  const message = `${provider}: no token from ${url.replace(/\?.*$/s, "")}: ${why}. Check ${check}.`;
  return new GatewayError(code, message, { provider }, { cause });
}

/** What a server refused with, and ` reason`, where it gave one. */
export function refusedToken(asked: Parameters<typeof noToken>[0], status: number, reason: string): GatewayError {
  const code = status >= 500 || status === 429 ? "upstream_unreachable" : "credential_missing";
  return noToken(asked, code, `it answered ${status}${reason}`);
}

/** The answer of a token server, whatever it says. Rejects with `upstream_unreachable` where there is none. */
export async function askTokenServer(request: TokenRequest): Promise<Response> {
  const { url, headers = {}, form, json } = request;
  const ask = identityNetwork()?.fetch ?? fetch;
  try {
    return await ask(url, {
      method: form || json ? "POST" : "GET",
      headers: { accept: "application/json", ...(json && { "content-type": "application/json" }), ...headers },
      ...(form && { body: new URLSearchParams(form) }),
      ...(json && { body: JSON.stringify(json) }),
      redirect: "error",
      signal: AbortSignal.timeout(deadline),
    });
  } catch (cause) {
    const late = cause instanceof Error && cause.name === "TimeoutError";
    throw noToken(
      request,
      "upstream_unreachable",
      late ? `no answer within ${deadline} ms` : `it cannot be reached${codeOf(cause)}`,
      cause,
    );
  }
}

/** The error's code, and the vendor's number for it: words the server chose, never what it quotes. */
function reasonIn(body: Readonly<Record<string, unknown>> | null | undefined): string {
  const { error, error_description: description } = body ?? {};
  const code = typeof error === "string" && /^[\w.-]{1,64}$/.test(error) ? ` ${error}` : "";
  const [number] = typeof description === "string" ? (/\b[A-Z]{4,8}\d{4,8}\b/.exec(description) ?? []) : [];
  return number === undefined ? code : `${code} (${number})`;
}

/** `expires_in` seconds from now, or `expires_on` in Unix seconds; servers write either as a text, too. */
function expiryOf({ expires_in: lifetime, expires_on: moment }: Readonly<Record<string, unknown>>): number {
  const seconds = Number(lifetime ?? Number.NaN);
  if (Number.isFinite(seconds) && seconds > 0) return Date.now() + seconds * 1_000;
  const until = Number(moment ?? Number.NaN) * 1_000;
  return Number.isFinite(until) && until > Date.now() ? until : Date.now() + 300_000;
}

function nothing(): undefined {}
