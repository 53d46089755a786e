import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GatewayError, type OutboundRequest, Secret } from "../../core/index.ts";
import { keepingLogger } from "../../test/support/gateway.ts";
import { payloadOf } from "./payload.ts";
import { Webhook } from "./webhook.ts";

const start = Date.parse("2026-03-11T10:00:00Z");

beforeEach(() => void vi.useFakeTimers({ now: start }));
afterEach(() => void vi.useRealTimers());

type Answer = number | GatewayError;

/** A webhook whose receiver answers one thing after the other, the last one for ever. */
function deployment(answers: readonly (Answer | Promise<Answer>)[], { most = 100, random = 1 } = {}) {
  const asked: (OutboundRequest & { readonly at: number })[] = [];
  const log = keepingLogger();
  const webhook = new Webhook({
    url: "https://hooks.example.org/in?a=b",
    secret: new Secret("the-secret-of-a-hook"),
    timeout: 10_000,
    most,
    log,
    now: Date.now,
    random: () => random,
    async ask(request) {
      asked.push({ ...request, at: Date.now() - start });
      const answer = await (answers[asked.length - 1] ?? answers.at(-1));
      if (answer instanceof GatewayError) throw answer;
      return { status: answer ?? 200, headers: {}, text: "" };
    },
  });
  const tell = (id = "key-1") => {
    const payload = payloadOf(
      { event: "api_key.rotated", organisation: "o", subject: { kind: "api_key", id }, data: { name: "x" } },
      Date.now(),
    );
    webhook.tell(payload);
    return payload;
  };
  const errors = () => log.lines.filter(({ level }) => level === "error");
  return { webhook, asked, tell, errors, log, times: () => asked.map(({ at }) => at) };
}

const unreachable = new GatewayError("upstream_unreachable", "hooks.example.org cannot be reached.");
const minute = () => vi.advanceTimersByTimeAsync(60_000);

describe("an event", () => {
  it("is sent signed, with the moment it is sent within what is signed", async () => {
    const { asked, tell, log } = deployment([503, 200]);
    const payload = tell();
    await minute();
    expect(asked).toHaveLength(2);
    for (const { body = "", headers, method, url, trusted, at } of asked) {
      expect({ method, url, trusted }).toEqual({
        method: "POST",
        url: "https://hooks.example.org/in?a=b",
        trusted: true,
      });
      expect(JSON.parse(body)).toEqual({ ...payload, sent_at: new Date(start + at).toISOString() });
      expect(headers?.["x-gateway-signature"]).toBe(
        createHmac("sha256", "the-secret-of-a-hook").update(body).digest("hex"),
      );
    }
    expect(JSON.stringify(log.lines)).not.toContain("the-secret");
  });

  it.each<[string, readonly Answer[], number, number, readonly number[], number]>([
    ["goes at once", [200], 1, 1, [0], 0],
    ["is taken with any 2xx", [204], 1, 1, [0], 0],
    ["is sent again after 1, 2, 4, 8, 16 seconds", [500], 1, 6, [0, 1000, 3000, 7000, 15_000, 31_000], 1],
    ["or half of them, by chance", [500], 0, 6, [0, 500, 1500, 3500, 7500, 15_500], 1],
    ["is sent again where nobody answers", [unreachable, unreachable, 200], 1, 3, [0, 1000, 3000], 0],
    ["is not delivered by a redirect", [302, 200], 1, 2, [0, 1000], 0],
    ["nor by a refusal", [404, 200], 1, 2, [0, 1000], 0],
  ])("%s", async (_, answers, random, count, times, given) => {
    const one = deployment(answers, { random });
    one.tell();
    await minute();
    expect(one.times()).toEqual(times);
    expect(one.asked).toHaveLength(count);
    expect(one.errors()).toHaveLength(given);
    if (given > 0)
      expect(one.errors()[0]?.fields).toMatchObject({ event: "api_key.rotated", tries: 6, reason: "it answered 500" });
  });
});

