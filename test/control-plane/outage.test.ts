import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { folderOfFile } from "../support/management.ts";
import { type MongoDoor, type MongoServer, startMongoServer } from "../support/mongo-server.ts";
import { troubles } from "../support/mongo-troubles.ts";
import { root } from "../support/root.ts";
import {
  type Answered,
  chat,
  make,
  makeKey,
  type Replica,
  startReplica,
  startVendor,
  watch,
} from "./outage-deployment.ts";

const soon = { interval: 20, timeout: 8000 };

/** Milliseconds a call of the store may take; whoever waits for it is answered after that. */
const timeout = 1_500;

/** The same where nothing may wait for the store: longer than a test may take. */
const endless = 600_000;

/** A refusal that says when to come again. That it comes shows that the wait was bounded: the store itself says nothing. */
function isAway(answered: Answered): void {
  expect(answered).toMatchObject({
    status: 503,
    body: { error: { message: expect.stringMatching(/store of records/) } },
  });
  expect(Number(answered.headers.get("retry-after"))).toBeGreaterThan(0);
}

let vendor: Awaited<ReturnType<typeof startVendor>>;
beforeAll(async () => {
  vendor = await startVendor();
});
afterAll(() => vendor.close());

describe("a control plane whose MongoDB is", () => {
  let server: MongoServer;
  let door: MongoDoor;
  let replica: Replica;
  /** Another process, whose way to the store is well. */
  let other: Replica;

  const at = (url: string, most: number) => ({ "records-mongodb": { url, timeout: most } });

  beforeAll(async () => {
    server = await startMongoServer();
    door = await server.door();
    other = await startReplica(at(server.uri, timeout));
    replica = await startReplica(at(door.uri, timeout));
  });
  afterAll(async () => {
    await Promise.all([replica, other].map(({ gateway }) => gateway.shutdown(0, 0)));
    await Promise.all([server.stop(), door.stop()]);
  });

  it.each(Object.entries(troubles))("%s", async (trouble, begin) => {
    const made = await make(replica, vendor.url, trouble.replace(" ", "-"));
    const { model, entry, degraded, change } = watch(replica, made);
    // Waits for its store for ever, where it waits.
    const patient = await startReplica(at(door.uri, endless));
    onTestFinished(() => patient.gateway.shutdown(0, 0));
    const { goesOn } = watch(patient, made);
    const { admin } = replica;
    // Used once.
    await goesOn();
    expect([await model(), await entry(made.doomed.key)]).toEqual(["first", 200]);

    let end = await begin(door);
    onTestFinished(() => end());
    await goesOn();
    const known = replica.as(made.key.key);
    const stranger = replica.as("somebody-unknown-0123456789");
    const needing: Readonly<Record<string, () => Promise<Answered>>> = {
      "reading one": () => admin("GET", `/configs/${made.config}`),
      "an unknown key": () => stranger("POST", "/chat/completions", chat),
      "an unknown config": () => known("POST", "/chat/completions", chat, { "x-gateway-config": "pc-unknown-000000" }),
      "reading many": () => admin("GET", "/configs"),
      "a change": () => admin("PUT", `/configs/${made.config}`, { name: "n" }),
      "something new": () => admin("POST", "/admin/workspaces", { name: `late ${trouble}` }),
      "a removal": () => admin("DELETE", `/api-keys/${made.key.id}`),
    };
    const either = async () => {
      const answered = await admin("GET", "/configs");
      if (answered.status !== 200) isAway(answered);
      return degraded();
    };
    if (trouble === "flapping") await expect.poll(either, { interval: 1, timeout: 8000 }).toContain("records");
    else
      for (const [what, ask] of Object.entries(needing)) {
        const answered = await ask();
        if (trouble === "cut off" && answered.status !== 503) continue;
        isAway(answered);
        expect(await degraded(), what).toContain("records");
      }
    await goesOn();

    // Meanwhile, elsewhere.
    expect((await other.admin("DELETE", `/api-keys/${made.doomed.id}`)).status).toBe(200);
    expect(await change(other, "second")).toBe(200);
    const late = await makeKey(other, made.workspace);
    await goesOn();
    await end();
    end = async () => undefined;
    await expect.poll(() => entry(made.doomed.key), soon).toBe(401);
    await expect.poll(model, soon).toBe("second");
    await expect.poll(() => entry(late.key), soon).toBe(200);
    await expect.poll(() => change(replica, "third"), soon).toBe(200);
    await expect.poll(degraded, soon).toBeUndefined();
    expect(await change(other, "fourth")).toBe(200);
    await expect.poll(model, soon).toBe("fourth");
    await goesOn();
  });
});

it("a control plane whose file of records is locked by another process", async () => {
  const path = join(folderOfFile(), "records.db");
  const store = (most: number) => ({ "records-file": { path, timeout: most, pollInterval: 20 } });
  const replica = await startReplica(store(timeout));
  const patient = await startReplica(store(endless));
  const other = await startReplica(store(timeout));
  onTestFinished(async () => {
    await Promise.all([replica, patient, other].map(({ gateway }) => gateway.shutdown(0, 0)));
  });
  const made = await make(replica, vendor.url, "locked");
  const { model, entry, degraded, change } = watch(replica, made);
  const { goesOn } = watch(patient, made);
  await goesOn();
  expect([await model(), await entry(made.doomed.key)]).toEqual(["first", 200]);

  const script = join(root, "test/support/records-writer.ts");
  const holder = spawn(process.execPath, ["--import", "tsx", script, path, "hold"], {
    cwd: root,
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void holder.kill("SIGKILL"));
  await once(holder.stdout, "data");
  await goesOn();
  // What is read is not locked.
  expect(await entry("somebody-unknown-0123456789")).toBe(401);
  expect((await replica.admin("GET", `/configs/${made.config}`)).status).toBe(200);
  for (const ask of [
    () => replica.admin("PUT", `/configs/${made.config}`, { name: "n" }),
    () => replica.admin("POST", "/admin/workspaces", { name: "late" }),
    () => replica.admin("DELETE", `/api-keys/${made.key.id}`),
  ]) {
    const answered = await ask();
    isAway(answered);
    expect(await degraded()).toContain("records");
  }
  await goesOn();

  holder.stdin.end();
  await once(holder, "exit");
  await expect.poll(() => change(replica, "second"), soon).toBe(200);
  expect([await model(), await degraded()]).toEqual(["second", undefined]);
  expect((await other.admin("DELETE", `/api-keys/${made.doomed.id}`)).status).toBe(200);
  await expect.poll(() => entry(made.doomed.key), soon).toBe(401);
  await goesOn();
});
