import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { Commands, type ServerKind } from "./mongo/commands.ts";
import { answerTo, type Command, messagesIn } from "./mongo/wire.ts";

/**
 * A server that speaks MongoDB's protocol, on loopback, with everything in memory. It is our reading of MongoDB: commands
 * run one after another in one process, so that it shows nothing of failover, read concerns or real conflicts.
 */
export interface MongoServer {
  readonly uri: string;
  /** Ends all connections; what it holds stays for `restart`. */
  stop(): Promise<void>;
  /** Listens again, on the same port. */
  restart(): Promise<void>;
  /** It keeps its connections and answers nobody, until it is thawed. */
  freeze(): void;
  thaw(): void;
  /** Deletes what TTL indexes say is too old at this moment. */
  removeExpired(now: number): void;
}

export async function startMongoServer(kind: ServerKind = { replicaSet: true }): Promise<MongoServer> {
  const commands = new Commands(kind);
  const sockets = new Set<Socket>();
  let frozen: (() => void)[] | undefined;
  const thawed = () => (frozen ? new Promise<void>((resolve) => frozen?.push(resolve)) : undefined);
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    const answer = async (command: Command) => {
      await thawed();
      const body = await commands.run(command.body);
      if (!socket.destroyed) socket.write(answerTo(command, body));
    };
    let received: Buffer[] = [];
    socket.on("data", (bytes: Buffer) => {
      received.push(bytes);
      const { commands: whole, rest } = messagesIn(Buffer.concat(received));
      received = [rest];
      for (const command of whole) void answer(command);
    });
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (typeof address === "object" && address) return address.port;
    throw new Error("it does not listen");
  };
  const port = await listen(0);
  commands.address = `127.0.0.1:${port}`;
  return {
    uri: `mongodb://127.0.0.1:${port}/?${kind.replicaSet ? "replicaSet=rs0" : "directConnection=true"}`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      if (!server.listening) return;
      server.close();
      await once(server, "close");
    },
    async restart() {
      await listen(port);
    },
    freeze() {
      frozen ??= [];
    },
    thaw() {
      const waiting = frozen ?? [];
      frozen = undefined;
      for (const go of waiting) go();
    },
    removeExpired: (now) => commands.removeExpired(now),
  };
}
