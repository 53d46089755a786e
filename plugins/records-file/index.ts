import { accessSync, constants, existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Bus, definePlugin, Records, recordStore, z } from "../../core/index.ts";
import { FileBackend } from "./file-backend.ts";

const milliseconds = z.int().min(1);

export default definePlugin({
  name: "records-file",
  summary: "Keeps records in a file that all processes of this machine share.",
  options: z.strictObject({
    path: z
      .string()
      .min(1)
      .default(".sluice/records.db")
      .describe(
        "The file, relative to the config file. It is made by the first call that asks for a record or keeps one.",
      ),
    timeout: milliseconds
      .default(10_000)
      .describe("Milliseconds a write may take, waiting for other processes included."),
    pollInterval: milliseconds.default(250).describe("Milliseconds between two looks for what other processes wrote."),
    sweepInterval: milliseconds
      .default(60_000)
      .describe("Milliseconds between two rounds of removing what has expired."),
  }),
  provides: [Records],
  uses: [Bus],
  setup({ provide, offered, onReady, onClose, log, folder }, { path, timeout, pollInterval, sweepInterval }) {
    const file = resolve(folder, path);
    const backend = new FileBackend({ path: file, timeout, pollInterval, bus: offered(Bus) });
    const store = recordStore(backend, log);
    const stopTending = repeatedly(sweepInterval, async () => {
      await store.tend();
      return backend.sweep(Date.now()).catch((error: unknown) => {
        log.debug("expired records were not removed", { error });
        return false;
      });
    });
    onClose(async () => {
      stopTending();
      store.close();
      await backend.close();
    });
    provide(Records, store);
    // The file is opened by the first call: `sluice explain` and a start with nothing to keep leave no trace.
    onReady(() => {
      const trouble = store.used ? whyNotWritable(file) : undefined;
      if (trouble) log.warn("records cannot be kept", { path: file, reason: trouble });
    });
  },
});

/** Milliseconds until the next round when one was not enough. */
const soon = 1000;

/** Does a round after each interval, and sooner when the last one says that there is more to do. */
function repeatedly(interval: number, round: () => Promise<boolean>): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const after = (pause: number) => {
    timer = setTimeout(async () => {
      const more = await round();
      if (!stopped) after(more ? Math.min(soon, interval) : interval);
    }, pause).unref();
  };
  after(interval);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** Asks the system, and opens nothing. A file that is not there is made below the nearest folder that is. */
function whyNotWritable(path: string): string | undefined {
  let place = path;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  try {
    accessSync(place, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
