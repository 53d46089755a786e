import { describe, expect, it } from "vitest";
import type { RoadRequest } from "../../core/index.ts";
import { line, lines, openBatches, type Spoken } from "./testing.ts";

const usage = { prompt_tokens: 3, completion_tokens: 2 };
const done = (customId: string, content = "Hello", status = 200) => ({
  id: "batch_req_1",
  custom_id: customId,
  response: { status_code: status, request_id: "req_1", body: { choices: [{ message: { content } }], usage } },
  error: null,
});
const jsonl = (...all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join("");

interface Vendor {
  readonly file?: Spoken;
  readonly start?: Spoken;
  /** What is said at each look; the last one again and again. */
  readonly looks?: readonly Spoken[];
  readonly output?: Spoken;
  readonly errors?: Spoken;
}

/** A provider that does batches. */
function open(vendor: Vendor) {
  const looks = [...(vendor.looks ?? [{ json: { id: "batch_1", status: "completed", output_file_id: "file-2" } }])];
  const speak = ({ method, path }: RoadRequest): Spoken => {
    if (path === "/v1/files")
      return vendor.file ?? { json: { id: "file-1" }, headers: { "x-gateway-provider": "acme" } };
    if (path === "/v1/batches") return vendor.start ?? { json: { id: "batch_1", status: "validating" } };
    if (path.endsWith("/cancel")) return { json: { id: "batch_1", status: "cancelling" } };
    if (path === "/v1/batches/batch_1/output") return vendor.output ?? { text: jsonl(done("r-1"), done("r-2")) };
    if (path.endsWith("/content")) return vendor.errors ?? { status: 404 };
    if (method === "GET") return (looks.length > 1 ? looks.shift() : looks[0]) ?? {};
    throw new Error(`${method} ${path}`);
  };
  const opened = openBatches(speak);
  const uploaded = () => opened.asked.find(({ request }) => request.path === "/v1/files")?.body ?? "";
  const paths = () => opened.asked.map(({ request: { method, path } }) => `${method} ${path}`);
  return { ...opened, uploaded, paths };
}

const there = { completionWindow: "24h" } as const;

describe("a batch that a provider does", () => {
  it("is uploaded, started, looked at, and its output is a file of the gateway's", async () => {
    const counted = { request_counts: { total: 2, completed: 1, failed: 0 } };
    const { made, work, clock, paths, asked, uploaded, accounts, linesOf } = open({
      looks: [
        { json: { status: "in_progress", ...counted } },
        { status: 503 },
        { json: { status: "finalizing" } },
        { json: { id: "batch_1", status: "completed", output_file_id: "file-2", own: true } },
      ],
    });
    const { id } = await made(lines(2), {
      ...there,
      model: "m",
      metadata: { for: "test" },
      own: { role_arn: "arn:x" },
    });
    const { status, counts, used, outputFileId, job, times } = await work(id);
    expect([status, counts]).toEqual(["completed", { total: 2, completed: 2, failed: 0 }]);
    for (const time of [times.inProgressAt, times.finalizingAt, times.completedAt]) expect(time).toBeGreaterThan(0);
    expect(clock.waits).toEqual([10_000, 10_000, 10_000]);
    expect(paths()).toEqual([
      "POST /v1/files",
      "POST /v1/batches",
      ...Array(4).fill("GET /v1/batches/batch_1"),
      "GET /v1/batches/batch_1/output",
    ]);
    expect(uploaded()).toContain(`name="purpose"\r\n\r\nbatch\r\n`);
    expect(uploaded()).toContain(jsonl(...lines(2)));
    expect(JSON.parse(asked[1]?.body ?? "")).toEqual({
      role_arn: "arn:x",
      input_file_id: "file-1",
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
      model: "m",
      metadata: { for: "test" },
    });
    expect(asked.every(({ request }) => request.internal && request.source === "batch")).toBe(true);
    expect(asked[0]?.request.headers).toMatchObject({
      "x-gateway-provider": "acme",
      "x-gateway-provider-model": "m",
      "x-gateway-provider-batch-endpoint": "/v1/chat/completions",
      "x-gateway-file-upload-size": String(jsonl(...lines(2)).length),
    });
    expect(job.seen).toMatchObject({ own: true });
    expect((await linesOf(outputFileId)).map(({ custom_id }) => custom_id)).toEqual(["r-1", "r-2"]);
    expect(accounts).toMatchObject([{ parts: [{ model: "m", usage: { inputTokens: 6, outputTokens: 4 } }] }]);
    expect(used).toEqual({ inputTokens: 6, totalTokens: 10, cost: "0.5", provider: "acme" });
  });

  it("counts what was used by the model that was asked", async () => {
    const { made, work, accounts } = open({});
    const other = { body: { model: "other", messages: [] } };
    const { id } = await made([line("r-1"), line("r-2", "", other)], there);
    await work(id);
    expect(accounts[0]?.parts.map(({ model }) => model)).toEqual(["m", "other"]);
  });

  it.each<[string, Vendor, object]>([
    [
      "file_upload_failed",
      { file: { status: 401, json: { error: { message: "No key." } } } },
      { errors: [{ code: "file_upload_failed", message: "No key." }] },
    ],
    [
      "batch_start_failed",
      { start: { status: 429, json: { error: { message: "Too many." } } } },
      { errors: [{ code: "batch_start_failed", message: "Too many." }] },
    ],
    [
      "failed",
      {
        looks: [{ json: { status: "failed", errors: { data: [{ code: "x", message: "Bad line.", line: 2 }] } } }],
        output: { status: 404 },
      },
      { errors: [{ code: "x", message: "Bad line.", line: 2 }] },
    ],
    ["expired", { looks: [{ json: { status: "expired" } }], output: { text: jsonl(done("r-1")) } }, {}],
    ["cancelled", { looks: [{ json: { status: "cancelled" } }], output: { status: 404 } }, {}],
  ])("is %s where the provider says so", async (status, vendor, more) => {
    const { made, work } = open(vendor);
    const { id } = await made(lines(2), there);
    const document = await work(id);
    expect(document).toMatchObject({ status, active: false, lease: null, ...more });
    const time = { expired: "expiredAt", cancelled: "cancelledAt" }[status] ?? "failedAt";
    expect(document.times).toHaveProperty(time);
    if (status === "expired") expect(document.counts).toEqual({ total: 2, completed: 1, failed: 1 });
  });

  it("has its errors in a file of their own, wherever the provider has them", async () => {
    const seen = { id: "batch_1", status: "completed", output_file_id: "file-2", error_file_id: "file-3" };
    const { made, work, linesOf } = open({
      looks: [{ json: seen }],
      output: { text: jsonl(done("r-1"), done("r-2", "", 500)) },
      errors: { text: jsonl({ id: "x", custom_id: "r-3", response: null, error: { code: "e" } }) },
    });
    const { id } = await made(lines(3), there);
    const { counts, errorFileId } = await work(id);
    expect(counts).toEqual({ total: 3, completed: 1, failed: 2 });
    expect((await linesOf(errorFileId)).map(({ custom_id }) => custom_id)).toEqual(["r-2", "r-3"]);
  });

  it("is counted as far as it was done when it ended, though that cannot be read at once", async () => {
    let tries = 0;
    const { made, work, accounts } = open({
      looks: [{ json: { status: "expired", output_file_id: "file-2" } }],
      get output() {
        return tries++ === 0 ? { status: 503 } : { text: jsonl(done("r-1")) };
      },
    });
    const { id } = await made(lines(2), there);
    expect(await work(id)).toMatchObject({ status: "expired", counts: { completed: 1, failed: 1 } });
    expect(accounts).toHaveLength(1);
  });

  it("is stopped at the provider when it is cancelled", async () => {
    const looks: Spoken[] = [{ json: { status: "in_progress" } }, { json: { status: "cancelled" } }];
    const opened = open({ looks, output: { text: jsonl(done("r-1")) } });
    const { made, work, clock, store, tenant, paths, linesOf } = opened;
    const { id } = await made(lines(2), there);
    const wait = clock.wait.bind(clock);
    clock.wait = async (milliseconds, signal) => {
      await store.change({ tenant, id }, () => ({ status: "cancelling" }));
      return wait(milliseconds, signal);
    };
    const { status, outputFileId } = await work(id);
    expect(status).toBe("cancelled");
    expect(paths().filter((path) => path.endsWith("/cancel"))).toHaveLength(1);
    expect(await linesOf(outputFileId)).toHaveLength(1);
  });

  it("is not started twice: where nobody knows whether it was, it has failed", async () => {
    const { made, work, store, tenant, paths } = open({});
    const { id } = await made(lines(2), there);
    await store.change({ tenant, id }, ({ counts }) => ({
      counts: { ...counts, total: 2 },
      job: { denied: 0, file: "file-1", starting: true },
    }));
    expect(await work(id)).toMatchObject({ status: "batch_start_failed", errors: [{ code: "batch_start_unknown" }] });
    expect(paths()).toEqual([]);
  });

  it("is not sent anywhere for a key that lets nobody in any more", async () => {
    const { made, work, behave, paths } = open({});
    behave.today = async () => undefined;
    const { id } = await made(lines(2), there);
    expect(await work(id)).toMatchObject({ status: "failed", errors: [{ code: "invalid_api_key" }] });
    expect(paths()).toEqual([]);
  });

  it("is priced once, though its output has to be read twice", async () => {
    const { made, work, store, tenant, accounts, paths } = open({});
    const { id } = await made(lines(2), there);
    await work(id);
    await store.change({ tenant, id }, () => ({ active: true, status: "in_progress" }));
    expect(await work(id)).toMatchObject({ status: "completed", used: { inputTokens: 6 } });
    expect(accounts).toHaveLength(1);
    expect(paths().filter((path) => path === "POST /v1/batches")).toHaveLength(1);
  });
});

describe("guardrails of a batch that a provider does", () => {
  it("keep rows back and rewrite others before they are sent", async () => {
    const { made, work, behave, uploaded, linesOf } = open({ output: { text: jsonl(done("r-1"), done("r-3")) } });
    behave.rehearse = async ({ body, answer }) => {
      if (answer) return { status: 200 };
      const { content } = JSON.parse(`${body}`).messages[0];
      if (content === "2") return { status: 446, refusal: { error: { type: "hooks_failed" } } };
      return content === "3" ? { status: 200, changed: { model: "m", messages: [] } } : { status: 200 };
    };
    const { id } = await made(lines(3), there);
    const { status, counts, errorFileId, outputFileId } = await work(id);
    expect([status, counts]).toEqual(["completed", { total: 3, completed: 2, failed: 1 }]);
    const sent = jsonl(line("r-1", "1"), line("r-3", "3", { body: { model: "m", messages: [] } }));
    expect(uploaded()).toContain(sent);
    expect(uploaded()).not.toContain("r-2");
    expect(await linesOf(errorFileId)).toMatchObject([
      { custom_id: "r-2", response: { status_code: 446, body: { error: { type: "hooks_failed" } } } },
    ]);
    expect((await linesOf(outputFileId)).map(({ custom_id }) => custom_id)).toEqual(["r-1", "r-3"]);
  });

  it("leave nothing to send where they keep all rows back", async () => {
    const { made, work, behave, paths } = open({});
    behave.rehearse = async () => ({ status: 446 });
    const { id } = await made(lines(2), there);
    expect(await work(id)).toMatchObject({ status: "completed", counts: { total: 2, completed: 0, failed: 2 } });
    expect(paths()).toEqual([]);
  });

  it("look at the output before there is a file of it", async () => {
    const { made, work, seen, behave, linesOf, rehearsals, accounts } = open({
      output: { text: jsonl(done("r-1", "fine"), done("r-2", "bad"), done("r-3", "secret")) },
    });
    const { id } = await made(lines(3), there);
    const statuses = new Set<string>();
    behave.rehearse = async ({ answer }) => {
      if (!answer) return { status: 200 };
      const { status, outputFileId } = await seen(id);
      statuses.add(`${status} ${outputFileId}`);
      const text = JSON.stringify(answer);
      if (text.includes("bad")) return { status: 446, refusal: { error: { type: "hooks_failed" } } };
      return text.includes("secret") ? { status: 200, changed: { choices: ["***"] } } : { status: 200 };
    };
    const { counts, outputFileId, errorFileId } = await work(id);
    expect([...statuses]).toEqual(["processing_post_request_guardrails undefined"]);
    expect(counts).toEqual({ total: 3, completed: 2, failed: 1 });
    expect(await linesOf(outputFileId)).toMatchObject([
      done("r-1", "fine"),
      { custom_id: "r-3", response: { status_code: 200, body: { choices: ["***"] } } },
    ]);
    expect(await linesOf(errorFileId)).toMatchObject([{ custom_id: "r-2", response: { status_code: 446 } }]);
    expect(JSON.parse(`${rehearsals.at(-1)?.body}`).messages[0].content).toBe("3");
    // The work was done all the same.
    expect(accounts[0]?.parts[0]?.usage).toEqual({ inputTokens: 9, outputTokens: 6 });
  });
});
