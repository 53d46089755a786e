import { definePlugin, mongoOptions, Records, recordStore, z } from "../../core/index.ts";
import { openConnection } from "./connection.ts";
import { MongoBackend } from "./mongo-backend.ts";

const milliseconds = z.int().min(1);

export default definePlugin({
  name: "records-mongodb",
  summary: "Keeps records in MongoDB, for all machines together.",
  options: z.strictObject({
    // Records are found by an index: a server that takes longer is one not to wait for.
    ...mongoOptions("records_NAME", 1500),
    pollInterval: milliseconds
      .default(1000)
      .describe("Milliseconds between two looks for changes, on a server without change streams."),
    sweepInterval: milliseconds
      .default(60_000)
      .describe("Milliseconds between two looks for records that an earlier version has written."),
  }),
  provides: [Records],
  async setup({ provide, onReady, onClose, log }, options) {
    const { url, database, timeout, waitAtStart, pollInterval, sweepInterval } = options;
    const connection = await openConnection({ url: url.reveal(), database, timeout, log });
    const backend = new MongoBackend(connection, { pollInterval });
    const store = recordStore(backend, log);
    const timer = setInterval(() => void store.tend(), sweepInterval).unref();
    onClose(async () => {
      clearInterval(timer);
      store.close();
      await backend.close();
    });
    provide(Records, store);
    onReady(async () => {
      if (waitAtStart === 0) return connection.seek();
      await connection.waitFor(waitAtStart);
      await store.open();
    });
  },
});
