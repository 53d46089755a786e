import type { GatewayConfig } from "./config/index.ts";
import { errorMessage } from "./errors/error-message.ts";
import { createGeneration, type Generation, type GenerationInput } from "./generation.ts";
import type { Logger } from "./model/logger.ts";
import type { Handler } from "./server/connections-in.ts";
import { type Listener, listen } from "./server/listener.ts";
import { reachableUrl } from "./server/reachable-url.ts";
import { atMost } from "./time/at-most.ts";
import { timerFor } from "./time/longest-timer.ts";

export interface GatewayInput extends Omit<GenerationInput, "config" | "ready" | "kept"> {
  readonly log: Logger;
  /** Reads the config file anew; throws with every mistake in it. */
  readonly read: () => Promise<GatewayConfig>;
}

/** A running gateway: one listening socket, and the generation that answers on it. */
export interface Gateway {
  readonly port: number;
  readonly config: GatewayConfig;
  readonly generation: Generation;
  /** Reads the file again. A bad one changes nothing; running exchanges stay with the generation they began in. */
  reload(): Promise<boolean>;
  /** Readiness off, then no new connections, then running exchanges get `graceMs`, then the end. */
  shutdown(notReadyMs?: number, graceMs?: number): Promise<void>;
  /** How long a patient stop may take that begins with `notReadyMs`, in milliseconds. */
  stopsWithin(notReadyMs: number): number;
}

export async function startGateway(input: GatewayInput): Promise<Gateway> {
  let ready = false;
  let config = await input.read();
  const kept = new Map<string, unknown>();
  const generationOf = (from: GatewayConfig) => createGeneration({ ...input, kept, config: from, ready: () => ready });
  let generation = await generationOf(config);
  const retired = new Set<Generation>();
  let listener: Listener;
  try {
    listener = await listen({ ...listenerSettings(config), log: input.log }, (request, response) =>
      generation.handle(request, response),
    );
  } catch (error) {
    await generation.close();
    throw error;
  }
  ready = true;
  const url = reachableUrl(config.server.host, listener.port, config.server.tls !== undefined);
  generation.kernel.serving({ url });

  const retire = (old: Generation) => {
    retired.add(old);
    void old.retire().finally(() => retired.delete(old));
  };
  const swap = async (): Promise<boolean> => {
    const began = performance.now();
    try {
      const next = await input.read();
      const built = await inTime(generationOf(next));
      if (stopping) {
        await built.close();
        return false;
      }
      const old = generation;
      for (const warning of next.warnings) input.log.warn(warning);
      warnOfFixedSettings(config, next, input.log);
      config = next;
      generation = built;
      if (next.server.tls) listener.renew(next.server.tls);
      listener.use(handlerOf(built));
      built.kernel.serving({ url });
      old.leave("replaced");
      retire(old);
      input.log.info("config reloaded", { file: next.file, milliseconds: Math.round(performance.now() - began) });
      return true;
    } catch (error) {
      input.log.error(`config not reloaded, the old one stays:\n${errorMessage(error)}`);
      return false;
    }
  };
  let reloading: Promise<boolean> = Promise.resolve(true);
  let stopping: Promise<void> | undefined;

  return {
    port: listener.port,
    get config() {
      return config;
    },
    get generation() {
      return generation;
    },
    reload() {
      reloading = reloading.then(() => (stopping ? false : swap()));
      return reloading;
    },
    shutdown(notReadyMs = config.server.shutdown.notReady, graceMs = config.server.shutdown.grace) {
      stopping ??= (async () => {
        ready = false;
        await pause(notReadyMs);
        listener.stopAccepting();
        // What is being built will not serve any more, and closes by itself.
        const built = atMost(graceMs, reloading);
        const all = [generation, ...retired];
        for (const one of all) one.leave("soon");
        const drained = Promise.all(all.map((one) => one.retire()));
        const isDrained = await atMost(graceMs, drained);
        if (!isDrained && sum(all) > 0)
          input.log.warn("shutdown limit reached, ending what still runs", { active: sum(all) });
        for (const one of all) one.leave("now");
        // Streams are told in their own words that they end here, before their connections do.
        if (!isDrained) await atMost(partingMs, drained);
        listener.destroy();
        // Exchanges cut off just now are still recorded: plugins close after their last one, if that does not take too long.
        await atMost(recordingMs, drained);
        await Promise.all([...all.map((one) => one.close()), built]);
        await listener.closed;
      })();
      return stopping;
    },
    stopsWithin: (notReadyMs) =>
      notReadyMs + config.server.shutdown.grace + partingMs + recordingMs + generation.kernel.closesWithin(),
  };
}

/** Made here: what is made where the one before is at hand, too, holds it for as long as this one serves. */
const handlerOf =
  (generation: Generation): Handler =>
  (request, response) =>
    generation.handle(request, response);

/** Milliseconds in which a reload is built, or the old config stays: a plugin that is never ready must not keep out what comes after. */
const longestBuild = 60_000;

async function inTime(building: Promise<Generation>): Promise<Generation> {
  if (await atMost(longestBuild, building)) return building;
  void building.then(
    (late) => late.close(),
    () => undefined,
  );
  throw new Error(`It was not set up within ${longestBuild / 1000} seconds: a plugin is waiting for something.`);
}

/** Milliseconds for the last words of streams that are ended. */
const partingMs = 250;

/** Milliseconds in which exchanges that were cut off may be settled and recorded. */
const recordingMs = 5_000;

const sum = (generations: readonly Generation[]) => generations.reduce((total, { active }) => total + active, 0);

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    if (milliseconds <= 0) return resolve();
    setTimeout(resolve, timerFor(milliseconds)).unref();
  });

const listenerSettings = ({ server }: GatewayConfig) => ({
  host: server.host,
  port: server.port,
  tls: server.tls,
  headerBytes: server.limits.headerBytes,
  keepAliveTimeout: server.keepAliveTimeout,
  headersTimeout: server.clocks.body || 60_000,
});

/** A socket cannot be exchanged under live connections: these need a restart. */
function warnOfFixedSettings(before: GatewayConfig, after: GatewayConfig, log: Logger): void {
  const fixed = (["host", "port", "workers"] as const).filter((name) => before.server[name] !== after.server[name]);
  const changed: string[] = [...fixed];
  if ((before.server.tls === undefined) !== (after.server.tls === undefined)) changed.push("tls");
  if (changed.length > 0) log.warn(`server.${changed.join(", server.")} changed: this takes effect at the next start`);
}
