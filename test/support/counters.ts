import { EventEmitter } from "node:events";
import type { RedisService } from "../../core/index.ts";
import { answersOf, type Clerks, type DeskPort, deskOver, isAsked } from "../../core/workers/supervisor-desk.ts";

/** Desks of workers whose supervisor is in this process, and answers a moment later, in JSON. */
export function supervisedBy(clerks: Clerks) {
  class Worker extends EventEmitter implements DeskPort {
    connected = true;
    send(message: unknown, _handle?: undefined, _options?: object, sent?: (error: Error | null) => void): void {
      const asked: unknown = JSON.parse(JSON.stringify(message));
      setImmediate(() => {
        if (!this.connected) return sent?.(new Error("the channel is closed"));
        if (isAsked(asked)) this.emit("message", JSON.parse(JSON.stringify(answersOf(clerks, asked))));
      });
    }
    end(): void {
      this.connected = false;
      this.emit("disconnect");
    }
  }
  return () => {
    const worker = new Worker();
    return { worker, desk: deskOver(worker) };
  };
}

/** The same Redis under other keys, whose scripts and commands are told the time of the test. */
export function timedRedis(redis: RedisService, keyPrefix: string, time: () => number): RedisService {
  const told = () => [`${Math.floor(time() / 1000)}`, `${(time() % 1000) * 1000}`] as const;
  return {
    keyPrefix,
    get available() {
      return redis.available;
    },
    get keeps() {
      return redis.keeps;
    },
    command: (name, ...args) => (name === "TIME" ? Promise.resolve(told()) : redis.command(name, ...args)),
    async script(source, keys, args) {
      const [seconds, microseconds] = told();
      // The last two arguments are the time, so that the script stays the same one.
      const timed = `local time = { table.remove(ARGV, #ARGV - 1), table.remove(ARGV) }\n${source.replace(
        "local time = redis.call('TIME')",
        "",
      )}`;
      return redis.script(timed, keys, [...args, seconds, microseconds]);
    },
    subscribe: (channel, listener) => redis.subscribe(channel, listener),
  };
}
