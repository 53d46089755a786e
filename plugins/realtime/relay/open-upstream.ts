import type { IncomingMessage } from "node:http";
import type { ClientOptions, WebSocket } from "ws";
import { GatewayError, type SocketCall, webSockets } from "../../../core/index.ts";
import type { RealtimeOptions } from "../options.ts";

/**
 * Opens the provider's socket, and holds back what comes from it. Rejects with `socket_refused` where it does not open,
 * which says no more to a client; with `address_blocked` where the host may not be called.
 */
export async function openUpstream(
  { url, headers, connection, signal, answered }: SocketCall,
  { messageBytes, openTimeout }: RealtimeOptions,
): Promise<WebSocket> {
  const { WebSocket } = await webSockets();
  const givenUp = new AbortController();
  const options: ClientOptions = {
    // What it hands on to node's requests is more than its types say.
    ...(connection(givenUp.signal) as ClientOptions),
    headers: { ...headers, "keep-alive": "timeout=600" },
    maxPayload: messageBytes,
    perMessageDeflate: false,
    followRedirects: false,
  };
  const socket = new WebSocket(url, [], options);
  return new Promise((resolve, reject) => {
    const clock = setTimeout(() => fail(`It did not open within ${openTimeout} ms.`), openTimeout);
    const fail = (cause: unknown) => {
      if (!over()) return;
      socket.terminate();
      givenUp.abort();
      reject(isForTheClient(cause) ? cause : refused(cause));
    };
    const gone = () => fail(new GatewayError("client_gone", "The client closed the connection."));
    let isOver = false;
    const over = (): boolean => {
      if (isOver) return false;
      isOver = true;
      clearTimeout(clock);
      signal.removeEventListener("abort", gone);
      return true;
    };
    // Stays: what a socket that was given up still has to say concerns nobody.
    socket.on("error", fail);
    socket.once("unexpected-response", (_, { statusCode }: IncomingMessage) => {
      answered();
      fail(`It answered ${statusCode}.`);
    });
    socket.once("open", () => {
      answered();
      socket.pause();
      if (over()) resolve(socket);
    });
    signal.addEventListener("abort", gone);
    if (signal.aborted) gone();
  });
}

/** A proxy that cannot be reached is an error of the gateway, too, and no more of a client's business than any other host. */
const isForTheClient = (cause: unknown) => cause instanceof GatewayError && cause.code !== "upstream_unreachable";

const refused = (cause: unknown) =>
  new GatewayError(
    "socket_refused",
    "Something went wrong",
    {},
    { cause: cause instanceof Error ? cause : new Error(String(cause)) },
  );
