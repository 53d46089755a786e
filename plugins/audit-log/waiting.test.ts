import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { RecordError } from "../../core/index.ts";
import { keepingLogger } from "../../test/support/gateway.ts";
import { noteOfEvent } from "./entry.ts";
import { chainDeployment, organisation } from "./testing.ts";
import { Waiting } from "./waiting.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

function waitingDeployment({ most = 100, deployment = chainDeployment() } = {}) {
  const log = keepingLogger();
  const waiting = new Waiting({
    // As in every generation of a gateway.
    chains: deployment.generation(),
    workspace: async (_, ref) => (ref === "gone" ? undefined : { id: `id-of-${ref}`, slug: `ws-${ref}` }),
    sealed: async (_, entry) => entry,
    most,
    log,
    now: () => deployment.clock.now,
  });
  const event = { resource: "api_keys", action: "rotate" } as const;
  return {
    ...deployment,
    deployment,
    waiting,
    log,
    add(subject: string, more: object = {}) {
      waiting.add(noteOfEvent({ organisation, subject, ...event, ...more }, deployment.clock.now));
    },
    async kept(tenant = organisation) {
      const down = deployment.store.down;
      deployment.store.down = false;
      const { records } = await deployment.entries.find({ tenant });
      deployment.store.down = down;
      return records.map(({ document }) => document);
    },
    said: () => log.lines.map(({ level, message }) => `${level}: ${message}`),
  };
}

const soon = () => vi.advanceTimersByTimeAsync(100);
const minute = () => vi.advanceTimersByTimeAsync(60_000);

it("keeps what it is given, in order, a chain for each organisation, with the workspace in both spellings", async () => {
  const { add, kept, waiting, verify, said } = waitingDeployment();
  add("1", { workspace: "a" });
  add("2", { organisation: "other" });
  add("3", { workspace: "gone" });
  expect(waiting.count).toBe(3);
  await soon();
  expect(await kept()).toMatchObject([
    { subject: "1", workspace_id: "ws-a", workspace_uuid: "id-of-a" },
    { subject: "3", workspace_id: "gone", workspace_uuid: "gone" },
  ]);
  expect(await kept("other")).toMatchObject([{ subject: "2", sequence: 1 }]);
  expect((await verify()).map(({ entries, wrong }) => ({ entries, wrong }))).toEqual([
    { entries: 2, wrong: undefined },
    { entries: 1, wrong: undefined },
  ]);
  expect({ count: waiting.count, said: said() }).toEqual({ count: 0, said: [] });
});

it("waits while the store is down, and goes on when it is back: nothing is lost, nothing is there twice", async () => {
  const { add, kept, store, waiting, said, verify } = waitingDeployment();
  add("1");
  await soon();
  store.down = true;
  for (const subject of ["2", "3", "4"]) add(subject);
  await minute();
  add("5");
  expect({ count: waiting.count, kept: (await kept()).length }).toEqual({ count: 4, kept: 1 });
  store.down = false;
  await minute();
  expect((await kept()).map(({ subject }) => subject)).toEqual(["1", "2", "3", "4", "5"]);
  expect((await verify())[0]).not.toHaveProperty("wrong");
  expect(said()).toEqual(["warn: audit entries wait for the store", "info: audit entries are kept again"]);
});

it("asks a store that is down less and less often", async () => {
  const { add, store } = waitingDeployment();
  store.down = true;
  add("1");
  await minute();
  const first = store.asked;
  await minute();
  expect(first).toBeLessThan(10);
  expect(store.asked - first).toBeGreaterThan(1);
  expect(store.asked - first).toBeLessThan(6);
});

it("loses what is beyond the bound; the log and the chain say how much", async () => {
  const { add, kept, store, waiting, said, verify, log } = waitingDeployment({ most: 3 });
  store.down = true;
  for (let at = 1; at <= 5; at++) add(`${at}`);
  await minute();
  expect(waiting.count).toBe(3);
  store.down = false;
  await minute();
  const documents = await kept();
  expect(documents.map(({ subject }) => subject)).toEqual(["1", "2", "3", ""]);
  expect(JSON.parse(documents[3]?.details ?? "")).toEqual({ event: "audit_entries_lost", entries: 2 });
  expect((await verify())[0]).not.toHaveProperty("wrong");
  expect(said().filter((line) => line.startsWith("error"))).toHaveLength(2);
  expect(log.lines.find(({ message }) => message === "audit entries are lost")?.fields).toMatchObject({ entries: 2 });
  add("6");
  await soon();
  expect((await kept()).at(-1)).toMatchObject({ subject: "6", sequence: 5 });
});

it("keeps twenty throttled calls of a second, and counts the others", async () => {
  const { add, kept, clock } = waitingDeployment();
  for (let at = 0; at < 50; at++) add(`${at}`, { status: 429 });
  add("not throttled", { status: 403 });
  clock.now += 1000;
  add("of the next second", { status: 429 });
  await soon();
  const documents = await kept();
  expect(documents.map(({ subject }) => subject).slice(19)).toEqual(["19", "not throttled", "of the next second", ""]);
  expect(JSON.parse(documents.at(-1)?.details ?? "")).toEqual({ event: "audit_entries_lost", entries: 30 });
});

