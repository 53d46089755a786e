import { GatewayError } from "../../errors/gateway-error.ts";
import type { Transport, UpstreamHandle } from "../../model/provider.ts";
import type { AddressRules } from "./address-rules.ts";

/** A call to some server on the gateway's own account. */
export interface OutboundCall {
  readonly url: string;
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  /** In lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Milliseconds until the answer is there as a whole. */
  readonly timeout: number;
  /** Bytes an answer may have. */
  readonly mostBytes: number;
  /** Whether the URL is the operator's word, from the config file; any other is checked as hosts of callers are. */
  readonly trusted: boolean;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/**
 * Calls a server; redirects are answers like others. Rejects with `address_blocked`, `request_timeout`,
 * `upstream_too_large` or `upstream_unreachable`.
 */
export type Outbound = (call: OutboundCall) => Promise<OutboundAnswer>;

export const outbound = (transport: Transport, rules: AddressRules): Outbound =>
  function fetch(call) {
    const refused = call.trusted ? undefined : rules.refuseUrl(call.url);
    if (refused) return Promise.reject(new GatewayError("address_blocked", `${call.url} is not called: ${refused}.`));
    return answerTo(transport, call);
  };

function answerTo(transport: Transport, call: OutboundCall): Promise<OutboundAnswer> {
  const { method = "GET", headers = {}, body, timeout, mostBytes, trusted } = call;
  const { origin, pathname, search } = new URL(call.url);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    let head: Omit<OutboundAnswer, "body"> | undefined;
    let handle: UpstreamHandle | undefined;
    const settle = (error?: Error) => {
      clearTimeout(timer);
      if (error) reject(error);
      else if (head) resolve({ ...head, body: Buffer.concat(pieces, length) });
    };
    const giveUp = (error: GatewayError) => {
      handle?.abort();
      settle(error);
    };
    const timer = setTimeout(
      () => giveUp(new GatewayError("request_timeout", `${origin} did not answer within ${timeout} ms.`)),
      timeout,
    );
    const listener = {
      connected: () => undefined,
      headers(status: number, received: OutboundAnswer["headers"]) {
        head = { status, headers: received };
      },
      data(bytes: Buffer) {
        pieces.push(bytes);
        length += bytes.length;
        if (length > mostBytes)
          giveUp(new GatewayError("upstream_too_large", `${origin} answered with more than ${mostBytes} bytes.`));
      },
      end: () => settle(),
      error(cause: Error) {
        if (cause instanceof GatewayError) return settle(cause);
        settle(new GatewayError("upstream_unreachable", `${origin} cannot be reached.`, {}, { cause }));
      },
    };
    try {
      const sent = { method, origin, path: pathname + search, headers, body, untrustedHost: !trusted };
      handle = transport.send(sent, listener);
    } catch (cause) {
      listener.error(cause instanceof Error ? cause : new Error(String(cause)));
    }
  });
}
