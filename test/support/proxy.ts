import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";
import { certified } from "./certificates.ts";

/** What a proxy was asked, in the order it was. */
export interface Proxied {
  readonly method: string;
  /** `host:port` of a tunnel, a whole URL of anything else. */
  readonly target: string;
  readonly headers: IncomingMessage["headers"];
}

export interface TestProxy {
  /** `127.0.0.1:PORT`. */
  readonly name: string;
  /** `http://127.0.0.1:PORT`, or `https://…`. */
  readonly url: string;
  readonly asked: readonly Proxied[];
  /** Connections of clients that are open. */
  readonly open: ReadonlySet<Duplex>;
  /** Resolves once nobody is connected to it. */
  left(): Promise<void>;
}

export interface ProxyInput {
  /** Whether it is spoken to over TLS. */
  readonly secure?: boolean;
  /** A status it refuses with; "silent" says nothing at all. */
  readonly refuses?: number | "silent";
  /** Where hosts really are, by `host:port`: names that only the proxy knows. */
  readonly hosts?: Readonly<Record<string, string>>;
}

/** A forward proxy on loopback: tunnels for CONNECT, and requests in absolute form. It ends with the test. */
export async function startProxy({ secure = false, refuses, hosts = {} }: ProxyInput = {}): Promise<TestProxy> {
  const asked: Proxied[] = [];
  const open = new Set<Duplex>();
  const remember = ({ method = "", url = "", headers }: IncomingMessage) => {
    asked.push({ method, target: url, headers });
  };
  const passOn = (incoming: IncomingMessage, response: ServerResponse) => {
    remember(incoming);
    if (refuses === "silent") return;
    if (refuses !== undefined) return void response.writeHead(refuses).end("no");
    const { host, pathname, search } = new URL(incoming.url ?? "");
    const { "proxy-authorization": _, ...headers } = incoming.headers;
    const address = hosts[host] ?? host;
    const onward = request(`http://${address}${pathname}${search}`, { method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.writeHead(502).end());
    incoming.pipe(onward);
  };
  const server = secure ? createSecureServer(certified, passOn) : createServer(passOn);
  server.on("connect", (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    remember(incoming);
    // Read, or nobody would notice that the client has left.
    if (refuses === "silent") return void client.resume().on("end", () => client.end());
    if (refuses !== undefined) return void client.end(`HTTP/1.1 ${refuses} No\r\ncontent-length: 0\r\n\r\n`);
    const target = incoming.url ?? "";
    const { hostname, port } = new URL(`http://${hosts[target] ?? target}`);
    const upstream = connect(Number(port), hostname.replace(/^\[(.*)\]$/, "$1"));
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    upstream.on("error", end).on("close", end);
    client.on("error", end).on("close", end);
    upstream.once("connect", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
  });
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("error", () => undefined).once("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const name = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    name,
    url: `${secure ? "https" : "http"}://${name}`,
    asked,
    open,
    left: async () => {
      await Promise.all([...open].map((socket) => new Promise((resolve) => socket.once("close", resolve))));
    },
  };
}