it("keeps twenty calls of a second by those who were not let in, and counts the others", async () => {
  const { waiting, add, kept, clock } = waitingDeployment();
  const event = { organisation, resource: "workspaces", action: "create", status: 401 } as const;
  for (let at = 0; at < 50; at++)
    waiting.add({ ...noteOfEvent({ ...event, subject: `${at}` }, clock.now), outside: true });
  add("of somebody who was let in", { status: 401 });
  await soon();
  const documents = await kept();
  expect(documents.map(({ subject }) => subject).slice(19)).toEqual(["19", "of somebody who was let in", ""]);
  expect(JSON.parse(documents.at(-1)?.details ?? "")).toEqual({ event: "audit_entries_lost", entries: 30 });
});

it("keeps what waits when it is closed, and counts what it cannot keep in time", async () => {
  const fine = waitingDeployment({ most: 5000 });
  for (let at = 1; at <= 1200; at++) fine.add(`${at}`);
  await fine.waiting.close(5000);
  expect((await fine.verify())[0]).toMatchObject({ entries: 1200 });
  expect(fine.said()).toEqual([]);

  const down = waitingDeployment();
  down.store.down = true;
  down.add("1");
  down.add("2");
  await down.waiting.close(5000);
  down.add("3");
  expect(down.said().filter((line) => line.startsWith("error"))).toEqual([
    "error: audit entries are lost: the store did not take them in time",
    "error: an audit entry is lost, and further ones may be: the trail will say how many",
  ]);

  const silent = waitingDeployment();
  silent.store.insert = () => new Promise(() => undefined);
  silent.add("1");
  const closing = silent.waiting.close(5000);
  await vi.advanceTimersByTimeAsync(5000);
  await closing;
  expect(silent.log.lines.at(-1)?.fields).toEqual({ entries: 1 });
});

it.each<[string, number, readonly string[], number]>([
  ["all of it", 100, ["1", "2", "3", "4", "5"], 0],
  ["what there is room for, and says how much there was not", 3, ["1", "2", "4"], 2],
])("hands on what waits when its config goes while the store is down: %s", async (_, most, subjects, lost) => {
  const before = waitingDeployment();
  const { store, deployment, kept, verify } = before;
  const after = waitingDeployment({ most, deployment });
  store.down = true;
  for (const subject of ["1", "2", "3"]) before.add(subject);
  after.add("4");
  await minute();
  await before.waiting.close(5000, after.waiting);
  before.add("5");
  await soon();
  expect(after.waiting.count).toBe(subjects.length);
  store.down = false;
  await minute();
  const documents = await kept();
  const named = documents.map(({ subject }) => subject).filter((subject) => subject !== "");
  expect(named.toSorted()).toEqual(subjects);
  const told = documents.filter(({ subject }) => subject === "").map(({ details }) => JSON.parse(details));
  expect(told).toEqual(lost === 0 ? [] : [{ event: "audit_entries_lost", entries: lost }]);
  expect((await verify())[0]).not.toHaveProperty("wrong");
  expect(before.said().filter((line) => line.startsWith("error"))).toEqual([]);
});

it("keeps once what a slow store was keeping when its config went, whatever became of that", async () => {
  const before = waitingDeployment();
  const { store, deployment, kept, verify } = before;
  const after = waitingDeployment({ deployment });
  const insert = store.insert.bind(store);
  let fail: () => void = () => undefined;
  store.insert = () =>
    new Promise((_, reject) => {
      fail = () => reject(new RecordError("down", "no answer"));
    });
  for (const subject of ["1", "2", "3"]) before.add(subject);
  await soon();
  const closing = before.waiting.close(5000, after.waiting);
  await vi.advanceTimersByTimeAsync(5000);
  await closing;
  store.insert = insert;
  fail();
  await minute();
  expect((await kept()).map(({ subject }) => subject)).toEqual(["1", "2", "3"]);
  expect((await verify())[0]).not.toHaveProperty("wrong");
});

it("hands on over two configs what a slow store was keeping when both went", async () => {
  const before = waitingDeployment();
  const { store, deployment, kept } = before;
  const [between, after] = [waitingDeployment({ deployment }), waitingDeployment({ deployment })];
  const insert = store.insert.bind(store);
  let fail: () => void = () => undefined;
  store.insert = () =>
    new Promise((_, reject) => {
      fail = () => reject(new RecordError("down", "no answer"));
    });
  before.add("1");
  await soon();
  const closing = before.waiting.close(1000, between.waiting);
  await vi.advanceTimersByTimeAsync(1000);
  await closing;
  await between.waiting.close(1000, after.waiting);
  store.insert = insert;
  fail();
  await minute();
  expect((await kept()).map(({ subject }) => subject)).toEqual(["1"]);
  expect(between.said()).toEqual([]);
});

it("says once that entries are lost, where the store kept that without an answer before its config went", async () => {
  const before = waitingDeployment({ most: 2 });
  const { store, deployment, kept } = before;
  const after = waitingDeployment({ deployment });
  const insert = store.insert.bind(store);
  store.down = true;
  for (const subject of ["1", "2", "3"]) before.add(subject);
  await minute();
  store.down = false;
  store.insert = async (...given) => {
    const made = await insert(...given);
    if (JSON.stringify(given).includes("audit_entries_lost")) throw new RecordError("down", "no answer");
    return made;
  };
  await minute();
  await before.waiting.close(1000, after.waiting);
  store.insert = insert;
  await minute();
  const told = (await kept()).filter(({ subject }) => subject === "").map(({ details }) => JSON.parse(details));
  expect(told).toEqual([{ event: "audit_entries_lost", entries: 1 }]);
});
