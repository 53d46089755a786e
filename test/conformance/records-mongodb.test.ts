import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { keptRecords, recordStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { openConnection } from "../../plugins/records-mongodb/connection.ts";
import { MongoBackend } from "../../plugins/records-mongodb/mongo-backend.ts";
import { type MongoServer, startMongoServer } from "../support/mongo-server.ts";
import { troubles } from "../support/mongo-troubles.ts";
import { holdsTheRecordsContract } from "./records.ts";
import { type Join, joined, listening, prompts, rejectsWith } from "./records-deployment.ts";
import { holdsTheRecordsContractOverTime } from "./records-over-time.ts";

/** The address of a MongoDB to be tested against, instead of the server that comes with the tests. */
const { MONGODB_URI: given } = process.env;

/** A way into a database of its own, which is dropped in the end. */
function joinTo(uri: string, timeout = 10_000): Join {
  const database = `sluice_test_${randomUUID().slice(0, 8)}`;
  return async (now) => {
    const connection = await openConnection({ url: uri, database, timeout, log: silentLogger });
    const backend = new MongoBackend(connection, { pollInterval: 20 });
    const store = recordStore(backend, silentLogger, now);
    return {
      store,
      async close() {
        store.close();
        if (given) await connection.database.dropDatabase().catch(() => undefined);
        await backend.close();
      },
    };
  };
}

async function ownServer(replicaSet: boolean): Promise<MongoServer> {
  const server = await startMongoServer({ replicaSet });
  onTestFinished(() => server.stop());
  return server;
}

const kinds: Readonly<Record<string, () => Promise<Join>>> = given
  ? { "at MONGODB_URI": async () => joinTo(given) }
  : {
      "on a replica set": async () => joinTo((await ownServer(true)).uri),
      "on a server without change streams": async () => joinTo((await ownServer(false)).uri),
    };

for (const [kind, deployment] of Object.entries(kinds))
  describe(`records-mongodb ${kind}`, () => {
    holdsTheRecordsContract(deployment);
    holdsTheRecordsContractOverTime(deployment);
  });

describe("records-mongodb when the server", () => {
  const stores = async (server: MongoServer, timeout = 300) => {
    const { store } = await joined(joinTo(server.uri, timeout));
    return { store, records: store.collection(prompts) };
  };
  const back = async (records: Awaited<ReturnType<typeof stores>>["records"]) =>
    expect
      .poll(() => records.get({ tenant: "t", id: "a" }).catch(() => "down"), { interval: 20, timeout: 10_000 })
      .toMatchObject({ id: "a" });

  it("is stopped, fails at once, and comes back by itself", async () => {
    const server = await ownServer(true);
    const { store, records } = await stores(server);
    await records.insert({ tenant: "t", id: "a", document: {} });
    const { heard } = listening((...to) => records.changes(...to));
    await records.count({});
    await server.stop();
    await rejectsWith("down", records.get({ tenant: "t", id: "a" }));
    expect(store.available).toBe(false);
    await rejectsWith("down", records.insert({ tenant: "t", id: "b", document: {} }));
    await server.restart();
    await back(records);
    expect(store.available).toBe(true);
    const written = async () => {
      const { version = 0 } = (await records.get({ tenant: "t", id: "a" })) ?? {};
      await records.update({ tenant: "t", id: "a", version }, { document: {} });
      return heard.length;
    };
    await expect.poll(written, { interval: 50, timeout: 10_000 }).toBeGreaterThan(0);
  });

  it("answers nobody, misses one deadline", async () => {
    const server = await ownServer(true);
    const { store, records } = await stores(server);
    await records.insert({ tenant: "t", id: "a", document: {} });
    server.freeze();
    const error = await rejectsWith("down", records.get({ tenant: "t", id: "a" }));
    expect(error.message).toContain("300 ms");
    expect(store.available).toBe(false);
    server.thaw();
    await back(records);
  });

  it.each(Object.entries(troubles))(
    "is %s, what was read stays at hand, and changes are heard afterwards",
    async (_, begin) => {
      const server = await ownServer(true);
      const join = async (uri: string) => {
        const connection = await openConnection({ url: uri, database: "d", timeout: 600, log: silentLogger });
        const backend = new MongoBackend(connection, { pollInterval: 20 });
        const store = recordStore(backend, silentLogger);
        onTestFinished(async () => {
          store.close();
          await backend.close();
        });
        return { store, records: store.collection(prompts) };
      };
      const { store, records } = await join(server.uri);
      const other = (await join((await server.door()).uri)).records;
      await other.insert({ tenant: "t", id: "a", document: { name: "0" } });
      const kept = keptRecords({ collection: records, read: ({ document }) => document.name });
      onTestFinished(() => kept.close());
      const known = () => Promise.resolve(kept.find("t", "a")).catch(() => "down");
      await kept.find("t", "a");
      await kept.find("t", "b");
      // Connections that are idle, and will be asked.
      await Promise.all(Array.from({ length: 10 }, () => records.count({})));
      const end = await begin(server);
      await expect
        .poll(() => records.count({}).then(String, () => store.available), { interval: 5, timeout: 5000 })
        .toBe(false);
      expect(await known()).toBe("0");
      await other.update({ tenant: "t", id: "a", version: 1 }, { document: { name: "1" } });
      await end();
      await expect.poll(known, { interval: 10, timeout: 8000 }).toBe("1");
      await other.update({ tenant: "t", id: "a", version: 2 }, { document: { name: "2" } });
      await expect.poll(known, { interval: 10, timeout: 8000 }).toBe("2");
      const written = () =>
        records.update({ tenant: "t", id: "a", version: 3 }, { document: { name: "3" } }).then(
          () => "done",
          ({ reason }) => reason,
        );
      // A write that is not known to be done may be.
      await expect.poll(written, { interval: 10, timeout: 8000 }).toMatch(/done|conflict/);
    },
  );

  it("is frozen, does not hold up who closes", async () => {
    const server = await ownServer(true);
    // A call of the store may take longer than a test.
    const { store, close } = await joinTo(server.uri, 600_000)();
    const records = store.collection(prompts);
    listening((...to) => records.changes(...to));
    await records.count({});
    server.freeze();
    await close();
  });

  it("deletes what is of no more use to anybody", async () => {
    const server = await ownServer(true);
    const { records } = await stores(server, 10_000);
    const expiresAt = Date.now() + 1000;
    await records.insert({ tenant: "t", id: "a", document: { slug: "s" }, expiresAt });
    await records.insert({ tenant: "t", id: "removed", document: {} });
    await records.insert({ tenant: "t", id: "stays", document: {} });
    await records.remove({ tenant: "t", id: "removed" });
    server.removeExpired(Date.now() + 3_600_000);
    expect((await records.find({})).records.map(({ id }) => id)).toEqual(["stays"]);
  });
});

it("does not repeat the credentials of an address that cannot be used", async () => {
  const url = "mongodb://user:private-password@127.0.0.1:1/?unknownOption=private-password";
  const opening = openConnection({ url, database: "d", timeout: 100, log: silentLogger });
  const error = await opening.catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ message: expect.stringContaining("cannot be used") });
  expect(String(error)).not.toContain("private-password");
});
