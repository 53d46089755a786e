import type { BusService, Logger, WorkersChannel } from "../../core/index.ts";

/** A bus over the supervisor, which passes messages on to all other workers. Alone in one process, nobody hears. */
export function localBus(channel: WorkersChannel, log: Logger): { readonly bus: BusService; close(): void } {
  const subscriptions = new Set<() => void>();
  const bus: BusService = {
    publish(topic, message) {
      channel.send(topic, message);
    },
    subscribe(topic, listener) {
      const leave = channel.listen(topic, (message) => {
        try {
          listener(message);
        } catch (error) {
          log.error("a listener of the bus failed", { topic, error });
        }
      });
      subscriptions.add(leave);
      return () => {
        subscriptions.delete(leave);
        leave();
      };
    },
  };
  return {
    bus,
    // A reload begins its own subscriptions before these end: nothing is missed in between.
    close() {
      for (const leave of subscriptions) leave();
      subscriptions.clear();
    },
  };
}
