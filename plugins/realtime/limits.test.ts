import { beforeEach, describe, expect, it } from "vitest";
import { clock } from "../../test/support/clocked-counters.ts";
import { folderOfFile } from "../../test/support/folder-of-file.ts";
import { supportPlugin, testOrganisation } from "../../test/support/management.ts";
import { converse, type Dialled, refusal, startRealtime, startVendor } from "./testing.ts";

type Limits = Partial<Record<"usage" | "rate", object[]>>;

beforeEach(() => {
  clock.storeIsDown = false;
  clock.now = Date.UTC(2026, 0, 1, 12);
});

/** A gateway whose callers are limited, where a token is a cent. */
async function startLimited(plugins: object = {}, handle?: Parameters<typeof startVendor>[0]) {
  const vendor = await startVendor(handle);
  const folder = folderOfFile();
  const gateway = await startRealtime(vendor, {
    "clocked-counters": supportPlugin(folder, "clocked-counters"),
    "penny-prices": supportPlugin(folder, "penny-prices"),
    "usage-limits": {},
    "rate-limits": {},
    ...plugins,
  });
  const as = (limits: Limits, id = "K1"): Dialled => ({
    headers: {
      "x-test-principal": JSON.stringify({
        id,
        organisation: testOrganisation,
        workspace: "w1",
        limits: { level: "api_key", id, subject: id, usage: [], rate: [], ...limits },
      }),
    },
  });
  const open = (limits: Limits) => converse(gateway, vendor, as(limits));
  const refused = async (limits: Limits) => {
    const { status, text } = await refusal(gateway, as(limits));
    return { status, code: JSON.parse(text).error.code as string };
  };
  return { vendor, gateway, as, open, refused };
}

const answer = (id: string, tokens: number) => ({
  type: "response.done",
  response: { id, status: "completed", output: [], usage: { input_tokens: tokens - 1, output_tokens: 1 } },
});
const budget = (type: "cost" | "tokens", credit_limit: number) => ({
  usage: [
    {
      type,
      credit_limit,
      alert_threshold: null,
      periodic_reset: "monthly",
      periodic_reset_days: null,
      next_usage_reset_at: null,
    },
  ],
});

/** A policy that lets each key have so many requests. */
const requests = (credit_limit: number) => ({
  "records-file": {},
  management: {},
  organisations: {},
  "policy-records": {
    usageLimits: {
      some: {
        conditions: [{ key: "api_key", value: "*" }],
        group_by: [{ key: "api_key" }],
        type: "requests",
        credit_limit,
      },
    },
  },
});

