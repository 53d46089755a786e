/** What a measured process says of itself. */
export interface ProcessUsage {
  /** Microseconds of CPU, user and system, since its start. */
  readonly cpu: number;
  /** Bytes of resident memory, after a garbage collection where node was started with --expose-gc. */
  readonly rss: number;
}

/** Answers the message "usage" of the parent process, and ends with it. */
export function reportUsage(): void {
  process.on("disconnect", () => process.exit(0));
  process.on("message", (message) => {
    if (message !== "usage") return;
    const { user, system } = process.cpuUsage();
    globalThis.gc?.();
    process.send?.({ cpu: user + system, rss: process.memoryUsage.rss() } satisfies ProcessUsage);
  });
}
