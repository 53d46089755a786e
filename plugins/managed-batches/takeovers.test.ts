import { describe, expect, it } from "vitest";
import { LeaseLost } from "./store.ts";
import { lines, openBatches, type Speak, type Spoken } from "./testing.ts";
import { Worker } from "./worker.ts";

const until = async (reached: () => boolean) => {
  while (!reached()) await new Promise(setImmediate);
};

const lease = 60_000;

/** Batches that a process works on until it is paused: nothing goes on in it before `goOn`. */
function open(speak: Speak, options: object = {}) {
  const opened = openBatches(speak, options);
  const { clock, asked } = opened;
  const askedLines = () => asked.map(({ body }) => JSON.parse(body).messages[0].content);
  /** Somebody else works on it when the lease is over. */
  const takenOver = async (id: string, stop?: AbortController) => {
    clock.passes = true;
    clock.time += lease;
    await opened.work(id, "two", stop);
  };
  return { ...opened, askedLines, takenOver };
}

/** The first call for a line waits until it is told what it is answered. */
function first(line: string, others: (body: string) => Spoken) {
  let answer: ((said: Spoken) => void) | undefined;
  let isFirst = true;
  const speak: Speak = (_, body) => {
    const isIts = isFirst && JSON.parse(body).messages[0].content === line;
    if (!isIts) return others(body);
    isFirst = false;
    return new Promise<Spoken>((resolve) => {
      answer = resolve;
    });
  };
  return { speak, answer: (said: Spoken) => answer?.(said), isAsked: () => answer !== undefined };
}

const saying = (content: string): Spoken => ({ json: { content } });

describe("a process that was paused for longer than its lease", () => {
  it("writes over nothing that whoever took the batch over has counted", async () => {
    const stop = new AbortController();
    const line = first("1", () => saying("of the other one"));
    const opened = open(line.speak, { groupLines: 1, groupInterval: 1 });
    const { id } = await opened.made(lines(2));
    const paused = opened.work(id, "one");
    await until(line.isAsked);
    const { wait } = opened.clock;
    opened.clock.wait = async (...given) => {
      stop.abort();
      return wait.apply(opened.clock, given);
    };
    await opened.takenOver(id, stop);
    expect((await opened.seen(id)).counts.completed).toBe(1);
    line.answer(saying("too late"));
    await expect(paused).rejects.toThrow(LeaseLost);
    opened.clock.wait = wait;
    await opened.takenOver(id);
    const { status, counts, outputFileId } = await opened.seen(id);
    expect([status, counts.completed]).toEqual(["completed", 2]);
    const contents = (await opened.linesOf(outputFileId)).map(({ response }) => response.body.content);
    expect(contents).toEqual(["of the other one", "of the other one"]);
  });

  it("sends nothing of a batch that is over", async () => {
    const opened = open(() => ({}), { groupLines: 1 });
    const { id } = await opened.made(lines(3));
    opened.clock.passes = false;
    const paused = opened.work(id, "one");
    await until(() => opened.clock.waits.length === 1);
    await opened.takenOver(id);
    opened.clock.advance(0);
    await expect(paused).rejects.toThrow(LeaseLost);
    expect(opened.askedLines()).toEqual(["1", "2", "3"]);
  });

  it("tries no line again that somebody else has done", async () => {
    let isFirst = true;
    const opened = open(() => {
      const said = { status: isFirst ? 503 : 200 };
      isFirst = false;
      return said;
    });
    const { id } = await opened.made(lines(1));
    opened.clock.passes = false;
    const paused = opened.work(id, "one");
    await until(() => opened.clock.waits.length === 1);
    await opened.takenOver(id);
    opened.clock.advance(0);
    await expect(paused).rejects.toThrow(LeaseLost);
    expect(opened.askedLines()).toEqual(["1", "1"]);
  });

  it("begins no group that somebody else has done", async () => {
    const opened = open(() => ({}));
    let goOn = () => {};
    let isPaused = false;
    opened.behave.today = async (one) => {
      if (isPaused) return one;
      isPaused = true;
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return one;
    };
    const { id } = await opened.made(lines(1));
    const paused = opened.work(id, "one");
    await until(() => isPaused);
    await opened.takenOver(id);
    goOn();
    await expect(paused).rejects.toThrow(LeaseLost);
    expect(opened.askedLines()).toEqual(["1"]);
  });

  it("takes away what it has written for nobody", async () => {
    const opened = open(() => ({}));
    const { working, store, blobs, clock } = opened;
    const { id } = await opened.made(lines(1));
    clock.passes = false;
    const keys: string[] = [];
    let goOn: (() => void) | undefined;
    const { put } = blobs;
    blobs.put = async (key, bytes) => {
      if (keys.push(key) === 1)
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      return put.call(blobs, key, bytes);
    };
    const worker = new Worker({ working, store, metrics: undefined, atOnce: 1, lease, scanInterval: 5_000 });
    worker.wake();
    await until(() => goOn !== undefined);
    await opened.takenOver(id);
    goOn?.();
    await worker.idle();
    const parts = keys.filter((key) => key.startsWith("batches/"));
    expect(parts).toHaveLength(2);
    for (const key of parts) expect(await blobs.get(key)).toBeUndefined();
    await worker.stop();
  });
});

describe("lines of a group that was cut off", () => {
  it("stay done where a process with smaller groups goes on", async () => {
    const stop = new AbortController();
    let cuts = true;
    const opened = open(
      async (_, body) => {
        if (!cuts || JSON.parse(body).messages[0].content === "3") return {};
        await new Promise(setImmediate);
        stop.abort();
        return {};
      },
      { groupLines: 3 },
    );
    const { id } = await opened.made(lines(3));
    await opened.work(id, "one", stop);
    expect((await opened.seen(id)).progress.ahead).toEqual([3]);
    cuts = false;
    opened.asked.length = 0;
    Object.assign(opened.working.options, { groupLines: 1 });
    const { counts, outputFileId } = await opened.work(id);
    expect(opened.askedLines()).toEqual(["1", "2"]);
    expect(counts).toEqual({ total: 3, completed: 3, failed: 0 });
    expect(await opened.linesOf(outputFileId)).toHaveLength(3);
  });
});
