import { describe, expect, it } from "vitest";
import type { RoadRequest } from "../../core/index.ts";
import { lines, openBatches, type Spoken } from "./testing.ts";

const usage = { prompt_tokens: 3, completion_tokens: 2 };
const row = (customId: string, status: number) =>
  `${JSON.stringify({
    custom_id: customId,
    response: { status_code: status, request_id: "r", body: status === 200 ? { choices: [], usage } : {} },
    error: null,
  })}\n`;

/** A provider that is done with a batch at once. */
function open(seen: object, output: () => Spoken | Promise<Spoken>) {
  const opened = openBatches(({ method, path }: RoadRequest) => {
    if (path.endsWith("/output")) return output();
    return { json: { id: "theirs", ...(method === "GET" && seen) } };
  });
  const paths = () => opened.asked.map(({ request: { method, path } }) => `${method} ${path}`);
  const made = async () => (await opened.made(lines(2), { completionWindow: "24h" })).id;
  /** Works on it until something is written that is never told of, and has somebody else go on. */
  const diesAt = async (id: string, isIt: (document: Awaited<ReturnType<typeof opened.seen>>) => boolean) => {
    const { change } = opened.store;
    opened.store.change = async (...given) => {
      const done = await change.apply(opened.store, given);
      if (done && isIt(done.document)) throw new Error("it died");
      return done;
    };
    await expect(opened.work(id)).rejects.toThrow("it died");
    opened.store.change = change;
    opened.clock.time += 60_000;
  };
  return { ...opened, paths, made, diesAt };
}

const completed = { status: "completed", output_file_id: "file-2" };

describe("a batch that a provider does, and somebody else goes on with", () => {
  it("has what the provider wrote once, though it was fetched before", async () => {
    const { made, work, diesAt, linesOf } = open(completed, () => ({ text: row("r-1", 200) + row("r-2", 500) }));
    const id = await made();
    await diesAt(id, ({ progress }) => progress.parts.error > 0);
    const { status, counts, errorFileId } = await work(id);
    expect([status, counts]).toEqual(["completed", { total: 2, completed: 1, failed: 1 }]);
    expect(await linesOf(errorFileId)).toHaveLength(1);
  });

  it("has as many lines as are counted, though the provider has counted what a guardrail denied", async () => {
    const seen = { ...completed, request_counts: { total: 2, completed: 2, failed: 0 } };
    const { made, work, diesAt, behave } = open(seen, () => ({ text: row("r-1", 200) + row("r-2", 200) }));
    behave.rehearse = async ({ answer, body }) => ({ status: answer && `${body}`.includes('"2"') ? 446 : 200 });
    const id = await made();
    await diesAt(id, ({ progress }) => progress.parts.error > 0);
    expect((await work(id)).counts).toEqual({ total: 2, completed: 1, failed: 1 });
  });

  it("has its errors where the provider has counted all rows as failed by then", async () => {
    const seen = { ...completed, request_counts: { total: 2, completed: 0, failed: 2 } };
    const { made, work, diesAt, linesOf } = open(seen, () => ({ text: row("r-1", 500) + row("r-2", 500) }));
    const id = await made();
    await diesAt(id, ({ counts }) => counts.failed === 2);
    const { status, errorFileId } = await work(id);
    expect(status).toBe("completed");
    expect(await linesOf(errorFileId)).toHaveLength(2);
  });

  it("costs what nobody knows where it was counted, and not written down what that came to", async () => {
    const { made, work, diesAt, accounts } = open(completed, () => ({ text: row("r-1", 200) + row("r-2", 200) }));
    const id = await made();
    await diesAt(id, ({ job }) => job.accounted === true);
    expect((await work(id)).used).toEqual({ inputTokens: 6, totalTokens: 10, provider: "" });
    expect(accounts).toEqual([]);
  });

  it("is perhaps running there though it was cancelled: nobody knows whether it was started", async () => {
    const { made, work, store, tenant } = open(completed, () => ({}));
    const id = await made();
    await store.change({ tenant, id }, () => ({ status: "cancelling", job: { denied: 0, file: "f", starting: true } }));
    expect(await work(id)).toMatchObject({ status: "batch_start_failed", errors: [{ code: "batch_start_unknown" }] });
  });
});

it("has what was done of a batch that a provider stopped, though it names no file and breaks off at first", async () => {
  let tries = 0;
  const { made, work, linesOf } = open({ status: "cancelled" }, () => {
    if (tries++ === 0) throw new Error("it broke off");
    return { text: row("r-1", 200) };
  });
  const { status, outputFileId } = await work(await made());
  expect(status).toBe("cancelled");
  expect(await linesOf(outputFileId)).toHaveLength(1);
});
