import { remembered } from "../../keeping/remembered.ts";
import type { ProxyAddress } from "../../model/proxy.ts";
import type { Transport, UpstreamCall, UpstreamHandle, UpstreamListener } from "../../model/transport.ts";
import { origins } from "./origins.ts";
import { destinationOf, type ProxyChoice } from "./proxy-choice.ts";
import { refusedBy } from "./tunnel.ts";

/**
 * Plain HTTP through a proxy is no tunnel: the proxy is sent the request with the whole URL (RFC 9112 section 3.2.2), and its
 * own credentials. The connection has to be one to the proxy.
 */
export function inAbsoluteForm(transport: Transport, choose: ProxyChoice): Transport {
  const proxyOf = remembered(origins, (origin) => {
    const destination = destinationOf(origin);
    return destination.scheme === "http" ? choose(destination) : undefined;
  });
  return {
    send(call, listener) {
      const proxy = proxyOf(call.origin);
      return proxy ? new ProxiedCall(listener, proxy).sent(transport, call) : transport.send(call, listener);
    },
  };
}

/** Between a listener and a call whose answer may be the proxy's own: 407 is nobody else's (RFC 9110 section 15.5.8). */
class ProxiedCall implements UpstreamListener {
  readonly #listener: UpstreamListener;
  readonly #proxy: ProxyAddress;
  #handle: UpstreamHandle | undefined;
  #refused = false;

  constructor(listener: UpstreamListener, proxy: ProxyAddress) {
    this.#listener = listener;
    this.#proxy = proxy;
  }

  get full(): boolean {
    return this.#handle?.full === true;
  }

  sent(transport: Transport, call: UpstreamCall): UpstreamHandle {
    const { authorization } = this.#proxy;
    const own = authorization && { "proxy-authorization": authorization.reveal() };
    const headers = Object.assign({}, call.headers, own);
    this.#handle = transport.send(Object.assign({}, call, { path: call.origin + call.path, headers }), this);
    return this.#handle;
  }

  connected(): void {
    this.#listener.connected();
  }

  headers(...[status, headers]: Parameters<UpstreamListener["headers"]>): void {
    if (status !== 407) return this.#listener.headers(status, headers);
    this.#refused = true;
    this.#handle?.abort();
    this.#listener.error(refusedBy(this.#proxy, status));
  }

  data(bytes: Buffer): void {
    if (!this.#refused) this.#listener.data(bytes);
  }

  end(): void {
    if (!this.#refused) this.#listener.end();
  }

  error(cause: Error): void {
    if (!this.#refused) this.#listener.error(cause);
  }
}
