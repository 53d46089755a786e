import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "../model/logger.ts";
import type { TlsSettings } from "../model/tls.ts";
import { ConnectionsIn, type Handler } from "./connections-in.ts";
import { secureServer } from "./secure-server.ts";
import { isForWebSocket } from "./upgrade.ts";

export interface ListenerSettings {
  readonly host: string;
  readonly port: number;
  /** Plain HTTP without it. */
  readonly tls?: TlsSettings | undefined;
  readonly headerBytes: number;
  /** Milliseconds an idle client connection stays open. */
  readonly keepAliveTimeout: number;
  /** Milliseconds for the headers of a request to arrive. */
  readonly headersTimeout: number;
  readonly log: Pick<Logger, "debug">;
}

/** The one listening socket of a process. Who answers can be exchanged while connections stay open. */
export interface Listener {
  readonly port: number;
  /** From the next request on, `handler` answers. */
  use(handler: Handler): void;
  /** From the next connection on, another certificate is shown and asked for; a listener of plain HTTP does neither. */
  renew(tls: TlsSettings): void;
  /** Stops accepting; connections close when their request is answered. */
  stopAccepting(): void;
  /** Ends every connection that is still open. */
  destroy(): void;
  readonly closed: Promise<void>;
}

export async function listen(settings: ListenerSettings, first: Handler): Promise<Listener> {
  const connections = new ConnectionsIn(first, settings);
  const { tls, host, port, headersTimeout, log } = settings;
  const options = {
    maxHeaderSize: settings.headerBytes,
    keepAliveTimeout: settings.keepAliveTimeout,
    headersTimeout,
    connectionsCheckingInterval: Math.min(headersTimeout, 30_000),
    // Bodies have a clock of their own, which knows when a body is wanted at all.
    requestTimeout: 0,
    noDelay: true,
    // Seen to here, where it is answered in words.
    requireHostHeader: false,
    // Later versions of node ask; earlier ones take whatever offers another protocol for an upgrade.
    shouldUpgradeCallback: isForWebSocket,
  };
  const { arrived } = connections;
  const secure = tls && secureServer({ ...options, handshakeTimeout: headersTimeout }, tls, arrived, log);
  const server = secure?.server ?? createServer(options, arrived);
  // A client may say all it has to say and then only listen: node knows how, if told so by this name.
  Object.assign(server, { httpAllowHalfOpen: true });
  connections.watch(server, secure !== undefined);
  const closed = new Promise<void>((resolve) => server.once("close", resolve));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    use(next) {
      connections.handler = next;
    },
    renew(next) {
      secure?.renew(next);
    },
    stopAccepting() {
      connections.stop();
      // Closes idle connections, too.
      server.close();
    },
    destroy() {
      server.closeAllConnections();
      connections.destroy();
      secure?.destroy();
    },
    closed,
  };
}
