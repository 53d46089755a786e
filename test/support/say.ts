import { writeSync } from "node:fs";

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Prints a line at once, also when the process is killed right after it. Whoever reads may be busy: it waits for room. */
export function say(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}
