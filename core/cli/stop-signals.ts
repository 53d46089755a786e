import type { Logger } from "../plugin.ts";

/** SIGTERM stops patiently, SIGINT at once; a second signal ends the process. */
export function onStop(log: Logger, stop: (patient: boolean) => Promise<void>): void {
  let stopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      log.info("stopping", { signal });
      void stop(signal === "SIGTERM").then(() => process.exit(0));
    });
}
