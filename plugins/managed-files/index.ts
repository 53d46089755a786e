import {
  Blobs,
  definePlugin,
  isForGateway,
  ManagedFiles,
  managedFilePrefix,
  OptionsError,
  Records,
  Routing,
  repeatedly,
  tapOwnProvider,
  z,
} from "../../core/index.ts";
import { KeptFiles } from "./kept-files.ts";
import { fileProcedures } from "./procedures.ts";

const answered = new Set(["uploadFile", "listFiles", "retrieveFile", "retrieveFileContent", "deleteFile"]);

/** A file of the gateway's own, whoever else is named. */
const ownFile = new RegExp(`/files/${managedFilePrefix}`);

export default definePlugin({
  name: "managed-files",
  summary: "Keeps files for clients that name no provider at /v1/files: the gateway itself is the provider.",
  options: z.strictObject({
    maxBytes: z.int().min(1).default(536_870_912).describe("Bytes of a file at most."),
    sweepInterval: z
      .int()
      .min(1000)
      .default(900_000)
      .describe("Milliseconds between two rounds of removing files that have expired."),
  }),
  needs: [Records, Blobs],
  uses: [Routing],
  provides: [ManagedFiles],
  setup(
    { service, offered, provide, hooks, endpoints, log, onReady, onServing, onClose },
    { maxBytes, sweepInterval },
  ) {
    const files = new KeptFiles(service(Records), service(Blobs), Date.now);
    provide(ManagedFiles, files);
    tapOwnProvider(hooks, "managed-files", async (exchange) => {
      if (!answered.has(exchange.endpoint.type)) return undefined;
      const isOurs = ownFile.test(exchange.url) || (await isForGateway(exchange, offered(Routing)));
      return isOurs ? fileProcedures(files, exchange, maxBytes) : undefined;
    });
    onReady(() => {
      if (!endpoints.some(({ type }) => answered.has(type)))
        throw new OptionsError({
          path: [],
          message: "needs a plugin that takes files of clients: format-openai-files",
        });
    });
    onServing(() =>
      onClose(
        repeatedly(sweepInterval, async () => {
          await files.sweep().catch((error: unknown) => log.warn("expired files were not removed", { error }));
          return false;
        }),
      ),
    );
  },
});
