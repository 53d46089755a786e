import { resolve } from "node:path";
import { definePlugin, Logs, logStore, repeatedly, retentionOptions, whyNotWritable, z } from "../../core/index.ts";
import { FileBackend } from "./file-backend.ts";

const milliseconds = z.int().min(1);

export default definePlugin({
  name: "logs-file",
  summary: "Keeps the logs of requests in a file that all processes of this machine share.",
  options: z.strictObject({
    path: z
      .string()
      .min(1)
      .default(".sluice/logs.db")
      .describe("The file, relative to the config file. It is made by the first call that keeps or asks for a log."),
    timeout: milliseconds
      .default(10_000)
      .describe("Milliseconds a write or a search may take, waiting for others included."),
    ...retentionOptions,
    removeInterval: milliseconds.default(60_000).describe("Milliseconds between two rounds of removing what is old."),
  }),
  provides: [Logs],
  setup({ provide, onReady, onClose, log, folder }, { path, timeout, removeInterval, ...retention }) {
    const file = resolve(folder, path);
    const backend = new FileBackend({ path: file, timeout });
    const store = logStore(backend, { retention, log });
    const stopTending = repeatedly(removeInterval, () => store.tend());
    onClose(async () => {
      stopTending();
      await backend.close();
    }, timeout);
    provide(Logs, store);
    onReady(() => {
      const trouble = whyNotWritable(file);
      if (trouble) log.warn("logs cannot be kept", { path: file, reason: trouble });
    });
  },
});
