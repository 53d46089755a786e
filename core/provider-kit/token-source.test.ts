import { describe, expect, it } from "vitest";
import { Secret } from "../secrets/secret.ts";
import { TokenCache } from "./token-cache.ts";
import { type Token, tokenSource } from "./token-source.ts";

const minute = 60_000;

/** A token server one settles by hand, and a clock one sets. */
function server(renewAfter?: number) {
  const waiting: { give(minutes: number): Promise<void>; refuse(): Promise<void> }[] = [];
  const clock = { now: 0 };
  let count = 0;
  const source = tokenSource({
    now: () => clock.now,
    ...(renewAfter !== undefined && { renewAfter }),
    fetch: () =>
      new Promise<Token>((resolve, reject) => {
        count += 1;
        const text = `token-${count}`;
        const settled = async (settle: () => void) => {
          settle();
          await Promise.resolve();
          await new Promise((done) => setImmediate(done));
        };
        waiting.push({
          give: (minutes) => settled(() => resolve({ text, expiresAt: clock.now + minutes * minute })),
          refuse: () => settled(() => reject(new Error(`no ${text}`))),
        });
      }),
  });
  const next = () => waiting.shift() ?? expect.fail("nobody is asking for a token");
  return { source, clock, next, asked: () => count };
}

const textOf = async (token: Promise<Token>) => (await token).text;

describe("a token source", () => {
  it("asks once for all who wait, and nobody again while the token is good", async () => {
    const { source, next, asked } = server();
    const both = [source(), source()];
    await next().give(60);
    expect(await Promise.all(both.map(textOf))).toEqual(["token-1", "token-1"]);
    expect(await textOf(source())).toBe("token-1");
    expect(asked()).toBe(1);
  });

  it("renews beside the calls, once, before the token expires", async () => {
    const { source, clock, next, asked } = server();
    void source();
    await next().give(60);
    clock.now = 59 * minute;
    expect(await Promise.all([source(), source()].map(textOf))).toEqual(["token-1", "token-1"]);
    expect(asked()).toBe(2);
    await next().give(60);
    expect(await textOf(source())).toBe("token-2");
  });

  it("renews what is older than it is kept", async () => {
    const { source, clock, next, asked } = server(15 * minute);
    void source();
    await next().give(60);
    clock.now = 15 * minute - 1;
    await source();
    expect(asked()).toBe(1);
    clock.now = 15 * minute;
    await source();
    expect(asked()).toBe(2);
  });

  it("uses the last good one while renewing fails, and does not ask at every call", async () => {
    const { source, clock, next, asked } = server();
    void source();
    await next().give(60);
    clock.now = 59 * minute;
    await source();
    await next().refuse();
    expect(await textOf(source())).toBe("token-1");
    expect(asked()).toBe(2);
    clock.now = 59.5 * minute;
    expect(await textOf(source())).toBe("token-1");
    expect(asked()).toBe(3);
    await next().refuse();
    clock.now = 61 * minute;
    const late = source();
    await next().give(60);
    expect(await textOf(late)).toBe("token-4");
  });

  it("tells the failure to all who wait, and asks again a second later", async () => {
    const { source, clock, next, asked } = server();
    const waiting = [source(), source()].map((one) => expect(one).rejects.toThrow("no token-1"));
    await next().refuse();
    await Promise.all(waiting);
    await expect(source()).rejects.toThrow("no token-1");
    expect(asked()).toBe(1);
    clock.now = 1_000;
    const again = source();
    await next().give(60);
    expect(await textOf(again)).toBe("token-2");
  });

  it("waits for a new one when the old has expired", async () => {
    const { source, clock, next } = server();
    void source();
    await next().give(1);
    clock.now = minute;
    const late = source();
    await next().give(60);
    expect(await textOf(late)).toBe("token-2");
  });
});

describe("a cache of token sources", () => {
  const make = (text: string) => () => ({ fetch: async () => ({ text, expiresAt: Date.now() + minute }) });

  it("has one for a credential, and another for any other", async () => {
    const cache = new TokenCache();
    const first = cache.source(["client", new Secret("one")], make("a"));
    expect(cache.source(["client", new Secret("one")], make("b"))).toBe(first);
    expect(cache.source(["client", new Secret("two")], make("c"))).not.toBe(first);
    expect(cache.source(["client", undefined, "one"], make("d"))).not.toBe(first);
  });

  it("lets go of those longest unused", () => {
    const cache = new TokenCache();
    const used = cache.source(["used"], make("a"));
    const unused = cache.source(["unused"], make("a"));
    for (let at = 0; at < 999; at++) {
      cache.source([`${at}`], make("a"));
      cache.source(["used"], make("a"));
    }
    expect(cache.source(["used"], make("a"))).toBe(used);
    expect(cache.source(["unused"], make("a"))).not.toBe(unused);
  });
});
