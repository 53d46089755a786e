import { describe, expect, it, onTestFinished } from "vitest";
import { recordStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { keepingLogger, startTestGateway } from "../../test/support/gateway.ts";
import { startMongoServer } from "../../test/support/mongo-server.ts";
import { freePort } from "../../test/support/redis-server.ts";
import { openConnection } from "./connection.ts";
import { indexes } from "./documents.ts";
import { MongoBackend } from "./mongo-backend.ts";

const config = (more: string) => `plugins:\n  records-mongodb: { url: '\${MONGODB_URL}', ${more} }\n`;

const nobody = async () => `mongodb://user:private-password@127.0.0.1:${await freePort()}/`;

describe("a gateway with its records in MongoDB", () => {
  it("does not start without it, says so in time, and prints no credential", async () => {
    const starting = startTestGateway(config("timeout: 200, waitAtStart: 300"), { MONGODB_URL: await nobody() });
    const error = await starting.then(
      () => "it started",
      (thrown: unknown) => thrown,
    );
    expect(String(error)).toContain("[plugin records-mongodb] start: MongoDB cannot be used");
    expect(String(error)).not.toContain("private-password");
  });

  it("starts without it when told not to wait, says that it is away, and prints no credential", async () => {
    const variables = { MONGODB_URL: await nobody() };
    const gateway = await startTestGateway(config("timeout: 200, waitAtStart: 0"), variables);
    const warned = () => gateway.log.lines.filter(({ level }) => level === "warn");
    await expect.poll(warned, { interval: 10 }).toHaveLength(1);
    expect(JSON.stringify(gateway.log.lines)).not.toContain("private-password");
  });

  it("starts with it", async () => {
    const server = await startMongoServer();
    onTestFinished(() => server.stop());
    const gateway = await startTestGateway(config(""), { MONGODB_URL: server.uri });
    expect(gateway.log.lines.filter(({ level }) => level === "warn")).toEqual([]);
  });

  it("waits for a server that is late", async () => {
    const server = await startMongoServer();
    onTestFinished(() => server.stop());
    await server.stop();
    const starting = startTestGateway(config("timeout: 300, waitAtStart: 15000"), { MONGODB_URL: server.uri });
    await server.restart();
    await starting;
  });

  it("refuses an address that is none", async () => {
    const variables = { MONGODB_URL: "http://127.0.0.1" };
    await expect(startTestGateway(config(""), variables)).rejects.toThrow(/must begin with mongodb:\/\//);
  });
});

it("makes the indexes of every declared collection when it opens", async () => {
  const server = await startMongoServer();
  onTestFinished(() => server.stop());
  const connection = await openConnection({ url: server.uri, database: "d", timeout: 5000, log: silentLogger });
  const backend = new MongoBackend(connection, { pollInterval: 1000 });
  onTestFinished(() => backend.close());
  const store = recordStore(backend, silentLogger);
  store.collection({ name: "prompts", schemaVersion: 1 });
  await store.open();
  const made = await connection.call((database) => database.collection("records_prompts").listIndexes().toArray());
  expect(made.map(({ name }) => name).sort()).toEqual(["_id_", ...indexes.map(({ name }) => name)].sort());
});

it("is there all the same where something is too large to be sent", async () => {
  const server = await startMongoServer();
  onTestFinished(() => server.stop());
  const log = keepingLogger();
  const connection = await openConnection({ url: server.uri, database: "d", timeout: 5000, log });
  onTestFinished(() => connection.close());
  const text = "x".repeat(18_000_000);
  const added = connection.call((database) => database.collection("things").insertOne({ text }));
  await expect(added).rejects.toMatchObject({ reason: "down", message: expect.stringContaining("out of range") });
  expect(connection.available).toBe(true);
  expect(await connection.call((database) => database.collection("things").countDocuments())).toBe(0);
  expect(log.lines).toEqual([]);
});
