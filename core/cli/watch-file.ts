import { watch } from "node:fs";
import { basename, dirname } from "node:path";

/** Milliseconds in which several changes count as one: editors write a file in steps. */
const settling = 100;

/** Calls `changed` after a file was written, replaced, or linked anew. The folder is watched, so that it may be replaced. */
function watchFile(file: string, changed: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(dirname(file), (_event, name) => {
    // Mounted configuration is replaced by exchanging a link named ..data.
    if (name !== null && name !== basename(file) && name !== "..data") return;
    clearTimeout(timer);
    timer = setTimeout(changed, settling);
  });
  watcher.on("error", () => watcher.close());
  watcher.unref();
}

/** Watches a file from now on for whoever will listen, which may be a while later: what has changed by then is told at once. */
export function watchAhead(file: string): (changed: () => void) => void {
  let missed = false;
  let tell = () => {
    missed = true;
  };
  try {
    watchFile(file, () => tell());
  } catch {
    // Where there is no such folder, whoever reads the file says so.
  }
  return (changed) => {
    tell = changed;
    if (missed) changed();
  };
}
