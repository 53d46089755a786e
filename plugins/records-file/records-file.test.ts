import { EventEmitter } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type BusService, type CollectionDefinition, loadSqlite, recordStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { startTestGateway } from "../../test/support/gateway.ts";
import { FileBackend, type FileOptions } from "./file-backend.ts";

const notes: CollectionDefinition<{ readonly text?: string }> = { name: "notes", schemaVersion: 1, unique: [["text"]] };

/** So long that nothing in a test waits for it. */
const never = 1_000_000;

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sluice-records-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function opened(options: Partial<FileOptions> & { readonly path: string }, now?: () => number) {
  const backend = new FileBackend({ timeout: 10_000, pollInterval: 10, ...options });
  onTestFinished(() => backend.close());
  return { backend, records: recordStore(backend, silentLogger, now).collection(notes) };
}

/** Other connections to the same file see what is in it. */
async function rows(path: string, sql: string): Promise<unknown[]> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(path, { readOnly: true });
  const found = database.prepare(sql).all();
  database.close();
  return found.flatMap((row) => Object.values(row as object));
}

/** A bus among the stores of a test. */
function bus(): () => BusService {
  const wire = new EventEmitter();
  return () => {
    const self = {};
    return {
      publish: (topic, message) => void wire.emit(topic, self, message),
      subscribe(topic, listener) {
        const own = (from: object, message: unknown) => from !== self && listener(message);
        wire.on(topic, own);
        return () => void wire.off(topic, own);
      },
    };
  };
}

describe("the file", () => {
  it("is not there before somebody asks for a record, and is its owner's alone", async () => {
    const path = join(temporaryFolder(), "below/records.db");
    await startTestGateway(`plugins:\n  records-file: { path: '${path}' }\n`);
    const { records, backend } = opened({ path });
    expect(existsSync(join(path, ".."))).toBe(false);
    await records.insert({ tenant: "t", id: "a", document: {} });
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
    await backend.close();
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });

  it("is refused when it is none, or of a later version, and named", async () => {
    const folder = temporaryFolder();
    const none = join(folder, "none.db");
    writeFileSync(none, "this is no database, but it is long enough to be taken for one".repeat(20));
    const first = opened({ path: none, timeout: 500 });
    await expect(first.records.count({})).rejects.toMatchObject({
      reason: "down",
      message: expect.stringContaining(none),
    });
    expect(first.backend.available).toBe(false);
    const later = join(folder, "later.db");
    const { DatabaseSync } = await loadSqlite();
    const database = new DatabaseSync(later);
    database.exec("PRAGMA user_version = 99");
    database.close();
    await expect(opened({ path: later }).records.count({})).rejects.toThrow(
      /a later version of the gateway.*format 99/,
    );
  });

  it("is found again once it can be opened", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "in-the-way/records.db");
    writeFileSync(join(folder, "in-the-way"), "");
    const { records, backend } = opened({ path });
    await expect(records.count({})).rejects.toMatchObject({ reason: "down" });
    expect(backend.available).toBe(false);
    rmSync(join(folder, "in-the-way"));
    expect(await records.count({})).toBe(0);
    expect(backend.available).toBe(true);
  });
});

