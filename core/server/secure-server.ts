import type { RequestListener } from "node:http";
import { createServer, type Server, type ServerOptions } from "node:https";
import type { Socket } from "node:net";
import type { SecureContextOptions } from "node:tls";
import type { Logger } from "../model/logger.ts";
import type { TlsSettings } from "../model/tls.ts";

/** A server that speaks HTTPS, and what TLS takes besides. */
export interface SecureServer {
  readonly server: Server;
  /** From the next connection on, another certificate is shown and asked for. */
  renew(tls: TlsSettings): void;
  /** Ends every connection, those before the end of their handshake as well. */
  destroy(): void;
}

export function secureServer(
  options: ServerOptions,
  tls: TlsSettings,
  handler: RequestListener,
  log: Pick<Logger, "debug">,
): SecureServer {
  // Who speaks both is answered in the first (decision 0072).
  const ALPNProtocols = ["http/1.1", "h2"];
  const server = createServer({ ...options, ALPNProtocols, ...shown(tls), ...asked(tls) }, handler);
  /** Connections below TLS: node knows of none before its handshake is over, and would wait for it when it stops. */
  const below = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    below.add(socket);
    socket.once("close", () => below.delete(socket));
  });
  // Whoever looks for open ports fails here, too: it is for those who look for a reason.
  server.on("tlsClientError", (error: Error & { code?: string }, { authorizationError, remoteAddress }) =>
    log.debug("a TLS handshake failed", {
      address: remoteAddress,
      reason: authorizationError ?? error.code ?? error.message,
    }),
  );
  return {
    server,
    renew(next) {
      server.setSecureContext(shown(next));
      // The context knows who signs clients; whether they are asked at all, the server does.
      Object.assign(server, asked(next));
    },
    destroy() {
      for (const socket of below) socket.destroy();
    },
  };
}

const shown = ({ key, certificate, clientAuthorities }: TlsSettings): SecureContextOptions => ({
  key: key.reveal(),
  cert: certificate,
  minVersion: "TLSv1.2",
  ...(clientAuthorities !== undefined && { ca: clientAuthorities }),
});

/** Whether clients have to show who they are. */
const asked = ({ clientAuthorities }: TlsSettings) => ({
  requestCert: clientAuthorities !== undefined,
  rejectUnauthorized: clientAuthorities !== undefined,
});
