import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { LogError, logStore, MongoConnection } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { MongoBackend } from "../../plugins/logs-mongodb/mongo-backend.ts";
import { bodyOf, logEntry, logObject } from "../support/log-entries.ts";
import { type MongoServer, startMongoServer } from "../support/mongo-server.ts";
import { troubles } from "../support/mongo-troubles.ts";
import { holdsTheLogsContract, type JoinLogs } from "./logs.ts";

/** The address of a MongoDB to be tested against, instead of the server that comes with the tests. */
const { MONGODB_URI: given } = process.env;

/** A way into a database of its own, which is dropped in the end. */
function joinTo(url: string, timeout = 10_000): JoinLogs {
  const database = `sluice_test_${randomUUID().slice(0, 8)}`;
  return async ({ now = Date.now, ...limits } = {}) => {
    const down = (reason: string) => new LogError("down", reason);
    const connection = await MongoConnection.open({ url, database, timeout, log: silentLogger, down });
    const retention = { objectDays: 90, rowDays: 365, ...limits };
    const backend = new MongoBackend(connection, retention);
    return {
      store: logStore(backend, { retention, log: silentLogger, now }),
      async close() {
        if (given) await connection.database.dropDatabase().catch(() => undefined);
        await backend.close();
      },
    };
  };
}

async function ownServer(): Promise<MongoServer> {
  const server = await startMongoServer();
  onTestFinished(() => server.stop());
  return server;
}

describe(`logs-mongodb ${given ? "at MONGODB_URI" : "on a server of its own"}`, () =>
  holdsTheLogsContract(async () => joinTo(given ?? (await ownServer()).uri)));

describe("logs-mongodb when the server", () => {
  const opened = async (server: MongoServer, timeout?: number) => {
    const { store, close } = await joinTo(server.uri, timeout)();
    onTestFinished(close);
    return store;
  };

  it("is stopped, fails at once, and comes back by itself", async () => {
    const server = await ownServer();
    const store = await opened(server, 600);
    await store.append([logEntry({ id: "a" })]);
    await server.stop();
    const error = await store.append([logEntry({ id: "b" })]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: "down" });
    expect(store.available).toBe(false);
    await server.restart();
    await expect.poll(() => store.available, { interval: 20, timeout: 10_000 }).toBe(true);
    await store.append([logEntry({ id: "a" }), logEntry({ id: "b" })]);
    expect(await store.count({ organisation: "o" })).toBe(2);
  });

  it.each(Object.entries(troubles))("is %s, says so, and is found again", async (_, begin) => {
    const server = await ownServer();
    const store = await opened(server, 600);
    const append = (id: string) =>
      store.append([logEntry({ id })]).then(
        () => "done",
        ({ reason }) => reason,
      );
    await Promise.all(Array.from({ length: 10 }, (_, at) => append(`before ${at}`)));
    const end = await begin(server);
    await expect.poll(() => append("meanwhile"), { interval: 5, timeout: 5000 }).toBe("down");
    expect(store.available).toBe(false);
    await end();
    // Ten times in a row: connections that were there before are not met again.
    const after = async () => {
      const ends: string[] = [];
      for (let at = 0; at < 10; at++) ends.push(await append(`after ${at}`));
      return new Set(ends);
    };
    await expect.poll(after, { interval: 20, timeout: 8000 }).toEqual(new Set(["done"]));
    const found = await store.count({ organisation: "o" });
    expect(found - 20).toBeOneOf([0, 1]);
  });

  it("deletes what is too old by itself", async () => {
    const server = await ownServer();
    const store = await opened(server);
    const created_at = new Date().toISOString();
    await store.append([logEntry({ id: "a", created_at }, logObject(bodyOf("{}"), bodyOf("{}")))]);
    const day = 24 * 60 * 60 * 1000;
    server.removeExpired(Date.now() + 100 * day);
    const left = await store.get({ organisation: "o", id: "a" });
    expect(left).toBeDefined();
    expect(left).not.toHaveProperty("object");
    server.removeExpired(Date.now() + 400 * day);
    expect(await store.get({ organisation: "o", id: "a" })).toBeUndefined();
  });
});
