import type { Socket } from "node:net";
import { buildConnector } from "undici";
import { codeOf } from "../../errors/code-of.ts";
import type { ProxyAddress } from "../../model/proxy.ts";
import type { SocketConnection } from "../../model/socket.ts";
import { bracketed } from "../host-names.ts";
import type { AddressRules } from "./address-rules.ts";
import { addressBlocked, checkedLookup, literalCheck, type Resolve } from "./checked-addresses.ts";
import { nameCheck } from "./name-check.ts";
import { orderly } from "./orderly-socket.ts";
import { type Destination, destinationOf, isSecure, type ProxyChoice } from "./proxy-choice.ts";
import type { Trust } from "./trust.ts";
import { openTunnel, unreachable } from "./tunnel.ts";

/** What every connection out of the gateway is made by. */
export interface ConnectionSettings {
  readonly rules: AddressRules;
  /** Milliseconds a connection may take at most; the connect clock of an attempt is usually shorter. */
  readonly connectTimeout: number;
  readonly trust?: Trust;
  /** Absent where there is no proxy: every connection is a direct one. */
  readonly choose?: ProxyChoice | undefined;
  /** What names are resolved with, if not by the system. */
  readonly resolve?: Resolve;
}

type Connector = buildConnector.connector;

/** How undici connects: directly or through a proxy, and always to addresses that were checked. */
export function connectorFor(settings: ConnectionSettings, untrusted: boolean): Connector {
  const connect = wayFor(settings, untrusted);
  return (options, done) =>
    connect(options, (...[error, socket]) => (socket ? done(null, orderly(socket)) : done(error, null)));
}

function wayFor(settings: ConnectionSettings, untrusted: boolean): Connector {
  const { rules, connectTimeout: timeout, trust = {}, choose, resolve } = settings;
  const direct = buildConnector({ timeout, lookup: checkedLookup(rules, untrusted, resolve), ...trust });
  if (!choose) return direct;
  const detour = detourFor(settings, untrusted, direct);
  return (options, done) => {
    const destination = destinationOf(`${options.protocol}//${options.host}`);
    const proxy = choose(destination);
    if (!proxy) return direct(options, done);
    detour(proxy, destination, options).then(
      (socket) => done(null, socket),
      (error: Error) => done(error, null),
    );
  };
}

type Detour = (
  proxy: ProxyAddress,
  destination: Destination,
  options: Partial<buildConnector.Options>,
  signal?: AbortSignal,
) => Promise<Socket>;

/** Ways through proxies: a tunnel, or for plain HTTP the connection to the proxy itself, which passes on what it is asked. */
function detourFor(settings: ConnectionSettings, untrusted: boolean, direct: Connector): Detour {
  const { rules, connectTimeout: timeout, trust = {}, resolve } = settings;
  const check = nameCheck(rules, untrusted, resolve);
  const toProxy = buildConnector({ timeout, ...trust });
  return async (proxy, destination, options, signal) => {
    const { scheme, hostname, port } = destination;
    await check(hostname);
    if (scheme === "http") return connected(toProxy, addressOf(proxy)).catch(blaming(proxy));
    const target = `${bracketed(hostname)}:${port}`;
    const httpSocket = await openTunnel(proxy, target, { trust, timeout, signal });
    signal?.addEventListener("abort", () => httpSocket.destroy(), { once: true });
    if (!isSecure(destination)) return httpSocket;
    return connected(direct, {
      host: target,
      servername: "",
      ...options,
      protocol: "https:",
      hostname,
      port: String(port),
      httpSocket,
    });
  };
}

const addressOf = ({ secure, hostname, port, name }: ProxyAddress): buildConnector.Options => ({
  protocol: secure ? "https:" : "http:",
  hostname,
  host: name,
  port: String(port),
});

const connected = (connector: Connector, options: buildConnector.Options): Promise<Socket> =>
  new Promise((resolve, reject) =>
    connector(options, (...[error, socket]) => (socket ? resolve(socket) : reject(error))),
  );

const blaming = (proxy: ProxyAddress) => (cause: unknown) => {
  throw unreachable(proxy, `cannot be reached${codeOf(cause)}`, cause);
};

/** What a websocket's connection is made with. Throws `address_blocked` for a host that is a forbidden address. */
export type ConnectionFor = (origin: string, untrusted: boolean, signal: AbortSignal) => SocketConnection;

export function connectionsFor(settings: ConnectionSettings): ConnectionFor {
  const { rules, connectTimeout: timeout, trust = {}, choose, resolve } = settings;
  const mayCall = literalCheck(rules);
  const waysFor = (untrusted: boolean) => {
    const lookup = checkedLookup(rules, untrusted, resolve);
    const detour = detourFor(settings, untrusted, buildConnector({ timeout, ...trust }));
    return { direct: { lookup, ...trust }, detour };
  };
  const trusted = waysFor(false);
  const untrusted = waysFor(true);
  return (origin, isUntrusted, signal) => {
    if (!mayCall(origin, isUntrusted)) throw addressBlocked();
    const { direct, detour } = isUntrusted ? untrusted : trusted;
    const destination = choose && destinationOf(origin);
    const proxy = destination && choose(destination);
    if (!proxy) return direct;
    return {
      createConnection: (_, done) => {
        const failed = done as (error: Error) => void;
        detour(proxy, destination, {}, signal).then((socket) => done(null, socket), failed);
        return undefined;
      },
    };
  };
}
