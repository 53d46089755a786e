import { definePlugin, Records, recordStore, secret, z } from "../../core/index.ts";
import { Connection } from "./connection.ts";
import { MongoBackend } from "./mongo-backend.ts";

const milliseconds = z.int().min(1);

export default definePlugin({
  name: "records-mongodb",
  summary: "Keeps records in MongoDB, for all machines together.",
  options: z.strictObject({
    url: secret()
      .refine((url) => /^mongodb(\+srv)?:\/\/./.test(url.reveal()), {
        error: "must begin with mongodb:// or mongodb+srv://",
      })
      .describe("The connection string, with user, password and everything else the driver understands."),
    database: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,63}$/)
      .default("sluice")
      .describe("The database; its collections are called records_NAME."),
    timeout: milliseconds.default(5000).describe("Milliseconds a call may take."),
    waitAtStart: z
      .int()
      .min(0)
      .default(10_000)
      .describe("Milliseconds the start waits for the server before it fails. 0 starts without waiting for one."),
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
    const connection = await Connection.open({ url: url.reveal(), database, timeout, log });
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
