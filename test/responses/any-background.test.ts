import fc from "fast-check";
import { expect, it } from "vitest";
import {
  type Attempt,
  type Exchange,
  type Format,
  type RecordBackend,
  RecordError,
  recordStore,
} from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { Background, type Unbilled } from "../../plugins/responses-store/background.ts";
import { chance } from "../support/chance.ts";
import { MemoryRecords } from "../support/memory-records.ts";

/** What the store does with the next writes: it refuses them, or does them and its answer is lost. */
type Fault = "refuses" | "loses" | "is away";

/** A store that fails as it is told, and whose answers come in an order that chance decides. */
class Store {
  readonly memory = new MemoryRecords();
  readonly faults: Fault[] = [];
  readonly backend = new Proxy(this.memory, {
    get: (memory, name) => {
      const value = Reflect.get(memory, name, memory) as unknown;
      if (typeof value !== "function" || name === "watch") return value;
      const isWrite = name === "insert" || name === "replace" || name === "remove";
      return async (...given: readonly unknown[]) => {
        const [fault] = this.faults;
        if (fault === "is away" || (isWrite && fault)) this.faults.shift();
        if (fault === "is away" || (isWrite && fault === "refuses")) throw new RecordError("down", "away");
        const done = await (value.bind(memory) as (...all: readonly unknown[]) => unknown)(...given);
        await Promise.resolve();
        if (isWrite && fault === "loses") throw new RecordError("down", "no answer");
        return done;
      };
    },
  }) as unknown as RecordBackend;
}

const formats = new Map([
  ["openai-responses", { readUsage: ({ usage }: { usage?: unknown }) => usage } as unknown as Format],
]);

/** A gateway, before vendors whose responses are made in the background. */
class Gateway {
  readonly background: Background;

  constructor({ backend }: Store) {
    const records = recordStore(backend, silentLogger);
    const collection = records.collection<Unbilled>({ name: "background_responses", schemaVersion: 1 });
    this.background = new Background({ collection, formats, log: silentLogger, now: Date.now });
  }

  async begins(id: string, tenant: string): Promise<void> {
    const received = Buffer.from(JSON.stringify({ id, background: true, status: "queued" }));
    const attempt = { received, outcome: { ok: true }, target: { provider: { slug: "oai" } } } as unknown as Attempt;
    const exchange = { attempts: [attempt], principal: { id: "K", organisation: tenant } } as unknown as Exchange;
    await this.background.begun(exchange);
    expect(attempt.usage).toEqual({});
  }

  /** Whether the call that tells of a response counts it. */
  async asks(id: string, tenant: string, status: string): Promise<boolean> {
    const attempt = { target: { provider: { slug: "oai" } } } as unknown as Attempt;
    const exchange = { principal: { id: "other", organisation: tenant } } as unknown as Exchange;
    const witness = this.background.witness(exchange, attempt, "application/json");
    const usage = status === "in_progress" ? undefined : { inputTokens: 3 };
    witness.see(Buffer.from(JSON.stringify({ id, status, usage })));
    await witness.end(true);
    return attempt.job === true;
  }
}

const step = fc.record({
  kind: fc.constantFrom("begin", "begin", "ask", "ask", "ask", "ends", "ends", "fault", "fault", "together", "again"),
  which: fc.nat({ max: 5 }),
  fault: fc.constantFrom<Fault>("refuses", "loses", "loses", "is away"),
  gateway: fc.nat({ max: 1 }),
  times: fc.integer({ min: 2, max: 4 }),
});

interface Made {
  readonly id: string;
  readonly tenant: string;
  isOver: boolean;
  counts: number;
  /** Whether it has to be counted: its beginning was written down, and whoever counts it is there. */
  isSure: boolean;
}

async function walked(all: readonly (typeof step extends fc.Arbitrary<infer One> ? One : never)[]): Promise<void> {
  const store = new Store();
  const gateways = [new Gateway(store), new Gateway(store)];
  const made: Made[] = [];
  const ask = async (one: Made, at: number) => {
    const gateway = gateways[at % 2] as Gateway;
    if (await gateway.asks(one.id, one.tenant, one.isOver ? "completed" : "in_progress")) one.counts++;
    // Another organisation may name the same id: it is none of its business.
    expect(await gateway.asks(one.id, "strangers", "completed")).toBe(false);
  };
  for (const { kind, which, fault, gateway, times } of all) {
    const one = made[which % Math.max(1, made.length)];
    if (kind === "begin") {
      const isSure = store.faults.length === 0 || store.faults[0] === "loses";
      const next = { id: `resp_${made.length}`, tenant: "org", isOver: false, counts: 0, isSure };
      made.push(next);
      await gateways[gateway]?.begins(next.id, next.tenant);
    } else if (kind === "fault") store.faults.push(fault);
    else if (kind === "again") gateways[gateway] = new Gateway(store);
    else if (!one) continue;
    else if (kind === "ends") one.isOver = true;
    else if (kind === "ask") await ask(one, gateway);
    else await Promise.all(Array.from({ length: times }, (_, at) => ask(one, at)));
    for (const each of made) {
      expect(each.counts).toBeLessThanOrEqual(1);
      // Who was to count it, and did not know whether that was written down, is gone.
      if (kind === "again") each.isSure &&= !each.isOver || each.counts > 0;
    }
  }
  store.faults.length = 0;
  for (const one of made) {
    one.isOver = true;
    await ask(one, 0);
    await ask(one, 1);
    if (one.isSure) expect(one.counts).toBe(1);
    else expect(one.counts).toBeLessThanOrEqual(1);
    await ask(one, 0);
    expect(one.counts).toBeLessThanOrEqual(1);
  }
}

it("counts what is made in the background once, whatever becomes of what the store is told", async () => {
  const all = fc.array(step, { minLength: 3, maxLength: 40, size: "max" });
  await fc.assert(fc.asyncProperty(all, walked), chance(300, 1));
});

it("counts a response though the store's answer to who has it was lost", async () => {
  const store = new Store();
  const [one, other] = [new Gateway(store), new Gateway(store)];
  await one.begins("resp_1", "org");
  store.faults.push("loses");
  const counts = [await one.asks("resp_1", "org", "completed"), await other.asks("resp_1", "org", "completed")];
  expect(counts).toEqual([true, false]);
});

it("counts it with a later call where the store could not be asked any more", async () => {
  const store = new Store();
  const one = new Gateway(store);
  await one.begins("resp_1", "org");
  store.faults.push("loses", "is away");
  expect(await one.asks("resp_1", "org", "completed")).toBe(false);
  expect(await one.asks("resp_1", "org", "completed")).toBe(true);
  expect(await one.asks("resp_1", "org", "completed")).toBe(false);
});

it("keeps which one it is where the store's answer to that was lost", async () => {
  const store = new Store();
  const one = new Gateway(store);
  store.faults.push("loses");
  const received = Buffer.from(JSON.stringify({ id: "resp_1", background: true, status: "queued" }));
  const attempt = { received, outcome: { ok: true }, target: { provider: { slug: "oai" } } } as unknown as Attempt;
  await one.background.begun({
    attempts: [attempt],
    principal: { id: "K", organisation: "org" },
  } as unknown as Exchange);
  // What its call costs is paid with the rest: once.
  expect(attempt.cost).toBeDefined();
  expect(await one.asks("resp_1", "org", "completed")).toBe(true);
});
