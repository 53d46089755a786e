import { relative } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { folderOfFile } from "../support/folder-of-file.ts";
import { openManagement, supportPlugin, wholeControlPlane } from "../support/management.ts";
import { type Installation, pathOf, type Thing, unseen } from "./record-things.ts";
import { World } from "./record-world.ts";

let installation: Installation;
let close: () => Promise<void>;

beforeAll(async () => {
  const folder = folderOfFile();
  const counters = new URL("../../plugins/policy-records/testing.ts", import.meta.url).pathname;
  const management = await openManagement(
    { ...wholeControlPlane, counters: { use: relative(folder, counters) }, whoami: supportPlugin(folder, "whoami") },
    { folder, providers: { simulator: {} } },
  );
  close = management.close;
  const { admin } = management;
  const places = await Promise.all(
    ["North", "South"].map(async (name) => {
      const { uuid } = (await admin("POST", "/admin/workspaces", { name })).body;
      const member = management.as({ workspace: uuid });
      return { uuid, member, collection: (await member("GET", "/collections")).body.data[0].id };
    }),
  );
  const { data } = (await admin("GET", `/labels?workspace_id=${places[0]?.uuid}`)).body;
  installation = {
    ...{ admin, places },
    labelIds: Object.fromEntries(data.map((one: { name: string; id: string }) => [one.name, one.id])),
    whoami: (value) =>
      admin("GET", "/whoami/completions.write", undefined, { "x-test-principal": "", "x-gateway-api-key": value }),
  };
});
afterAll(() => close());

const step = fc.record({
  what: fc.constantFrom("make", "change", "change", "change", "change", "remove", "refused" as const),
  kind: fc.constantFrom("prompt", "config", "key" as const),
  at: fc.nat({ max: 1 }),
  which: fc.nat(),
  how: fc.nat({ max: 7 }),
  value: fc.nat({ max: 9 }),
  byAdmin: fc.boolean(),
});

const callerAt = (at: number) => (installation.places[at] as Installation["places"][number]).member;

async function expectRefused(thing: Thing): Promise<void> {
  const other = callerAt(1 - thing.at);
  expect((await other("PUT", pathOf(thing), { name: "taken" })).status).toBe(unseen[thing.kind]);
  expect((await other("DELETE", pathOf(thing))).status).toBe(unseen[thing.kind]);
}

it("prompts, configs and keys are what was made of them, for those whose they are", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const world = new World(installation);
      for (const { what, kind, at, which, how, value, byAdmin } of steps) {
        const thing = world.things[which % Math.max(1, world.things.length)];
        const call = byAdmin ? installation.admin : callerAt(thing?.at ?? at);
        if (what === "make" || !thing) await world.make(kind, at, byAdmin);
        else if (what === "remove") await world.remove(thing, call);
        else {
          if (what === "change") await world.change(thing, how, value, call);
          else await expectRefused(thing);
          await world.look(thing);
        }
      }
      for (const thing of world.things) await world.look(thing);
      await world.lists();
      for (const thing of [...world.things]) await world.remove(thing, installation.admin);
      await world.lookAtGone();
    }),
    { numRuns: 10 },
  );
}, 120_000);
