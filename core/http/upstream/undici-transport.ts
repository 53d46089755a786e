import { Agent, type Dispatcher } from "undici";
import { codeIn } from "../../errors/code-of.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { Transport, UpstreamHandle, UpstreamListener } from "../../model/transport.ts";
import { inAbsoluteForm } from "./absolute-form.ts";
import { addressBlocked, literalCheck } from "./checked-addresses.ts";
import { type ConnectionSettings, connectorFor } from "./connections.ts";

export interface TransportSettings extends ConnectionSettings {
  readonly connectionsPerHost: number;
  /** Milliseconds an idle connection is kept whose host says nothing of it; as long as undici does unless said. */
  readonly idleTimeout?: number;
}

/** The way out of the gateway: keep-alive pools per host; every address is checked where it is connected to. */
export function undiciTransport(settings: TransportSettings): Transport & { close(): Promise<void> } {
  const agentFor = (untrusted: boolean) =>
    new Agent({
      connections: settings.connectionsPerHost,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      ...(settings.idleTimeout !== undefined && { keepAliveTimeout: settings.idleTimeout }),
      connect: connectorFor(settings, untrusted),
    });
  const trusted = agentFor(false);
  const untrusted = agentFor(true);
  const mayCall = literalCheck(settings.rules);

  const transport: Transport = {
    send(call, listener) {
      if (!mayCall(call.origin, call.untrustedHost)) throw addressBlocked();
      const sent = new UndiciCall(listener);
      const agent = call.untrustedHost ? untrusted : trusted;
      const more = agent.dispatch(
        {
          origin: call.origin,
          path: call.path,
          method: call.method as Dispatcher.HttpMethod,
          headers: call.headers as Record<string, string>,
          body: call.body ?? null,
        },
        sent,
      );
      if (!more) sent.full = true;
      return sent;
    },
  };
  const { send } = settings.choose ? inAbsoluteForm(transport, settings.choose) : transport;
  return {
    send,
    async close() {
      await Promise.all([trusted.destroy(), untrusted.destroy()]);
    },
  };
}

/** Between undici and a listener. A class, since every call has one: its methods are made once. */
class UndiciCall implements UpstreamHandle, Dispatcher.DispatchHandler {
  readonly #listener: UpstreamListener;
  #controller: Dispatcher.DispatchController | undefined;
  #over = false;
  /** A vendor that refuses before all was sent may reset what it has answered on; the answer counts as far as it came. */
  #refused = false;
  full = false;

  constructor(listener: UpstreamListener) {
    this.#listener = listener;
  }

  abort(): void {
    if (this.#over) return;
    this.#over = true;
    this.#controller?.abort(givenUp());
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(givenUp());
    else this.#listener.connected();
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (this.#over || status < 200) return;
    this.#refused = status >= 400 && headers["content-length"] === undefined && !headers["transfer-encoding"];
    this.#listener.headers(status, headers);
  }

  onResponseData(_: Dispatcher.DispatchController, bytes: Buffer): void {
    // Undici goes on with an empty piece, which is nothing to be paused at again.
    if (!this.#over && bytes.length > 0) this.#listener.data(bytes);
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#over = true;
    this.#listener.end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#refused && codeIn(error) === "ECONNRESET") this.#listener.end();
    else this.#listener.error(error);
  }
}

const givenUp = () => new GatewayError("client_gone", "The call was given up.");
