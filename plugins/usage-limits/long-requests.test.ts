import { expect, it } from "vitest";
import { MemoryCounters, recordStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { quiet } from "../../test/support/held-fleet.ts";
import { HeldWorld } from "../../test/support/held-world.ts";
import { MemoryRecords } from "../../test/support/memory-records.ts";
import { Ledger } from "./ledger.ts";
import { budget, serving } from "./testing.ts";

const hour = 3_600_000;

it("a request of more than an hour makes room at its next target by what has become of the budget since", async () => {
  const world = new HeldWorld([{ type: "cost", limit: 60, at: "key", hard: true }]);
  const [one, other] = world.processes as [HeldWorld["processes"][number], HeldWorld["processes"][number]];
  const [budget] = world.budgets as [HeldWorld["budgets"][number]];
  await world.ask(one, 30);
  const [asked] = [...one.asked] as [Parameters<HeldWorld["goOn"]>[0]];
  await world.goOn(asked, "main", false);
  world.fail(asked, 0);
  await world.ask(other, 10);
  const [brief] = [...other.asked] as [typeof asked];
  await world.goOn(brief, "main", false);
  await world.settle(brief, 10);
  await quiet();
  // Nobody asks this gateway for it, which lets it go; and elsewhere it is reset by hand.
  world.now += 2 * hour;
  await one.accounts.flush();
  expect(one.accounts.known("o", budget.of)).toBeUndefined();
  const record = await world.ledger.read(await other.accounts.of("o", budget.of));
  expect(record && (await world.ledger.reset(record, world.now))).toBe(true);
  await quiet();
  world.begin(budget);
  await world.goOn(asked, "spare", false);
  const held = await world.seen();
  expect(held).toMatchObject([{ total: 0n, held: 30n * 10n ** 10n }]);
  await world.settle(asked, 20);
  await quiet();
  expect(await world.seen()).toMatchObject([{ total: 20n * 10n ** 10n, held: 0n }]);
});

it("the last stream of a generation counts in a budget that was let go meanwhile, before the generation ends", async () => {
  let moment = Date.parse("2082-09-02T10:00Z");
  const now = () => moment;
  const counters = Object.assign(new MemoryCounters({ now }), { shared: "deployment" as const, available: true });
  const ledger = new Ledger(recordStore(new MemoryRecords(), silentLogger));
  const started = () => serving({ counters, ledger, now });
  const accounts = started();
  const account = await accounts.of("o", budget());
  moment += 2 * hour;
  await accounts.flush();
  expect(accounts.known("o", budget())).toBeUndefined();
  accounts.add(account, 5n);
  await accounts.close();
  expect((await ledger.read(account))?.document.total).toBe("5");
  expect((await started().of("o", budget())).total).toBe(5n);
});
