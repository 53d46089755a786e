import { codeOf } from "../../errors/code-of.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { Headers } from "../../model/headers.ts";
import type { Logger } from "../../model/logger.ts";
import type { Transport, UpstreamCall, UpstreamHandle, UpstreamListener } from "../../model/transport.ts";
import { timerFor } from "../../time/longest-timer.ts";
import type { AddressRules } from "./address-rules.ts";
import { remedyOf } from "./connection-failure.ts";

/** Something asked of a host on the gateway's own account. */
export interface OutboundRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  readonly url: string;
  /** Names in lower case. */
  readonly headers?: Headers;
  readonly body?: string;
  /** Whether the URL is the operator's word (the config file). One of anybody else is checked (operations.md section 9). */
  readonly trusted: boolean;
  /** Milliseconds for all of it. */
  readonly timeout: number;
  /** Bytes the answer may have; 1 MiB unless said otherwise. */
  readonly mostBytes?: number;
  /** Whether the answer is wanted as bytes, and not as a text. */
  readonly bytes?: boolean;
  /** Gives it up. */
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** "" where bytes were asked for. */
  readonly text: string;
  readonly bytes?: Buffer;
}

/**
 * Asks hosts over HTTP. Redirects are not followed. Rejects with `address_blocked` where the host may not be called,
 * `request_timeout`, `upstream_too_large`, `upstream_unreachable`, or `client_gone` where it was given up; no message holds
 * what was sent.
 */
export type Ask = (request: OutboundRequest) => Promise<OutboundAnswer>;

const mebibyte = 1024 * 1024;

export function outbound(transport: Transport, rules: AddressRules, log: Logger): Ask {
  return async (request) => {
    const refused = request.trusted ? undefined : rules.refuseUrl(request.url);
    if (refused !== undefined) {
      log.warn("a host was not called", { host: hostOf(request.url), reason: refused });
      throw new GatewayError("address_blocked", "Upstream address is not allowed.");
    }
    return asked(transport, request);
  };
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "");

function asked(transport: Transport, request: OutboundRequest): Promise<OutboundAnswer> {
  const { method, headers = {}, body, trusted, timeout, mostBytes = mebibyte, signal } = request;
  if (signal?.aborted) return Promise.reject(givenUp());
  const { origin, pathname, search, host } = new URL(request.url);
  const call: UpstreamCall = {
    method,
    origin,
    path: pathname + search,
    headers,
    body: body === undefined ? undefined : Buffer.from(body),
    untrustedHost: !trusted,
  };
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    let head: Omit<OutboundAnswer, "text"> = { status: 0, headers: {} };
    let handle: UpstreamHandle | undefined;
    const giveUp = (error: GatewayError) => {
      failed(error);
      handle?.abort();
    };
    const late = () => giveUp(new GatewayError("request_timeout", `${host} did not answer within ${timeout} ms.`));
    const clock = setTimeout(late, timerFor(timeout));
    const leave = () => giveUp(givenUp());
    const settled = () => {
      clearTimeout(clock);
      signal?.removeEventListener("abort", leave);
    };
    const failed = (error: unknown) => {
      settled();
      reject(error);
    };
    signal?.addEventListener("abort", leave);
    const listener: UpstreamListener = {
      connected() {},
      headers: (status, answered) => {
        head = { status, headers: answered };
      },
      data(bytes) {
        size += bytes.length;
        if (size <= mostBytes) pieces.push(bytes);
        else giveUp(new GatewayError("upstream_too_large", `${host} answered more than ${mostBytes} bytes.`));
      },
      end() {
        settled();
        const bytes = Buffer.concat(pieces);
        resolve(request.bytes ? { ...head, text: "", bytes } : { ...head, text: bytes.toString() });
      },
      error: (cause) => failed(asUnreachable(host, trusted, cause)),
    };
    try {
      // What cannot be sent at all fails before there is anything to be given up.
      handle = transport.send(call, listener);
    } catch (error) {
      failed(error);
    }
  });
}

const givenUp = () => new GatewayError("client_gone", "Nobody waits for the answer any more.");

/** What can be done about it is for the operator, whose word the URL is. */
function asUnreachable(host: string, trusted: boolean, cause: Error): GatewayError {
  if (cause instanceof GatewayError) return cause;
  const remedy = trusted ? remedyOf(cause) : undefined;
  const message = `${host} cannot be reached${codeOf(cause)}${remedy === undefined ? "" : `: ${remedy}`}.`;
  return new GatewayError("upstream_unreachable", message, {}, { cause });
}
