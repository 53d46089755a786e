import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import { codeOf } from "../../errors/code-of.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { ProxyAddress } from "../../model/proxy.ts";
import type { Trust } from "./trust.ts";

export interface TunnelSettings {
  readonly trust: Trust;
  /** Milliseconds for the connection to the proxy and its answer. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks a proxy for a tunnel to `host:port` (RFC 9110 section 9.3.6); what is sent on the socket arrives there. Rejects with
 * `upstream_unreachable`, which names the proxy and none of its credentials, or with the signal's reason.
 */
export function openTunnel(proxy: ProxyAddress, target: string, settings: TunnelSettings): Promise<Socket> {
  const { trust, timeout, signal } = settings;
  return new Promise((resolve, reject) => {
    const asking = connectRequest(proxy, target, trust);
    const over = (settle: () => void) => {
      clearTimeout(clock);
      signal?.removeEventListener("abort", givenUp);
      settle();
    };
    const fail = (error: unknown) => over(() => reject(error));
    const clock = setTimeout(() => {
      fail(unreachable(proxy, `did not open a tunnel within ${timeout} ms`));
      asking.destroy();
    }, timeout);
    const givenUp = () => {
      fail(signal?.reason);
      asking.destroy();
    };
    asking.once("connect", (answer: IncomingMessage, socket: Socket, head: Buffer) => {
      const status = answer.statusCode ?? 0;
      if (status < 200 || status > 299) {
        // What a socket that is given up still has to say concerns nobody.
        socket.on("error", ignore).destroy();
        return fail(refusedBy(proxy, status));
      }
      if (head.length > 0) socket.unshift(head);
      over(() => resolve(socket));
    });
    asking.on("error", (cause) => fail(unreachable(proxy, `cannot be reached${codeOf(cause)}`, cause)));
    signal?.addEventListener("abort", givenUp);
    if (signal?.aborted) givenUp();
    else asking.end();
  });
}

function connectRequest(proxy: ProxyAddress, target: string, trust: Trust): ClientRequest {
  const { secure, hostname, port, authorization } = proxy;
  const options = {
    host: hostname,
    port,
    method: "CONNECT",
    path: target,
    // Node would say close, which is not what is meant.
    headers: {
      host: target,
      connection: "keep-alive",
      ...(authorization && { "proxy-authorization": authorization.reveal() }),
    },
    agent: false,
  } as const;
  // Node would take the name of the certificate from the header, which is that of the target.
  return secure
    ? httpsRequest({ ...options, servername: isIP(hostname) ? "" : hostname, ...trust })
    : httpRequest(options);
}

/** What a proxy means that answers a request with a status instead of passing it on. */
export function refusedBy(proxy: ProxyAddress, status: number): GatewayError {
  const remedy = status === 407 ? "; check the user and the password in its address" : "";
  return unreachable(proxy, `refused the connection with ${status}${remedy}`);
}

export const unreachable = (proxy: ProxyAddress, what: string, cause?: unknown): GatewayError =>
  new GatewayError("upstream_unreachable", `The proxy ${proxy.name} ${what}.`, {}, { cause });

function ignore(): void {}
