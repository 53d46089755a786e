import { resolve } from "node:path";
import { Blobs, definePlugin, z } from "../../core/index.ts";
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
  }),
  provides: [Blobs],
  setup({ provide, folder, onServing, log }, { path }) {
    const blobs = new BlobFolder(resolve(folder, path));
    provide(Blobs, blobs);
    onServing(() => {
      blobs.sweep(Date.now()).catch((error: unknown) => log.warn("drafts of files were not removed", { error }));
    });
  },
});
