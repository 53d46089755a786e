import { describe, expect, it } from "vitest";
import { lines, openBatches, type Speak } from "./testing.ts";
import { Worker } from "./worker.ts";

type Opened = ReturnType<typeof openBatches>;

const until = async (reached: () => boolean | Promise<boolean>) => {
  while (!(await reached())) await new Promise(setImmediate);
};

function open(speak: Speak) {
  const opened = openBatches(speak, { groupInterval: 0 });
  opened.clock.passes = false;
  return opened;
}

const worker = ({ working, store }: Opened, more: object = {}) =>
  new Worker({ working, store, metrics: undefined, atOnce: 2, lease: 60_000, scanInterval: 5_000, ...more });

const calls = ({ asked }: Opened) => asked.map(({ body }) => JSON.parse(body).messages[0].content);

describe("workers", () => {
  it("work on a batch one at a time, whoever looks first", async () => {
    const opened = open(() => ({}));
    const workers = [worker(opened), worker(opened), worker(opened)];
    const { id } = await opened.made(lines(5));
    for (const one of workers) one.wake();
    await until(async () => (await opened.seen(id)).status === "completed");
    expect(calls(opened).sort()).toEqual(["1", "2", "3", "4", "5"]);
    await Promise.all(workers.map((one) => one.stop()));
  });

  it("take over a batch of one that says nothing any more, and not before", async () => {
    const opened = open(() => ({}));
    const found = await opened.made(lines(2));
    expect(await opened.store.claim(found, "somebody who died", 60_000)).toBeDefined();
    const one = worker(opened);
    one.wake();
    await one.idle();
    expect(opened.asked).toEqual([]);
    opened.clock.advance(60_000);
    one.wake();
    await until(async () => (await opened.seen(found.id)).status === "completed");
    expect(calls(opened)).toHaveLength(2);
    await one.stop();
  });

  it("say for as long as they work that they are still there", async () => {
    let answer: () => void = () => undefined;
    const opened = open(async () => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return {};
    });
    const { id } = await opened.made(lines(1));
    const one = worker(opened);
    one.wake();
    await until(() => opened.asked.length === 1);
    const before = (await opened.seen(id)).lease?.until ?? 0;
    opened.clock.advance(20_000);
    await until(async () => ((await opened.seen(id)).lease?.until ?? 0) >= before + 20_000);
    answer();
    await until(async () => (await opened.seen(id)).status === "completed");
    await one.stop();
  });

  it("leave what is under way to others when they stop", async () => {
    const opened = open(async ({ signal }) => {
      await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));
      return {};
    });
    const { id } = await opened.made(lines(2));
    const one = worker(opened);
    one.wake();
    await until(() => opened.asked.length === 2);
    await one.stop();
    expect(await opened.seen(id)).toMatchObject({ active: true, lease: null, counts: { completed: 0, failed: 0 } });
  });

  it("begin nothing more when they leave, and write down what was under way", async () => {
    const answers: (() => void)[] = [];
    const opened = open(async () => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return {};
    });
    const { id } = await opened.made(lines(30));
    const one = worker(opened);
    one.wake();
    await until(() => answers.length === 25);
    one.leave();
    await opened.made(lines(1));
    one.wake();
    for (const answer of answers) answer();
    await one.idle();
    expect(opened.asked).toHaveLength(25);
    expect(await opened.seen(id)).toMatchObject({ active: true, lease: null, progress: { lines: 25 } });
  });

  it("work on others while a provider has a batch, however many it has", async () => {
    const opened = open(({ path }) =>
      path.startsWith("/v1/chat") ? {} : { json: { id: "theirs", status: "in_progress" } },
    );
    const there = await Promise.all(
      Array.from({ length: 3 }, () => opened.made(lines(1), { completionWindow: "24h" })),
    );
    const one = worker(opened, { atOnce: 1 });
    one.wake();
    await until(async () => {
      const all = await Promise.all(there.map(({ id }) => opened.seen(id)));
      return all.every(({ job }) => job.id === "theirs");
    });
    const here = await opened.made(lines(1));
    one.wake();
    await until(async () => (await opened.seen(here.id)).status === "completed");
    await one.stop();
  });

  it("begin again what failed for a reason of the gateway's own, and give it up in the end", async () => {
    const opened = open(() => ({}));
    opened.behave.today = () => Promise.reject(new Error("the store is down"));
    const { id } = await opened.made(lines(1));
    const one = worker(opened);
    one.wake();
    await until(async () => {
      opened.clock.advance(5_000);
      return !(await opened.seen(id)).active;
    });
    expect(await opened.seen(id)).toMatchObject({ status: "failed", errors: [{ code: "internal" }] });
    expect(opened.log.lines.filter(({ message }) => message === "the work on a batch failed")).toHaveLength(5);
    await one.stop();
  });

  it("work on so many at once, and on the others after them", async () => {
    const opened = open(() => ({}));
    const made = await Promise.all(Array.from({ length: 5 }, () => opened.made(lines(1))));
    const one = worker(opened);
    one.wake();
    await until(async () => {
      const all = await Promise.all(made.map(({ id }) => opened.seen(id)));
      expect(all.filter(({ lease }) => lease !== null).length).toBeLessThanOrEqual(2);
      return all.every(({ status }) => status === "completed");
    });
    await one.stop();
  });

  it("let nobody wait for whoever has all places, and go on with those afterwards", async () => {
    const opened = open(() => ({}));
    const long: string[] = [];
    for (const at of [1, 2, 3]) {
      opened.clock.advance(at);
      long.push((await opened.made(lines(200))).id);
    }
    const one = worker(opened);
    one.wake();
    await until(() => opened.asked.length === 50);
    const short = await opened.made(lines(1), {}, "somebody else");
    one.start();
    await until(async () => {
      opened.clock.advance(5_000);
      const { lease, status } = await opened.seen(short.id, "somebody else");
      return lease !== null || status === "completed";
    });
    await until(async () => (await opened.seen(short.id, "somebody else")).status === "completed");
    const over = async (id = "") => (await opened.seen(id)).status === "completed";
    const [first, second, third] = long;
    expect(await Promise.all([over(first), over(second), over(third)])).toEqual([false, false, false]);
    await until(async () => {
      opened.clock.advance(5_000);
      return (await over(first)) && (await over(second));
    });
    expect(await over(third)).toBe(false);
    await until(() => {
      opened.clock.advance(5_000);
      return over(third);
    });
    expect(calls(opened)).toHaveLength(601);
    await one.stop();
  });

  it("let what a provider has done come to its end beside batches that take days", async () => {
    let status = "in_progress";
    const opened = open(({ path }) => {
      if (path.startsWith("/v1/chat")) return {};
      return path.endsWith("/output") ? { text: "" } : { json: { id: "theirs", status } };
    });
    const there = await opened.made(lines(1), { completionWindow: "24h" });
    const one = worker(opened, { atOnce: 1 });
    one.start();
    await until(async () => (await opened.seen(there.id)).job.id === "theirs");
    const here = await opened.made(lines(1000));
    one.wake();
    await until(() => opened.asked.filter(({ request }) => request.path.startsWith("/v1/chat")).length === 25);
    status = "completed";
    await until(async () => {
      opened.clock.advance(5_000);
      return (await opened.seen(there.id)).status === "completed";
    });
    expect((await opened.seen(here.id)).status).toBe("in_progress");
    await one.stop();
  });

  it("go on removing what a batch was made of where somebody stopped", async () => {
    const opened = open(() => ({}));
    const { id } = await opened.made(lines(2));
    const { remove } = opened.blobs;
    const inBatches: string[] = [];
    opened.blobs.remove = (key) => {
      if (key.startsWith("batches/")) inBatches.push(key);
      return inBatches.length === 1 ? Promise.reject(new Error("the disk is away")) : remove.call(opened.blobs, key);
    };
    const one = worker(opened);
    one.wake();
    await until(async () => (await opened.seen(id)).status === "completed");
    await until(async () => {
      opened.clock.advance(5_000);
      one.wake();
      return !(await opened.seen(id)).active;
    });
    const part = `batches/${id.slice("gw_batch_".length)}/output-0`;
    expect(await opened.blobs.get(part)).toBeUndefined();
    expect(await opened.linesOf((await opened.seen(id)).outputFileId)).toHaveLength(2);
    expect(calls(opened)).toHaveLength(2);
    await one.stop();
  });

  it("go on where what a batch was made of cannot be removed, and that it is given up cannot be written down", async () => {
    const opened = open(() => ({}));
    const { id } = await opened.made(lines(1));
    opened.blobs.remove = () => Promise.reject(new Error("the disk is away"));
    const { change } = opened.store;
    let away = 0;
    opened.store.change = (key, make) =>
      change.call(opened.store, key, (document) => {
        const changed = make(document);
        if (changed?.active !== false || away++ > 0) return changed;
        throw new Error("the store is away");
      });
    const one = worker(opened);
    one.wake();
    await until(async () => {
      opened.clock.advance(5_000);
      one.wake();
      return !(await opened.seen(id)).active;
    });
    expect(await opened.seen(id)).toMatchObject({ status: "completed" });
    expect(opened.log.lines).toContainEqual(expect.objectContaining({ message: "a batch could not be given up" }));
    await one.stop();
  });
});
