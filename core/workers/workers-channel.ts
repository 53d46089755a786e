import cluster from "node:cluster";

/** What a worker has its supervisor pass on to all other workers. */
export interface Relayed {
  readonly relay: {
    readonly topic: string;
    readonly message: unknown;
    /** The only worker it is for. */
    readonly to?: number;
  };
}

/** From one worker to the others of this machine. In a process that is no worker nobody is there to listen. */
export interface WorkersChannel {
  /** The number of this worker; undefined in a process that is none. A worker that replaces another has a new one. */
  readonly self: number | undefined;
  /** Sends JSON to the other workers, or to one; lost where the supervisor is gone. Never throws. */
  send(topic: string, message: unknown, to?: number): void;
  /** What other workers send. What is returned ends it. */
  listen(topic: string, listener: (message: unknown) => void): () => void;
}

/** A process as far as messages go. */
export interface MessagePort {
  readonly connected: boolean;
  send?(message: unknown, handle: undefined, options: object, sent: () => void): unknown;
  on(event: "message", listener: (message: unknown) => void): unknown;
}

/** The channel over one port. The port is listened to once, however many listen to topics and come and go. */
export function channelOver(port: MessagePort | undefined, self?: number): WorkersChannel {
  const topics = new Map<string, Set<(message: unknown) => void>>();
  let listening = false;
  const arrived = (message: unknown) => {
    if (!isRelayed(message)) return;
    for (const listener of topics.get(message.relay.topic) ?? []) listener(message.relay.message);
  };
  return {
    self,
    send(topic, message, to) {
      if (!port?.connected) return;
      // Whether it went out is nobody's concern: with a callback, a failure is not thrown either.
      port.send?.(
        { relay: to === undefined ? { topic, message } : { topic, message, to } } satisfies Relayed,
        undefined,
        {},
        ignore,
      );
    },
    listen(topic, listener) {
      if (!listening) port?.on("message", arrived);
      listening = true;
      const listeners = topics.get(topic) ?? new Set();
      topics.set(topic, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && topics.get(topic) === listeners) topics.delete(topic);
      };
    },
  };
}

/** Whether a message is one to pass on, rather than an order or a report. */
export const isRelayed = (message: unknown): message is Relayed =>
  typeof message === "object" &&
  message !== null &&
  "relay" in message &&
  typeof message.relay === "object" &&
  message.relay !== null &&
  "topic" in message.relay &&
  typeof message.relay.topic === "string";

function ignore(): void {}

/** Of this process. */
export const workersChannel: WorkersChannel = cluster.isWorker
  ? channelOver(process, cluster.worker?.id)
  : channelOver(undefined);

/** What the supervisor tells of a worker that has ended: the message is its number. */
export const workerEnded = "worker-ended";
