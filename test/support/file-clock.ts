import { rmSync, statSync, writeFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";

/** The clock of a file system has gone on since a file was changed last: whatever is changed now is newer. */
export async function newerThan(file: string): Promise<void> {
  const probe = `${file}.probe`;
  const before = statSync(file).ctimeMs;
  do {
    await setImmediate();
    writeFileSync(probe, "");
  } while (statSync(probe).ctimeMs <= before);
  rmSync(probe);
}
