import { lookup as systemLookup } from "node:dns";
import { isIP } from "node:net";
import { Agent, type Dispatcher } from "undici";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { Transport, UpstreamHandle, UpstreamListener } from "../../model/provider.ts";
import type { AddressRules } from "./address-rules.ts";

export interface TransportSettings {
  readonly connectionsPerHost: number;
  /** Milliseconds undici may spend on a connection at most; the connect clock of an attempt is usually shorter. */
  readonly connectTimeout: number;
  readonly rules: AddressRules;
}

/** The way out of the gateway: keep-alive pools per host; every address is checked where it is connected to. */
export function undiciTransport(settings: TransportSettings): Transport & { close(): Promise<void> } {
  const agentFor = (untrusted: boolean) =>
    new Agent({
      connections: settings.connectionsPerHost,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 30_000,
      connect: { timeout: settings.connectTimeout, lookup: checkedLookup(settings.rules, untrusted) },
    });
  const trusted = agentFor(false);
  const untrusted = agentFor(true);
  const mayCall = literalCheck(settings.rules);

  return {
    send(call, listener) {
      if (!mayCall(call.origin, call.untrustedHost)) throw blocked();
      const sent = new UndiciCall(listener);
      (call.untrustedHost ? untrusted : trusted).dispatch(
        {
          origin: call.origin,
          path: call.path,
          method: call.method as Dispatcher.HttpMethod,
          headers: call.headers as Record<string, string>,
          body: call.body ?? null,
        },
        sent,
      );
      return sent;
    },
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
    if (!this.#over && status >= 200) this.#listener.headers(status, headers);
  }

  onResponseData(_: Dispatcher.DispatchController, bytes: Buffer): void {
    if (!this.#over) this.#listener.data(bytes);
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#over = true;
    this.#listener.end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.#listener.error(error);
  }
}

const givenUp = () => new GatewayError("client_gone", "The call was given up.");

type Lookup = NonNullable<
  NonNullable<Agent.Options["connect"]> extends infer Connect
    ? Connect extends { lookup?: infer Found }
      ? Found
      : never
    : never
>;

/** Resolves a name and refuses it when any of its addresses is forbidden; the connection uses the checked addresses. */
const checkedLookup = (rules: AddressRules, untrusted: boolean): Lookup =>
  ((hostname: string, options: object, done: (error: Error | null, ...found: unknown[]) => void) => {
    systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error);
      const bad = addresses.find(({ address }) => !rules.mayConnect(address, hostname, untrusted));
      if (bad) return done(blocked());
      if ("all" in options && options.all) return done(null, addresses);
      const [first] = addresses;
      return done(null, first?.address, first?.family);
    });
  }) as Lookup;

const blocked = () => new GatewayError("address_blocked", "Upstream address is not allowed.");

/** Origins whose answer is kept: callers may name any number of them. */
const keptOrigins = 1_000;

/** Whether an origin that is an address may be called; asked once per origin. */
function literalCheck(rules: AddressRules): (origin: string, untrusted: boolean) => boolean {
  const known = { trusted: new Map<string, boolean>(), untrusted: new Map<string, boolean>() };
  return (origin, untrusted) => {
    const answers = untrusted ? known.untrusted : known.trusted;
    const kept = answers.get(origin);
    if (kept !== undefined) return kept;
    const literal = literalHost(origin);
    const allowed = literal === undefined || rules.mayConnect(literal, literal, untrusted);
    if (answers.size >= keptOrigins) answers.clear();
    answers.set(origin, allowed);
    return allowed;
  };
}

/** The address of an origin that names no host: there is no lookup on the way to check it in. */
function literalHost(origin: string): string | undefined {
  const host = origin.slice(origin.indexOf("//") + 2);
  if (host.startsWith("[")) return host.slice(1, host.indexOf("]"));
  const first = host.charCodeAt(0);
  if (first < 0x30 || first > 0x39) return undefined;
  const name = host.replace(/:\d+$/, "");
  return isIP(name) ? name : undefined;
}
