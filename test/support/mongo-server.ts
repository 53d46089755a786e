import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Commands, type ServerKind } from "./mongo/commands.ts";
import { answerTo, type Command, messagesIn } from "./mongo/wire.ts";

/**
 * A server that speaks MongoDB's protocol, on loopback, with everything in memory. It is our reading of MongoDB: commands
 * run one after another in one process, so that it shows nothing of failover, read concerns or real conflicts.
 */
export interface MongoServer extends MongoDoor {
  /** Another way to the same data, with troubles of its own. */
  door(): Promise<MongoDoor>;
  /** Deletes what TTL indexes say is too old at this moment. */
  removeExpired(now: number): void;
}

/** An address, and what may go wrong on the way. */
export interface MongoDoor {
  readonly uri: string;
  /** Ends all connections; what it holds stays for `restart`. */
  stop(): Promise<void>;
  /** Listens again, on the same port. */
  restart(): Promise<void>;
  /** It keeps its connections and answers nobody, until it is thawed. */
  freeze(): void;
  thaw(): void;
  /** Its answers come so many milliseconds later, until it is told another number. */
  slow(milliseconds: number): void;
  /** The connections there are stay open and are never answered, as when a host in between has died; new ones are well. */
  drop(): void;
}

export async function startMongoServer(kind: ServerKind = { replicaSet: true }): Promise<MongoServer> {
  const commands = new Commands(kind);
  const { port, ...first } = await openDoor(commands);
  commands.address = `127.0.0.1:${port}`;
  return {
    ...first,
    uri: `mongodb://127.0.0.1:${port}/?${kind.replicaSet ? "replicaSet=rs0" : "directConnection=true"}`,
    door: () => openDoor(commands),
    removeExpired: (now) => commands.removeExpired(now),
  };
}

async function openDoor(commands: Commands): Promise<MongoDoor & { readonly port: number }> {
  const sockets = new Set<Socket>();
  const dropped = new WeakSet<Socket>();
  let frozen: (() => void)[] | undefined;
  let delay = 0;
  const thawed = () => (frozen ? new Promise<void>((resolve) => frozen?.push(resolve)) : undefined);
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    const isHeard = () => !socket.destroyed && !dropped.has(socket);
    const answer = async (command: Command) => {
      if (delay > 0) await sleep(delay);
      await thawed();
      if (!isHeard()) return;
      const body = await commands.run(command.body);
      if (isHeard()) socket.write(answerTo(command, body));
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
  return {
    port,
    uri: `mongodb://127.0.0.1:${port}/?directConnection=true`,
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
    slow(milliseconds) {
      delay = milliseconds;
    },
    drop() {
      for (const socket of sockets) dropped.add(socket);
    },
  };
}