describe("budgets", () => {
  it("are counted answer by answer, and end the session with 1008 after the one that uses them up", async () => {
    const { open, refused } = await startLimited();
    const limits = budget("tokens", 100);
    const { client, server } = await open(limits);
    server.send(answer("r1", 60));
    server.send(answer("r2", 39));
    client.send("still here");
    expect(await server.next()).toBe("still here");
    server.send(answer("r3", 1));
    for (const id of ["r1", "r2", "r3"]) expect(await client.event()).toMatchObject({ response: { id } });
    expect(await client.closed).toMatchObject({ code: 1008, reason: expect.stringMatching(/limit|budget/i) });
    await server.closed;
    expect(await refused(limits)).toEqual({ status: 412, code: "budget_exhausted" });
  });

  it("of money go by what an answer cost", async () => {
    const { open, refused } = await startLimited();
    const limits = budget("cost", 1);
    const { client, server } = await open(limits);
    server.send(answer("r1", 99));
    await client.next();
    server.send(answer("r2", 1));
    expect(await client.closed).toMatchObject({ code: 1008 });
    expect(await refused(limits)).toEqual({ status: 412, code: "budget_exhausted" });
  });

  it("let an answer end that has begun", async () => {
    const { open, refused } = await startLimited();
    const limits = budget("tokens", 10);
    const { client, server } = await open(limits);
    server.send({ type: "response.created", response: { id: "r1" } });
    server.send({ type: "response.created", response: { id: "r2" } });
    server.send(answer("r1", 10));
    server.send({ type: "response.output_text.delta", delta: "And" });
    for (let n = 0; n < 4; n++) await client.next();
    // Used up by now, as others are told.
    expect(await refused(limits)).toMatchObject({ status: 412 });
    server.send(answer("r2", 10));
    expect(await client.event()).toMatchObject({ response: { id: "r2" } });
    expect(await client.closed).toMatchObject({ code: 1008 });
  });

  it("of requests count a handshake the vendor refuses as they count its errors, and not one that came to nobody", async () => {
    const answers = ["", "HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n"];
    const { refused } = await startLimited(requests(1), (_, socket) => !!socket.end(answers.shift()));
    const onVendor = { status: 500 };
    expect([await refused({}), await refused({})]).toMatchObject([onVendor, onVendor]);
    await expect.poll(() => refused({})).toEqual({ status: 412, code: "budget_exhausted" });
    expect(answers).toEqual([]);
  });

  it("of requests count a session once it is open, and let it go on", async () => {
    const { open, refused } = await startLimited(requests(1));
    const { client, server } = await open({});
    server.send({ type: "session.created", session: { id: "s1" } });
    await client.next();
    expect(await refused({})).toEqual({ status: 412, code: "budget_exhausted" });
    server.send(answer("r1", 10));
    server.send(answer("r2", 10));
    client.send("still here");
    expect(await server.next()).toBe("still here");
    for (const id of ["r1", "r2"]) expect(await client.event()).toMatchObject({ response: { id } });
    client.socket.close();
    await server.closed;
  });

  it("of requests do not count it again when it is closed", async () => {
    const { open, refused } = await startLimited(requests(3));
    const opened = async () => {
      const { client, server } = await open({});
      server.send({ type: "session.created", session: { id: "s" } });
      await client.next();
      return { client, server };
    };
    const { client, server } = await opened();
    client.socket.close();
    await server.closed;
    await opened();
    await opened();
    expect(await refused({})).toMatchObject({ status: 412 });
  });

  it("count each answer once", async () => {
    const { open, as, gateway, vendor } = await startLimited();
    const limits = budget("tokens", 100);
    const { client, server } = await open(limits);
    server.send(answer("r1", 50));
    await client.next();
    client.socket.close();
    await server.closed;
    const again = await converse(gateway, vendor, as(limits));
    again.server.send(answer("r2", 49));
    await again.client.next();
    again.server.send(answer("r3", 1));
    expect(await again.client.closed).toMatchObject({ code: 1008 });
  });

  it("begin anew in the middle of a session", async () => {
    const { open } = await startLimited();
    const { client, server } = await open(budget("tokens", 100));
    server.send(answer("r1", 99));
    await client.next();
    clock.now = Date.UTC(2026, 1, 1, 12);
    server.send(answer("r2", 99));
    await client.next();
    client.send("still here");
    expect(await server.next()).toBe("still here");
    server.send(answer("r3", 1));
    expect(await client.closed).toMatchObject({ code: 1008 });
  });
});

describe("rates", () => {
  it("of tokens are counted answer by answer, and refuse the next session but do not end this one", async () => {
    const { open, refused } = await startLimited();
    const limits = { rate: [{ type: "tokens", unit: "rph", value: 1_000 }] };
    const { client, server } = await open(limits);
    server.send(answer("r1", 2_000));
    server.send(answer("r2", 2_000));
    await client.next();
    await client.next();
    client.send("still here");
    expect(await server.next()).toBe("still here");
    client.socket.close();
    await server.closed;
    expect(await refused(limits)).toEqual({ status: 429, code: "rate_limit_exceeded" });
    clock.now += 3_600_000;
    await open(limits);
  });

  it("of requests count the session once", async () => {
    const { open, refused } = await startLimited();
    const limits = { rate: [{ type: "requests", unit: "rph", value: 2 }] };
    const { client, server } = await open(limits);
    for (const id of ["r1", "r2", "r3"]) server.send(answer(id, 5));
    for (let n = 0; n < 3; n++) await client.next();
    await open(limits);
    expect(await refused(limits)).toMatchObject({ status: 429 });
  });
});
