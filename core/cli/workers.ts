import cluster, { type Worker } from "node:cluster";
import type { GatewayConfig } from "../config/index.ts";
import { countersClerk, countersTopic } from "../counters-kit/supervised-counters.ts";
import { errorMessage } from "../errors/error-message.ts";
import type { Logger } from "../model/logger.ts";
import { workersKey, workersKeyName } from "../secrets/process-mark.ts";
import { atMost } from "../time/at-most.ts";
import { type Answered, type Asked, answersOf, isAsked } from "../workers/supervisor-desk.ts";
import { isRelayed, type Relayed, workerEnded } from "../workers/workers-channel.ts";
import { HandedOver } from "./handed-over.ts";
import { onStop } from "./stop-signals.ts";
import type { Watching } from "./watch-file.ts";
import { welcome } from "./welcome.ts";

/** What a supervisor tells a worker. */
export type WorkerOrder = { readonly order: "reload" } | { readonly order: "stop"; readonly notReady: number };

/** What a worker tells its supervisor: `stopsWithin` in milliseconds, when it is told to stop. */
export type WorkerReport =
  | { readonly listening: number }
  | { readonly failed: string }
  | { readonly stopsWithin: number };

export interface SupervisorInput {
  readonly config: GatewayConfig;
  readonly read: () => Promise<GatewayConfig>;
  readonly log: Logger;
  /** Says who is told that the file has changed. */
  readonly onChange?: Watching | undefined;
}

/**
 * A worker that ends sooner than this after its start is not replaced at once, so that a broken start does not spin; one that
 * is still starting that long after the order to stop is not waited for. Milliseconds.
 */
const youth = 1_000;

/** Milliseconds a worker may take beyond what it says, or what the config gives it to stop. */
const parting = 10_000;

/** With a callback, a worker that has just ended is no error of this process, which would take all others with it. */
function tellWorker(worker: Worker | undefined, message: WorkerOrder | Relayed | Answered): void {
  if (worker?.isConnected()) worker.send(message, undefined, {}, () => undefined);
}

/** Messages among workers: this process only carries them. */
function passOn(message: Relayed, from: Worker): void {
  const { to } = message.relay;
  for (const worker of Object.values(cluster.workers ?? {}))
    if (worker !== from && (to === undefined || to === worker?.id)) tellWorker(worker, message);
}

/** Starts a worker per core, replaces those that die, and passes on reloads and the order to stop. */
export function superviseWorkers({ config, read, log, onChange }: SupervisorInput): void {
  let current = config;
  let reloads = 0;
  let stopping = false;
  let greeted = false;
  const handedOver = new HandedOver();
  /** How long those that serve may take to stop, as far as they have said. */
  const stops = new WeakMap<Worker, number>();
  const clerks = { [countersTopic]: countersClerk(log) };
  const tell = (order: WorkerOrder) => {
    for (const worker of Object.values(cluster.workers ?? {})) tellWorker(worker, order);
  };
  const hire = () => {
    if (stopping) return;
    const hired = performance.now();
    const known = reloads;
    const worker: Worker = cluster.fork({ [workersKeyName]: workersKey });
    handedOver.watch(worker);
    // Node's own messages to one that has just ended have no callback.
    worker.on("error", (error) => log.debug("a worker could not be told something", { worker: worker.id, error }));
    worker.on("message", (report: WorkerReport | Relayed | Asked) => {
      if (isAsked(report)) return tellWorker(worker, answersOf(clerks, report));
      if (isRelayed(report)) return passOn(report, worker);
      if ("failed" in report) {
        // Where no worker ever served, there is nothing to keep up.
        if (!greeted) return giveUp(report.failed);
        log.error(`worker did not start:\n${report.failed}`);
        return;
      }
      stops.set(worker, "stopsWithin" in report ? report.stopsWithin : 0);
      if ("stopsWithin" in report) return;
      if (stopping) {
        // It was still starting when the order to stop went out.
        tellWorker(worker, { order: "stop", notReady: 0 });
      } else {
        // And so it was when the order to reload did: it may have read the file before.
        if (reloads > known) tellWorker(worker, { order: "reload" });
        if (greeted) return;
        greeted = true;
        process.stdout.write(welcome(config, report.listening));
      }
    });
    worker.once("exit", (code, signal) => {
      if (stopping) return;
      passOn({ relay: { topic: workerEnded, message: worker.id } }, worker);
      log.error("worker ended", { worker: worker.id, code, signal });
      setTimeout(hire, performance.now() - hired < youth ? youth : 0);
    });
  };
  const giveUp = (reason: string) => {
    if (stopping) return;
    stopping = true;
    process.stderr.write(`${reason}\n`, () => process.exit(1));
  };
  // Workers do not outlive a supervisor that ends at once: they would go on answering with nobody to stop them.
  process.on("exit", () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill("SIGKILL");
  });
  for (let count = 0; count < config.server.workers; count++) hire();

  const reload = async () => {
    try {
      current = await read();
      reloads++;
      tell({ order: "reload" });
    } catch (error) {
      log.error(`config not reloaded, the old one stays:\n${errorMessage(error)}`);
    }
  };
  onChange?.(() => void reload(), log);
  process.on("SIGHUP", () => void reload());
  onStop(log, async (patient) => {
    stopping = true;
    const { shutdown, hookDeadline } = current.server;
    const notReady = patient ? shutdown.notReady : 0;
    tell({ order: "stop", notReady });
    const usual = notReady + shutdown.grace + hookDeadline;
    const longest = (worker: Worker) => {
      const own = stops.get(worker);
      return own === undefined ? undefined : Math.max(own, usual) + parting;
    };
    const workers = Object.values(cluster.workers ?? {});
    await Promise.all(workers.map((worker) => worker && ended(worker, longest, log)));
  });
}

/**
 * Resolves when a worker has ended. One that does not, since it waits for something in its start or never comes to hear what it
 * is told, is ended: its supervisor would wait as long. `longest`: milliseconds that one may take which serves.
 */
async function ended(worker: Worker, longest: (worker: Worker) => number | undefined, log: Logger): Promise<void> {
  const exit = new Promise((resolve) => worker.once("exit", resolve));
  if (await atMost(youth, exit)) return;
  const milliseconds = longest(worker);
  if (milliseconds !== undefined && (await atMost(milliseconds, exit))) return;
  log.error("a worker does not stop, ending it", { worker: worker.id });
  worker.process.kill("SIGKILL");
  await exit;
}
