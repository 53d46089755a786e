import cluster from "node:cluster";
import { ConfigError, type GatewayConfig, moduleLoader, readConfig } from "../config/index.ts";
import { errorMessage } from "../errors/error-message.ts";
import { thrownAt } from "../errors/thrown-at.ts";
import { whoseCode } from "../errors/whose-code.ts";
import { type Gateway, startGateway } from "../gateway.ts";
import { createLogger } from "../log.ts";
import type { Logger } from "../model/logger.ts";
import { version } from "../version.ts";
import { onForeignExit, onStop, onUncaught } from "./stop-signals.ts";
import { tuneProcess } from "./tuned-process.ts";
import { watchAhead } from "./watch-file.ts";
import { welcome } from "./welcome.ts";
import { superviseWorkers, type WorkerOrder, type WorkerReport } from "./workers.ts";

export interface StartOptions {
  readonly port?: string;
}

/** `sluice start FILE`: serves until told to stop. */
export async function start(file: string, options: StartOptions): Promise<void> {
  tuneProcess();
  // A start takes a second or so, in which the file may be written.
  const onChange = cluster.isWorker ? undefined : watchAhead(file);
  const loader = moduleLoader();
  const read = async () => withPort(await readConfig(file, loader), options.port);
  let config: GatewayConfig;
  try {
    config = await read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return notStarted(error.message);
  }
  const log = createLogger(config.server.log.level);
  for (const warning of config.warnings) log.warn(warning);
  if (config.server.workers > 1 && cluster.isPrimary) return superviseWorkers({ config, read, log, onChange });

  onForeignExit(log);
  process.once("uncaughtException", failedEarly);
  let first: GatewayConfig | undefined = config;
  const gateway = await startGateway({
    log,
    version,
    // The file was read once already, to know how many workers to start.
    read: async () => {
      const known = first;
      first = undefined;
      return known ?? read();
    },
    builtIn: new Set(loader.knownProviders()),
    loadProvider: (name) => loader.provider(name, config.folder),
  }).catch((error: unknown) => startFailed(error, config));
  process.off("uncaughtException", failedEarly);
  if (!gateway) return;
  if (cluster.isWorker) return obey(gateway, log);
  onChange?.(() => void gateway.reload(), log);
  process.on("SIGHUP", () => void gateway.reload());
  onStop(log, (patient, graceMs) => gateway.shutdown(patient ? undefined : 0, graceMs));
  // Last: whoever reads this may send signals.
  process.stdout.write(welcome(gateway.config, gateway.port));
}

function startFailed(error: unknown, { server }: GatewayConfig): undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const reason = errorMessage(error);
  if (error instanceof ConfigError) return void notStarted(reason);
  notStarted(
    code === "EADDRINUSE"
      ? `Port ${server.port} of ${server.host} is taken: stop what listens there, or start with --port.`
      : `The gateway did not start: ${reason}`,
  );
}

/** What nobody caught while the gateway started keeps it from starting: what was being set up may not be whole. */
function failedEarly(error: unknown): void {
  const whose = Object.entries(whoseCode(error) ?? {}).map(([kind, name]) => `[${kind} ${name}] `);
  const reason = `${errorMessage(error)}${thrownAt(error)}`;
  notStarted(`The gateway did not start: ${whose.join("")}a failure that nobody caught: ${reason}`);
  if (!cluster.isWorker) process.exit(1);
}

/** Ends the process. A worker leaves it to its supervisor to say why: all workers fail alike. */
function notStarted(reason: string): void {
  process.exitCode = 1;
  if (!cluster.isWorker) return void process.stderr.write(`${reason}\n`);
  // The channel to the supervisor would keep the process alive.
  process.send?.({ failed: reason } satisfies WorkerReport, undefined, {}, () => process.exit(1));
}

function withPort(config: GatewayConfig, port: string | undefined): GatewayConfig {
  if (port === undefined) return config;
  const number = Number(port);
  if (!Number.isInteger(number) || number < 0 || number > 65_535)
    throw new ConfigError([
      {
        file: "command line",
        line: 1,
        column: 1,
        path: "--port",
        message: `"${port}" is not a port: a number from 0 to 65535`,
      },
    ]);
  return { ...config, server: { ...config.server, port: number } };
}

/** A worker does what its supervisor says. Losing the supervisor is an order to stop. */
function obey(gateway: Gateway, log: Logger): void {
  process.on("message", (order: WorkerOrder) => {
    if (order.order === "reload") void gateway.reload();
    if (order.order !== "stop") return;
    process.send?.({ stopsWithin: gateway.stopsWithin(order.notReady) } satisfies WorkerReport);
    void gateway.shutdown(order.notReady).then(() => process.exit(0));
  });
  process.on("disconnect", () => void gateway.shutdown(0).then(() => process.exit(0)));
  onUncaught(log, () => void gateway.shutdown(0, 0).then(() => process.exit(1)));
  // The terminal sends its signals to the whole group; the supervisor is the one to act on them.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => log.debug(signal));
  process.send?.({ listening: gateway.port } satisfies WorkerReport);
}