describe("a receiver", () => {
  it("that is slow is asked four things at a time; others wait, up to a bound, beyond which they are counted", async () => {
    let answer: (status: number) => void = () => undefined;
    const slow = new Promise<number>((resolve) => {
      answer = resolve;
    });
    const { asked, tell, errors } = deployment([slow], { most: 6 });
    for (let at = 0; at < 9; at++) tell();
    await minute();
    expect(asked).toHaveLength(4);
    expect(errors()).toHaveLength(1);
    answer(200);
    await minute();
    expect(asked).toHaveLength(6);
    expect(errors()[1]?.fields).toEqual({ host: "hooks.example.org", notifications: 3 });
    tell();
    await minute();
    expect(asked).toHaveLength(7);
    expect(errors()).toHaveLength(2);
  });

  it("gets what waits once more when the gateway ends", async () => {
    const { asked, tell, webhook, errors } = deployment([500, 500, 200, 500]);
    tell("a");
    tell("b");
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toHaveLength(2);
    await webhook.close(5000);
    expect(asked).toHaveLength(4);
    expect(errors().map(({ fields }) => fields)).toEqual([expect.objectContaining({ tries: 2 })]);
  });

  it("gets what waits from the next config where that tells it of events, as if nothing had happened", async () => {
    const before = deployment([500]);
    const next = deployment([500, 500, 200]);
    const { id } = before.tell();
    await vi.advanceTimersByTimeAsync(1500);
    await before.webhook.close(5000, next.webhook);
    await minute();
    expect([before.times(), next.times()]).toEqual([
      [0, 1000],
      [1500 + 2000, 3500 + 4000, 7500 + 8000],
    ]);
    expect(next.asked.map(({ body = "" }) => JSON.parse(body).id)).toEqual([id, id, id]);
    expect([...before.errors(), ...next.errors()]).toEqual([]);
  });

  it("that answers nothing while its config goes is asked by the next one, if in the end it did not take it", async () => {
    let answer: (status: number) => void = () => undefined;
    const before = deployment([
      new Promise<number>((resolve) => {
        answer = resolve;
      }),
    ]);
    const next = deployment([200]);
    before.tell();
    await vi.advanceTimersByTimeAsync(0);
    const closing = before.webhook.close(5000, next.webhook);
    await vi.advanceTimersByTimeAsync(5000);
    await closing;
    expect(next.asked).toEqual([]);
    answer(503);
    await minute();
    expect(next.asked).toHaveLength(1);
    expect([...before.errors(), ...next.errors()]).toEqual([]);
  });

  it("gets what came to a config that went, and what was under way over two of them, from the last one", async () => {
    let answer: (status: number) => void = () => undefined;
    const before = deployment([
      new Promise<number>((resolve) => {
        answer = resolve;
      }),
    ]);
    const [between, next] = [deployment([200]), deployment([200, 200])];
    const { id } = before.tell();
    await vi.advanceTimersByTimeAsync(0);
    const closing = before.webhook.close(5000, between.webhook);
    await vi.advanceTimersByTimeAsync(5000);
    await closing;
    await between.webhook.close(5000, next.webhook);
    answer(503);
    const late = before.tell();
    await minute();
    const told = next.asked.map(({ body = "" }) => JSON.parse(body).id);
    expect(told.toSorted()).toEqual([id, late.id].toSorted());
    expect([...before.errors(), ...between.errors(), ...next.errors()]).toEqual([]);
  });

  it("that does not answer holds up no end", async () => {
    const { tell, webhook, errors } = deployment([new Promise<number>(() => undefined)]);
    tell();
    const closing = webhook.close(5000);
    await vi.advanceTimersByTimeAsync(5000);
    await closing;
    expect(errors().map(({ fields }) => fields)).toEqual([{ host: "hooks.example.org", notifications: 1 }]);
  });
});
