import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MongoDoor, type MongoServer, startMongoServer } from "../support/mongo-server.ts";
import { troubles } from "../support/mongo-troubles.ts";
import {
  type Answered,
  chat,
  configFor,
  make,
  makeKey,
  type Replica,
  requests,
  startReplica,
  startVendor,
} from "./outage-deployment.ts";

const soon = { interval: 20, timeout: 8000 };

/** Milliseconds a call of the store may take; what waits for none takes less. */
const timeout = 800;

describe("a control plane whose MongoDB is", () => {
  let server: MongoServer;
  let vendor: Awaited<ReturnType<typeof startVendor>>;
  let door: MongoDoor;
  let replica: Replica;
  /** Another process, whose way to the store is well. */
  let other: Replica;

  beforeAll(async () => {
    server = await startMongoServer();
    vendor = await startVendor();
    door = await server.door();
    const at = (url: string) => ({ "records-mongodb": { url, timeout } });
    other = await startReplica(at(server.uri));
    replica = await startReplica(at(door.uri));
  });
  afterAll(async () => {
    await Promise.all([replica, other].map(({ gateway }) => gateway.shutdown(0, 0)));
    vendor.close();
    await server.stop();
    await door.stop();
  });

  it.each(Object.entries(troubles))("%s", async (trouble, begin) => {
    const made = await make(replica, vendor.url, trouble.replace(" ", "-"));
    const { admin } = replica;
    const call = replica.as(made.key.key);
    const inference = async () => {
      const asked = Object.entries(requests).map(async ([name, ask]) => [name, await ask(call, made)] as const);
      return Object.fromEntries(await Promise.all(asked));
    };
    const goesOn = async () => {
      for (const [name, { status, body, took }] of Object.entries(await inference())) {
        expect({ name, status, body }).toMatchObject({ status: 200 });
        expect({ name, took }).toSatisfy(({ took }) => took < timeout);
      }
    };
    const model = async () => (await requests["with a saved config"]?.(call, made))?.body.model;
    const entry = async (key: string) => (await replica.as(key)("POST", "/chat/completions", chat)).status;
    const change = (name: string) =>
      other.admin("PUT", `/configs/${made.config}`, { config: configFor(name) }).then(({ status }) => status);
    await inference();
    expect([await model(), await entry(made.doomed.key)]).toEqual(["first", 200]);

    const end = await begin(door);
    await goesOn();
    const isCertain = trouble !== "flapping";
    const away = (answered: Answered, within: number) => {
      expect(answered.took).toBeLessThan(within);
      if (!isCertain && answered.status !== 503) return;
      expect(answered).toMatchObject({ status: 503 });
      expect(Number(answered.headers.get("retry-after"))).toBeGreaterThan(0);
    };
    const readiness = async () => {
      const { status, body } = await admin("GET", "/ready");
      expect({ status, state: body.status }).toEqual({ status: 200, state: "ready" });
      return body.degraded;
    };
    const unknown = replica.as("somebody-unknown-0123456789");
    away(await admin("GET", `/configs/${made.config}`), 3 * timeout);
    if (isCertain) expect(await readiness()).toContain("records");
    for (const ask of [
      () => unknown("POST", "/chat/completions", chat),
      () => admin("GET", "/configs"),
      () => admin("PUT", `/configs/${made.config}`, { name: "n" }),
      () => admin("POST", "/admin/workspaces", { name: `late ${trouble}` }),
      () => admin("DELETE", `/api-keys/${made.key.id}`),
      () => call("POST", "/chat/completions", chat, { "x-gateway-config": "pc-unknown-000000" }),
    ])
      away(await ask(), 3 * timeout);
    await expect.poll(readiness, soon).toContain("records");
    await goesOn();

    // Meanwhile, elsewhere.
    expect((await other.admin("DELETE", `/api-keys/${made.doomed.id}`)).status).toBe(200);
    expect(await change("second")).toBe(200);
    const late = await makeKey(other, made.workspace);
    await goesOn();
    await end();
    await expect.poll(() => entry(made.doomed.key), soon).toBe(401);
    await expect.poll(model, soon).toBe("second");
    await expect.poll(() => entry(late.key), soon).toBe(200);
    const rename = () => admin("PUT", `/configs/${made.config}`, { name: "renamed" });
    await expect.poll(async () => (await rename()).status, soon).toBe(200);
    await expect.poll(readiness, soon).toBeUndefined();
    expect(await change("third")).toBe(200);
    await expect.poll(model, soon).toBe("third");
    await goesOn();
  });
});
