/** What a measured process says of itself. */
export interface ProcessUsage {
  /** Microseconds of CPU, user and system, since its start. */
  readonly cpu: number;
  /** Bytes of resident memory, after a garbage collection where node was started with --expose-gc. */
  readonly rss: number;
}

/** Answers the message "usage" of the parent process, and ends with it. */
export function reportUsage(): void {
  let ignored = 0;
  process.on("disconnect", () => process.exit(0));
  process.on("message", (message) => {
    if (message !== "usage") return;
    const cpu = spent();
    globalThis.gc?.();
    // The collection is for the memory reading: its own cost belongs to no request.
    const usage: ProcessUsage = { cpu: cpu - ignored, rss: process.memoryUsage.rss() };
    ignored += spent() - cpu;
    process.send?.(usage);
  });
}

function spent(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
