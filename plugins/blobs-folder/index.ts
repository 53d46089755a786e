import { resolve } from "node:path";
import { Blobs, definePlugin, repeatedly, z } from "../../core/index.ts";
import { BlobFolder } from "./folder.ts";

export default definePlugin({
  name: "blobs-folder",
  summary: "Keeps the bytes of files in a folder.",
  options: z.strictObject({
    path: z
      .string()
      .min(1)
      .default(".sluice/blobs")
      .describe("The folder, relative to the config file. It is made with the first file."),
    sweepInterval: z
      .int()
      .min(1)
      .default(3_600_000)
      .describe("Milliseconds between two rounds of removing what processes that died were writing."),
  }),
  provides: [Blobs],
  setup({ provide, folder, onServing, onClose, log }, { path, sweepInterval }) {
    const blobs = new BlobFolder(resolve(folder, path), log);
    provide(Blobs, blobs);
    const sweep = async () => {
      await blobs.sweep(Date.now()).catch((error: unknown) => log.warn("drafts of files were not removed", { error }));
      return false;
    };
    onServing(() => {
      void sweep();
      onClose(repeatedly(sweepInterval, sweep));
    });
  },
});
