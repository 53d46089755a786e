/** What a measured process is asked: how much CPU it has used, or how much memory it holds. */
export type Reading = "cpu" | "memory";

/**
 * Answers the parent process, and ends with it: "cpu" with microseconds, user and system, since its start; "memory" with
 * bytes of resident memory after a garbage collection, where node was started with --expose-gc. A collection that was asked
 * for makes what comes after it slower for thousands of requests: it has no place among those that are measured.
 */
export function reportUsage(): void {
  process.on("disconnect", () => process.exit(0));
  process.on("message", (message) => {
    if (message === "cpu") process.send?.(spent());
    if (message !== "memory") return;
    globalThis.gc?.();
    process.send?.(process.memoryUsage.rss());
  });
}

function spent(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
