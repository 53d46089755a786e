import type { Worker } from "node:cluster";

/** A connection of a client, as node's supervisor holds it until a worker has it. */
interface Held {
  close(): void;
}

/** What node's cluster module tells a worker with a connection. The worker says `ack` of that `seq` when it has taken it. */
interface Handing {
  readonly cmd: "NODE_CLUSTER";
  readonly act: "newconn";
  readonly seq: number;
}

const isHanding = (message: unknown): message is Handing =>
  typeof message === "object" && message !== null && (message as Handing).act === "newconn";

/**
 * Sees to connections that were on their way to a worker when it ended. Node waits for the worker's word for ever and holds
 * the connection meanwhile, so that its client waits as long. Nothing of it was read: another worker that serves takes it,
 * as it would had this one said that it does not. Where there is none it is closed, so that the client can tell.
 *
 * What node's processes say to each other is nowhere documented. Should it change, connections are lost as without this.
 */
export class HandedOver {
  readonly #serving = new Set<Worker>();

  /** Told of each worker before it is asked to do anything. */
  watch(worker: Worker): void {
    const { process: child } = worker;
    const underWay = new Map<number, Held>();
    const send = child.send.bind(child) as (message: unknown, ...rest: unknown[]) => boolean;
    child.send = (message: unknown, ...rest: unknown[]) => {
      if (isHanding(message)) underWay.set(message.seq, rest[0] as Held);
      return send(message, ...rest);
    };
    child.on("internalMessage", ({ ack }: { ack?: number }) => void (ack !== undefined && underWay.delete(ack)));
    worker.once("listening", () => this.#serving.add(worker));
    worker.once("disconnect", () => {
      this.#serving.delete(worker);
      for (const [ack, held] of underWay) {
        if (this.#serving.size > 0) child.emit("internalMessage", { cmd: "NODE_CLUSTER", ack, accepted: false });
        else held.close();
      }
    });
    child.once("exit", () => whenRead(worker, () => child.emit("disconnect")));
  }
}

/**
 * Calls back once all is read that a worker which has ended had said. Node itself does not tell of the end of the channel
 * where the last thing on it was a connection: it waits for the word that came, first.
 */
function whenRead(worker: Worker, then: () => void): void {
  if (worker.isConnected()) setImmediate(whenRead, worker, then);
  else then();
}
