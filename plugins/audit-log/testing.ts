import { recordStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { MemoryRecords } from "../../test/support/memory-records.ts";
import { Chains, type Tried } from "./chains.ts";
import { type AuditDocument, idOf } from "./document.ts";
import { type AuditEntry, noteOfEvent } from "./entry.ts";
import { verifyChains } from "./verify.ts";

export const organisation = "11111111-1111-4111-8111-111111111111";
export const day = 24 * 60 * 60_000;

/** An entry that says what it is. */
export const entryNamed = (subject: string): AuditEntry => ({
  ...noteOfEvent({ organisation, resource: "api_keys", action: "rotate", subject }, Date.parse("2026-03-11T10:00:00Z"))
    .entry,
  workspace_id: "",
  workspace_uuid: "",
});

/** Chains over a store in memory, which is there for meddling with; each call of `process` is another process with it. */
export function chainDeployment({ retention = undefined as number | undefined } = {}) {
  const clock = { now: Date.parse("2026-03-11T10:00:00Z") };
  const now = () => clock.now;
  const store = new MemoryRecords();
  const process = (keptFor = retention) =>
    new Chains({ records: recordStore(store, silentLogger, now), retention: keptFor, now });
  const tried: Tried = new WeakMap();
  const generation = () => new Chains({ records: recordStore(store, silentLogger, now), retention, now, tried });
  const chains = process();
  const { entries, heads } = chains;
  return {
    clock,
    store,
    chains,
    process,
    /** As every config of one process has it. */
    generation,
    entries,
    heads,
    verify: (...known: readonly string[]) => verifyChains(chains, now, new Set(known)),
    async fill(count: number, into = organisation, by = chains) {
      for (let at = 1; at <= count; at++) await by.append(into, entryNamed(`${at}`));
      await by.settle(into);
    },
    /** Writes over an entry, as whoever can write to the store may. */
    async meddle(sequence: number, change: (document: AuditDocument) => AuditDocument) {
      const key = { tenant: organisation, id: idOf(sequence) };
      const kept = await entries.get(key);
      if (!kept) throw new Error("there is no such entry");
      await entries.update({ ...key, version: kept.version }, { document: change(kept.document) });
    },
    remove: (...sequences: readonly number[]) =>
      Promise.all(sequences.map((sequence) => entries.remove({ tenant: organisation, id: idOf(sequence) }))),
  };
}