describe("another process that", () => {
  it("holds the lock makes writes fail in time, while everything else goes on", async () => {
    const path = join(temporaryFolder(), "records.db");
    const log = { warn: vi.fn(), info: vi.fn() };
    const { records, backend } = opened({ path, timeout: 400, log });
    await records.insert({ tenant: "t", id: "a", document: {} });
    const { DatabaseSync } = await loadSqlite();
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    let turns = 0;
    const counting = setInterval(() => turns++, 5);
    const write = records.insert({ tenant: "t", id: "b", document: {} });
    expect(await records.get({ tenant: "t", id: "a" })).toBeDefined();
    await expect(write).rejects.toMatchObject({ reason: "down" });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(0);
    expect(backend.available).toBe(false);
    await expect(records.insert({ tenant: "t", id: "b", document: {} })).rejects.toMatchObject({ reason: "down" });
    expect(await records.get({ tenant: "t", id: "a" })).toBeDefined();
    expect(log.warn.mock.calls).toEqual([["the records cannot be used", { path, reason: expect.any(String) }]]);
    expect(log.info).not.toHaveBeenCalled();
    other.exec("COMMIT");
    other.close();
    await records.insert({ tenant: "t", id: "b", document: {} });
    expect(backend.available).toBe(true);
    expect(log.info.mock.calls).toEqual([["the records can be used again", { path }]]);
  });

  it("writes is heard over the bus at once", async () => {
    const path = join(temporaryFolder(), "records.db");
    const wire = bus();
    const one = opened({ path, pollInterval: never, bus: wire() });
    const other = opened({ path, pollInterval: never, bus: wire() });
    const heard: string[] = [];
    other.records.changes(({ id }) => heard.push(id));
    await other.records.count({});
    await one.records.insert({ tenant: "t", id: "a", document: {} });
    await expect.poll(() => heard, { interval: 1 }).toEqual(["a"]);
  });

  it("writes while nobody looks is missed, and that is said", async () => {
    const path = join(temporaryFolder(), "records.db");
    const wire = bus();
    const one = opened({ path });
    const sleeper = opened({ path, pollInterval: never, bus: wire() });
    let missed = 0;
    const heard: string[] = [];
    sleeper.records.changes(
      ({ id }) => heard.push(id),
      () => missed++,
    );
    await sleeper.records.count({});
    for (const id of ["a", "b"]) await one.records.insert({ tenant: "t", id, document: {} });
    await one.backend.sweep(Date.now() + 3_600_000);
    expect(await rows(path, "SELECT count(*) FROM changes")).toEqual([0]);
    wire().publish("records-file", null);
    expect({ missed, heard }).toEqual({ missed: 1, heard: [] });
    await one.records.insert({ tenant: "t", id: "c", document: {} });
    wire().publish("records-file", null);
    expect({ missed, heard }).toEqual({ missed: 1, heard: ["c"] });
  });
});

describe("a round of sweeping", () => {
  it("deletes what has expired and nothing else, so many at once", async () => {
    const path = join(temporaryFolder(), "records.db");
    const { records, backend } = opened({ path }, () => 1000);
    const many = Array.from({ length: 1100 }, (_, at) => `${at}`);
    await Promise.all(many.map((id) => records.insert({ tenant: "t", id, document: { text: id }, expiresAt: 2000 })));
    await records.insert({ tenant: "t", id: "stays", document: { text: "stays" }, expiresAt: 2001 });
    expect(await backend.sweep(1999)).toBe(false);
    expect(await backend.sweep(2000)).toBe(true);
    expect(await rows(path, "SELECT count(*) FROM records")).toEqual([101]);
    expect(await backend.sweep(2000)).toBe(false);
    expect(await rows(path, "SELECT id FROM records")).toEqual(["stays"]);
    expect(await rows(path, "SELECT claim FROM claims")).toEqual(['text=["stays"]']);
  });

  it("has another one follow while there are changes that everybody was told", async () => {
    const path = join(temporaryFolder(), "records.db");
    const { records, backend } = opened({ path });
    const many = Array.from({ length: 1100 }, (_, at) => `${at}`);
    await Promise.all(many.map((id) => records.insert({ tenant: "t", id, document: {} })));
    const later = Date.now() + 3_600_000;
    expect(await backend.sweep(later)).toBe(true);
    expect(await rows(path, "SELECT count(*) FROM changes")).toEqual([100]);
    expect(await backend.sweep(later)).toBe(false);
  });
});

it("answers calls that were under way when it closes, and refuses later ones", async () => {
  const path = join(temporaryFolder(), "records.db");
  const { records, backend } = opened({ path });
  await records.count({});
  const writing = records.insert({ tenant: "t", id: "a", document: {} }).then(
    () => ["a"],
    () => [],
  );
  const [kept] = await Promise.all([writing, backend.close()]);
  expect(await rows(path, "SELECT id FROM records")).toEqual(kept);
  await expect(records.get({ tenant: "t", id: "a" })).rejects.toMatchObject({ reason: "down" });
});
