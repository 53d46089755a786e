import { describe, expect, it } from "vitest";
import { keepingLogger } from "../../test/support/gateway.ts";
import { MemoryRecords } from "../../test/support/memory-records.ts";
import { RecordError, type RecordsService, recordStore } from "../index.ts";
import { KnownJobs } from "./known-jobs.ts";

const job = { tenant: "org", provider: "own", id: "batch_1" };
const start = (records: RecordsService | undefined = recordStore(new MemoryRecords(), keepingLogger())) => {
  const log = keepingLogger();
  const process = () => new KnownJobs(records, log, Date.now);
  return { process, log };
};

describe("a job", () => {
  it("is claimed by one of several processes at the same time", async () => {
    const { process } = start();
    const claims = await Promise.all([process(), process(), process(), process()].map((one) => one.claim(job)));
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it("whose bill was lost with a process is claimed by another one after ten minutes, and once it is billed by nobody", async () => {
    const clock = { now: 1_000 };
    const now = () => clock.now;
    const records = recordStore(new MemoryRecords(), keepingLogger(), now);
    const [lost, other, third] = [1, 2, 3].map(() => new KnownJobs(records, keepingLogger(), now));
    expect([await lost?.claim(job), await other?.claim(job)]).toEqual([true, false]);
    clock.now += 10 * 60 * 1000 + 1;
    expect([await other?.claim(job), await third?.claim(job)]).toEqual([true, false]);
    await other?.billed(job);
    clock.now += 10 * 60 * 1000 + 1;
    expect([await third?.claim(job), await other?.claim(job)]).toEqual([false, false]);
  });

  it.each([
    ["organisation", { tenant: "other" }],
    ["provider", { provider: "other" }],
    ["name", { id: "batch_2" }],
  ])("of another %s is another one", async (_, more) => {
    const one = start().process();
    expect([await one.claim(job), await one.claim({ ...job, ...more }), await one.claim(job)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("is known by its output in other processes, of the same organisation", async () => {
    const { process } = start();
    await process().learn(job, "file-1");
    const file = { ...job, id: "file-1" };
    expect(await process().jobOf(file)).toEqual(job);
    expect(await process().jobOf({ ...file, tenant: "other" })).toBeUndefined();
    expect(await process().jobOf({ ...file, id: "file-2" })).toBeUndefined();
  });

  it("is known by what it was to use in other processes, of the same organisation", async () => {
    const { process } = start();
    const begun = { usage: { videos: 1, videoSeconds: 8, videoSize: "720x1280" }, model: "m" };
    await process().begun(job, begun);
    await process().begun(job, { usage: {}, model: undefined });
    expect(await process().begunAs(job)).toEqual(begun);
    expect(await process().begunAs({ ...job, tenant: "other" })).toBeUndefined();
  });

  it("is known to be whose it is by every process, whoever says so later, and without how they came in", async () => {
    const { process } = start();
    const maker = { id: "ana", workspace: "w", credentialHeaders: ["x-api-key"] };
    await process().made(job, maker);
    await process().made(job, { id: "ben" });
    expect(await process().makerOf(job)).toEqual({ id: "ana", workspace: "w" });
    expect(await process().makerOf({ ...job, tenant: "other" })).toBeUndefined();
  });

  it("is claimed once in this process where no records are kept, or none can be reached", async () => {
    const alone = new KnownJobs(undefined, keepingLogger(), Date.now);
    expect([await alone.claim(job), await alone.claim(job), alone.jobOf(job)]).toEqual([true, false, undefined]);
    const down = () => Promise.reject(new RecordError("down", "away"));
    const { process, log } = start({
      available: false,
      collection: () => ({ insert: down, get: down }) as never,
    });
    const one = process();
    expect([await one.claim(job), await one.claim(job), await one.jobOf(job)]).toEqual([true, false, undefined]);
    expect(log.lines.map(({ level }) => level)).toEqual(["warn", "debug"]);
  });
});
