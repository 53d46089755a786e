import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { line, lines, openBatches, type Spoken } from "./testing.ts";
import { validate } from "./validate.ts";

const good: Spoken = {
  json: { choices: [] },
  exchange: {
    usage: { inputTokens: 3, outputTokens: 2 },
    cost: { amount: "0.01", currency: "USD", source: "test" },
  },
};

const askedIn = (body: string): string => JSON.parse(body).messages[0].content;

describe("a batch that is worked through here", () => {
  it("sends so many lines at once, and so many groups in a time", async () => {
    let under = 0;
    let most = 0;
    const { made, work, clock, asked, linesOf } = openBatches(async () => {
      most = Math.max(most, ++under);
      await new Promise(setImmediate);
      under--;
      return good;
    });
    const { id } = await made(lines(60));
    const begun = clock.time;
    const { status, counts, used, outputFileId, errorFileId, times } = await work(id);
    expect([status, counts, most]).toEqual(["completed", { total: 60, completed: 60, failed: 0 }, 25]);
    expect(clock.waits).toEqual([5_000, 5_000]);
    expect(used).toMatchObject({ inputTokens: 180, totalTokens: 300, cost: "0.6" });
    expect(times.completedAt).toBe((begun + 10_000) / 1000);
    expect(errorFileId).toBeUndefined();
    const output = await linesOf(outputFileId);
    expect(new Set(output.map(({ custom_id }) => custom_id)).size).toBe(60);
    expect(output[0]).toEqual({
      id: expect.stringMatching(/^batch_req_[\da-f]{32}$/),
      custom_id: "r-1",
      response: { status_code: 200, request_id: expect.any(String), body: { choices: [] } },
      error: null,
    });
    const [first] = asked;
    expect(first?.request).toMatchObject({
      method: "POST",
      path: "/v1/chat/completions",
      source: "batch",
      principal: { id: "ana" },
      headers: { "x-gateway-provider": "acme", "content-type": "application/json" },
    });
    expect(first?.request.internal).toBeUndefined();
  });

  it("leaves nothing behind, parts that a process has not counted before it died neither", async () => {
    const { made, work, blobs, linesOf, store, tenant } = openBatches(() => good);
    const { id } = await made(lines(30));
    const part = (at: number) => `batches/${id.slice("gw_batch_".length)}/output-${at}`;
    for (const at of [0, 1, 2]) await blobs.put(part(at), Readable.from([Buffer.from("of before\n")]));
    const { outputFileId, active } = await work(id);
    expect(active).toBe(false);
    expect(await linesOf(outputFileId)).toHaveLength(30);
    for (const at of [0, 1, 2]) expect(await blobs.get(part(at))).toBeUndefined();
    const again = await store.change({ tenant, id }, () => ({ active: true }));
    expect(again?.document.status).toBe("completed");
    expect(await work(id, "two")).toMatchObject({ status: "completed", active: false, outputFileId });
  });

  it("keeps every character of an answer, wherever its pieces end", async () => {
    const body = { choices: [{ message: { content: "Grüße aus 東京, 🍵 und so weiter" } }] };
    const { made, work, linesOf } = openBatches(() => ({ ...good, json: body }));
    const { id } = await made(lines(1));
    const { outputFileId } = await work(id);
    expect((await linesOf(outputFileId))[0]?.response.body).toEqual(body);
  });

  it("gives lines without a model that of the batch", async () => {
    const { made, work, asked } = openBatches(() => good);
    const { id } = await made([line("a"), line("b", "", { body: { messages: [] } })], { model: "of-the-batch" });
    await work(id);
    expect(asked.map(({ body }) => JSON.parse(body).model)).toEqual(["m", "of-the-batch"]);
  });

  it("sends numbers that no double holds as they were written", async () => {
    const { made, work, asked } = openBatches(() => good);
    const body = '{"model":"m","seed":1234567890123456789,"metadata":{"ids":[-1234567890123456789]}}';
    const { id } = await made([`{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":${body}}`]);
    await work(id);
    expect(asked.map((one) => one.body)).toEqual([body]);
  });

  const atOnce = (after: string): Spoken => ({ status: 429, headers: { "retry-after": after } });
  it.each<[string, readonly Spoken[], number, readonly number[]]>([
    ["tried again until it is answered", [{ status: 503 }, { status: 429 }, good], 200, [1_000, 2_000]],
    ["given up after three", Array(9).fill({ status: 500 }), 500, [1_000, 2_000, 4_000]],
    ["tried when it was said to be", [{ status: 429, headers: { "retry-after": "7" } }, good], 200, [7_000]],
    [
      "tried at the date that was said",
      [{ status: 429, headers: { "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" } }, good],
      200,
      [9_000],
    ],
    ["tried later where no time was said", ["0", "-5", ""].map(atOnce).concat(good), 200, [1_000, 2_000, 4_000]],
    ["not waited for very long", [{ status: 429, headers: { "retry-after": "900" } }, good], 200, [60_000]],
    ["not tried again where that changes nothing", [{ status: 400 }, good], 400, []],
    ["not tried again where budgets are used up", [{ status: 412 }, good], 412, []],
    [
      "left to a config that has retries",
      [{ status: 503, exchange: { attempts: [{ target: { fields: { retry: {} } } }] as never } }, good],
      503,
      [],
    ],
  ])("has a line that fails %s", async (_, answers, status, waits) => {
    const left = [...answers];
    const { made, work, clock, linesOf } = openBatches(() => left.shift() ?? good);
    const { id } = await made(lines(1));
    const { outputFileId, errorFileId } = await work(id);
    expect(clock.waits).toEqual(waits);
    expect(await linesOf(status === 200 ? outputFileId : errorFileId)).toMatchObject([
      { custom_id: "r-1", response: { status_code: status } },
    ]);
  });

  it("lists lines that failed apart, with what they were answered", async () => {
    const { made, work, linesOf } = openBatches((_, body) =>
      Number(askedIn(body)) > 2 ? { status: 412, json: { error: { code: "usage_limit" } } } : good,
    );
    const { id } = await made(lines(5));
    const { counts, errorFileId, outputFileId } = await work(id);
    expect(counts).toEqual({ total: 5, completed: 2, failed: 3 });
    expect((await linesOf(outputFileId)).map(({ custom_id }) => custom_id)).toEqual(["r-1", "r-2"]);
    expect(await linesOf(errorFileId)).toMatchObject(
      ["r-3", "r-4", "r-5"].map((custom_id) => ({
        custom_id,
        response: { status_code: 412, body: { error: { code: "usage_limit" } } },
      })),
    );
  });

  it("goes on where another process stopped, and sends again only what that had not finished", async () => {
    const stop = new AbortController();
    let cuts = true;
    const { made, work, asked, linesOf, seen } = openBatches(
      (_, body) => {
        if (cuts && askedIn(body) === "4") stop.abort();
        return good;
      },
      { groupLines: 3 },
    );
    const { id } = await made(lines(7));
    await work(id, "one", stop);
    expect(await seen(id)).toMatchObject({ status: "in_progress", counts: { completed: 3 } });
    expect(asked.map(({ body }) => askedIn(body))).toEqual(["1", "2", "3", "4", "5", "6"]);
    cuts = false;
    asked.length = 0;
    const { status, counts, outputFileId } = await work(id, "one");
    expect(asked.map(({ body }) => askedIn(body))).toEqual(["4", "5", "6", "7"]);
    expect([status, counts.completed]).toEqual(["completed", 7]);
    expect((await linesOf(outputFileId)).map(({ custom_id }) => custom_id)).toEqual(
      lines(7).map((one) => one.custom_id),
    );
  });

  it("keeps lines of a group that were answered before it was cut off", async () => {
    const stop = new AbortController();
    let cuts = true;
    const { made, work, asked, seen, linesOf } = openBatches(async (_, body) => {
      // The first one is answered; the other ones are still under way when the process stops.
      if (!cuts || askedIn(body) === "1") return good;
      await new Promise(setImmediate);
      stop.abort();
      return good;
    });
    const { id } = await made(lines(3));
    await work(id, "one", stop);
    expect((await seen(id)).progress).toMatchObject({ lines: 0, ahead: [1] });
    cuts = false;
    asked.length = 0;
    const { counts, outputFileId } = await work(id);
    expect(asked.map(({ body }) => askedIn(body))).toEqual(["2", "3"]);
    expect(counts).toEqual({ total: 3, completed: 3, failed: 0 });
    expect((await linesOf(outputFileId)).map(({ custom_id }) => custom_id)).toEqual(["r-1", "r-2", "r-3"]);
  });

  it("ends after the group under way when it is cancelled, with what is done", async () => {
    const { made, work, store, tenant, linesOf } = openBatches(
      async (_, body) => {
        if (askedIn(body) === "2") await store.change({ tenant, id: batch.id }, () => ({ status: "cancelling" }));
        return good;
      },
      { groupLines: 2 },
    );
    const batch = await made(lines(6));
    const { status, counts, times, outputFileId } = await work(batch.id);
    expect([status, counts]).toEqual(["cancelled", { total: 6, completed: 2, failed: 0 }]);
    expect(times.cancelledAt).toBeGreaterThan(0);
    expect(await linesOf(outputFileId)).toHaveLength(2);
  });

  it.each(["in_progress", "cancelling"] as const)(
    "ends, with what is done, when its file was deleted before another process goes on with it: %s",
    async (status) => {
      const stop = new AbortController();
      const { made, work, store, tenant, files, linesOf } = openBatches(
        (_, body) => {
          if (askedIn(body) === "3") stop.abort();
          return good;
        },
        { groupLines: 2 },
      );
      const batch = await made(lines(6));
      await work(batch.id, "one", stop);
      await store.change({ tenant, id: batch.id }, () => ({ status }));
      await files.remove(tenant, batch.document.asked.inputFileId);
      const ended = await work(batch.id);
      const codes = ended.errors?.map(({ code }) => code);
      expect([ended.status, codes]).toEqual(
        status === "cancelling" ? ["cancelled", undefined] : ["failed", ["file_not_found"]],
      );
      expect(await linesOf(ended.outputFileId)).toHaveLength(2);
    },
  );

  it("fails, with what is done, when the key that made it lets nobody in any more", async () => {
    const { made, work, behave, linesOf } = openBatches(() => good, { groupLines: 2 });
    let asked = 0;
    behave.today = async (one) => (++asked > 1 ? undefined : { ...one, name: "as it is today" });
    const { id } = await made(lines(4));
    const { status, errors, outputFileId } = await work(id);
    expect([status, errors?.map(({ code }) => code)]).toEqual(["failed", ["invalid_api_key"]]);
    expect(await linesOf(outputFileId)).toHaveLength(2);
  });

  it.each(["immediate", "24h"] as const)("reads a file that begins with a byte order mark: %s", async (window) => {
    const { made, work, asked } = openBatches(({ path }) => {
      if (path.endsWith("/output")) return { text: "" };
      return window === "immediate" ? good : { json: { id: "file-or-batch", status: "completed" } };
    });
    const [first = {}, ...others] = lines(2);
    const { id } = await made([`\ufeff${JSON.stringify(first)}`, ...others], { completionWindow: window });
    const { status, errors } = await work(id);
    expect([status, errors]).toEqual(["completed", undefined]);
    for (const { body } of asked) expect(`${body}`).not.toContain("\ufeff");
  });

  it("has a cost nobody knows where one of its lines has", async () => {
    const { made, work } = openBatches((_, body) => (askedIn(body) === "1" ? good : { json: {} }));
    const { id } = await made(lines(2));
    expect((await work(id)).used).toEqual({ inputTokens: 3, totalTokens: 5 });
  });

  it("has no line that is too long to be read", async () => {
    const piece = Buffer.alloc(1024 * 1024, "a");
    async function* file() {
      yield Buffer.from(`${JSON.stringify(line("r-1"))}\n`);
      for (let at = 0; at <= 64; at++) yield piece;
    }
    const { errors } = await validate(file(), "/v1/chat/completions", 10);
    expect(errors).toMatchObject([{ code: "line_too_long", line: 2 }]);
  });

  it("has at most so many lines", async () => {
    const { made, work } = openBatches(() => good, { maxLines: 3 });
    const { id } = await made(lines(4));
    expect(await work(id)).toMatchObject({ status: "failed", errors: [{ code: "too_many_lines", line: 4 }] });
  });
});
