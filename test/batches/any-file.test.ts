import { text as textOf } from "node:stream/consumers";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ManagedFile } from "../../core/index.ts";
import { chance } from "../support/chance.ts";
import { Fleet, tenant } from "./fleet.ts";
import type { Fault, Process } from "./process.ts";

const faults = ["freeze before", "freeze after", "refuse", "lose"] as const satisfies readonly Fault[];
const kinds = [
  ...(["upload", "upload", "upload", "break", "remove", "read", "pages", "sweep", "thaw", "thaw"] as const),
  ...(["second", "hour", "records away", "blobs away", "back", "back"] as const),
  ...faults,
];
type Kind = (typeof kinds)[number];
const what = fc.record({ kind: fc.constantFrom(...kinds), which: fc.nat({ max: 5 }), amount: fc.nat({ max: 12 }) });
type What = typeof what extends fc.Arbitrary<infer Value> ? Value : never;

/** A file that somebody has uploaded, and been told so. */
interface Kept {
  readonly id: string;
  readonly text: string;
  readonly expiresAt: number;
  /** Somebody wanted it removed; whether that was done is known once they are told. */
  isUnwanted: boolean;
  isRemoved: boolean;
}

/** Clients of files, and what they know. */
class Clients {
  readonly fleet = new Fleet(1);
  readonly kept: Kept[] = [];
  /** Whether bytes that nobody names may be left: what should have removed them was refused. */
  isUntidy = false;

  isThere({ isUnwanted, expiresAt }: Kept): boolean {
    return !isUnwanted && expiresAt > Math.floor(this.fleet.time.now / 1000);
  }

  async upload({ files }: Process, { which, amount }: What, breaks: boolean): Promise<void> {
    const text = `${this.kept.length} `.repeat(1 + amount * 40);
    const lifetime = which % 3 === 0 ? 3_600 * (1 + amount) : undefined;
    async function* pieces() {
      yield Buffer.from(text.slice(0, 10));
      if (breaks) throw new Error("the client is gone");
      yield Buffer.from(text.slice(10));
    }
    const file = { filename: "a", purpose: which % 2 === 0 ? "batch" : "vision", content_type: "text/plain" };
    const { id, document } = await files.add(tenant, pieces(), () => ({ ...file, lifetime }));
    if (breaks) this.fleet.complain("half a file was kept");
    const expiresAt = document.expires_at ?? Number.POSITIVE_INFINITY;
    this.kept.push({ id, text, expiresAt, isUnwanted: false, isRemoved: false });
  }

  async remove({ files }: Process, one: Kept): Promise<void> {
    one.isUnwanted = true;
    await files.remove(tenant, one.id);
    one.isRemoved = true;
  }

  async read({ files }: Process, one: Kept): Promise<void> {
    const { isRemoved } = one;
    const found: ManagedFile | undefined = await files.find(tenant, one.id);
    if (!found) {
      if (this.isThere(one)) this.fleet.complain(`${one.id} was not found`);
      return;
    }
    if (isRemoved) this.fleet.complain(`${one.id} is there again`);
    const text = await textOf(await files.read(found));
    if (text !== one.text) this.fleet.complain(`${one.id} is another one`);
  }

  /** Where nobody does anything else, the pages of a list have everything once. */
  async pages({ files }: Process): Promise<void> {
    const listed: string[] = [];
    for await (const { id } of files.all(tenant, undefined, "desc")) listed.push(id);
    expect(listed).toEqual([...new Set(listed)]);
  }
}

type Takes = (clients: Clients, its: Process, one: Kept | undefined, what: What) => unknown;
const inTime =
  (fault: Fault): Takes =>
  (_clients, { troubles }, _one, { which, amount }) =>
    troubles.push({ fault, left: amount % 5, place: which % 2 === 0 ? "records" : "blobs" });
const steps: Record<Kind, Takes> = {
  ...(Object.fromEntries(faults.map((fault) => [fault, inTime(fault)])) as Record<(typeof faults)[number], Takes>),
  upload: (clients, its, _one, more) => clients.upload(its, more, false),
  break: (clients, its, _one, more) => clients.upload(its, more, true),
  remove: (clients, its, one) => one && clients.remove(its, one),
  read: (clients, its, one) => one && clients.read(its, one),
  pages: (clients, its) => clients.pages(its),
  sweep: (_clients, { files }) => files.sweep(),
  thaw: (_clients, its) => its.thaw(),
  second: ({ fleet: { time } }) => void Object.assign(time, { now: time.now + 1_000 }),
  hour: ({ fleet: { time } }) => void Object.assign(time, { now: time.now + 3_600_000 }),
  "records away": ({ fleet: { down } }) => down.add("records"),
  "blobs away": ({ fleet: { down } }) => down.add("blobs"),
  back: ({ fleet: { down } }) => down.clear(),
};

async function walked(all: readonly What[]): Promise<Clients> {
  const clients = new Clients();
  const { fleet, kept } = clients;
  const options = { groupLines: 1, groupInterval: 1, retries: 0, atOnce: 1 };
  for (let at = 0; at < 2; at++) fleet.start(options);
  for (const more of all) {
    const its = fleet.processes[more.which % 2] as Process;
    if (["refuse", "lose", "blobs away", "records away"].includes(more.kind)) clients.isUntidy = true;
    // Whoever is frozen is waited for by nobody.
    void Promise.resolve(steps[more.kind](clients, its, kept[more.amount % kept.length], more)).catch(() => undefined);
    await fleet.time.quiet();
  }
  fleet.mend();
  await fleet.time.quiet();
  return clients;
}

it("files are there whole until they are removed or expire, whatever fails meanwhile", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(what, { maxLength: 40, size: "max" }), async (all) => {
      const clients = await walked(all);
      const { fleet, kept } = clients;
      const [{ files }] = fleet.processes as [Process];
      for (const one of kept)
        await clients.read(fleet.processes[1] as Process, one).catch(() => expect(one.isUnwanted).toBe(true));
      for (const one of kept) if (one.isUnwanted) await files.remove(tenant, one.id);
      await files.sweep();
      const listed: string[] = [];
      for await (const { id } of files.all(tenant, undefined, "asc")) listed.push(id);
      const ours = new Set(kept.map(({ id }) => id));
      const there = kept.filter((one) => clients.isThere(one)).map(({ id }) => id);
      expect(listed.filter((id) => ours.has(id)).sort()).toEqual(there.sort());
      const named = listed.map((id) => `files/${id}`);
      const bytes = [...fleet.blobs.keys()];
      // Of a file that nobody was told of, and whose store was away twice, there may be only the name.
      expect(named.filter((key) => !bytes.includes(key) && ours.has(key.slice("files/".length)))).toEqual([]);
      if (!clients.isUntidy) expect(bytes.filter((key) => !named.includes(key))).toEqual([]);
      expect(fleet.complaints).toEqual([]);
      expect(await fleet.stop()).toBe(true);
    }),
    chance(100, 1),
  );
});
