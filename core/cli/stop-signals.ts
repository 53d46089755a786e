import { whoseCode } from "../errors/whose-code.ts";
import type { Logger } from "../model/logger.ts";

/**
 * SIGTERM stops patiently, SIGINT at once; a second signal ends the process. A failure nobody caught is logged, closes
 * what is open and ends the process with 1.
 */
export function onStop(log: Logger, stop: (patient: boolean, graceMs?: number) => Promise<void>): void {
  let stopping = false;
  const end = (code: number) => () => process.exit(code);
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      log.info("stopping", { signal });
      stop(signal === "SIGTERM").then(end(0), (error: unknown) => {
        log.error("stopping failed", { error });
        process.exit(1);
      });
    });
  onUncaught(log, () => {
    if (stopping) process.exit(1);
    stopping = true;
    stop(false, 0).then(end(1), end(1));
  });
}

/** Logs what nobody caught, and whose it is, before `stop` does what is left to do. */
export function onUncaught(log: Logger, stop: () => void): void {
  process.on("uncaughtException", (error) => {
    log.error("uncaught failure, stopping", { ...whoseCode(error), error });
    stop();
  });
}

/** Says who ends the process where that is none of the gateway's business: the log would just stop. */
export function onForeignExit(log: Logger): void {
  // Before the log writes what it holds back: what is told behind that is lost.
  process.prependListener("exit", (code) => {
    const error = new Error("process.exit() was called");
    const whose = whoseCode(error);
    if (whose) log.error("the process is ended by a plugin or a provider", { ...whose, code, error });
  });
}
