import { resolve } from "node:path";
import { Bus, definePlugin, Records, recordStore, repeatedly, whyNotWritable, z } from "../../core/index.ts";
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
    const backend = new FileBackend({ path: file, timeout, pollInterval, bus: offered(Bus), log });
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
    }, timeout);
    provide(Records, store);
    // The file is opened by the first call: `sluice explain` and a start with nothing to keep leave no trace.
    onReady(() => {
      const trouble = store.used ? whyNotWritable(file) : undefined;
      if (trouble) log.warn("records cannot be kept", { path: file, reason: trouble });
    });
  },
});
