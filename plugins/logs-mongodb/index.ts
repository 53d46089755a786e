import {
  definePlugin,
  LogError,
  Logs,
  logStore,
  MongoConnection,
  mongoOptions,
  repeatedly,
  retentionOptions,
  z,
} from "../../core/index.ts";
import { MongoBackend } from "./mongo-backend.ts";

export default definePlugin({
  name: "logs-mongodb",
  summary: "Keeps the logs of requests in MongoDB, for all machines together.",
  options: z.strictObject({
    ...mongoOptions("logs_rows, logs_objects and logs_feedback", 5000),
    ...retentionOptions,
    removeInterval: z.int().min(1).default(60_000).describe("Milliseconds between two rounds of removing what is old."),
  }),
  provides: [Logs],
  async setup({ provide, onReady, onClose, log }, options) {
    const { url, database, timeout, waitAtStart, removeInterval, ...retention } = options;
    const connection = await MongoConnection.open({
      url: url.reveal(),
      database,
      timeout,
      log,
      down: (reason) => new LogError("down", reason),
    });
    const backend = new MongoBackend(connection, retention);
    const store = logStore(backend, { retention, log });
    const stopTending = repeatedly(removeInterval, () => store.tend());
    onClose(async () => {
      stopTending();
      await backend.close();
    });
    provide(Logs, store);
    onReady(async () => {
      if (waitAtStart === 0) return connection.seek();
      await connection.waitFor(waitAtStart);
      await backend.open();
    });
  },
});
