import { expect, it } from "vitest";
import { type Credentials, renewed } from "./renewed.ts";

const minute = 60_000;

/** Credentials that live an hour from when they are fetched, and a clock. */
function setUp() {
  const state = { now: 0, fetched: 0, failing: false, lifetime: (60 * minute) as number | undefined };
  const source = renewed(
    async (): Promise<Credentials> => {
      state.fetched++;
      if (state.failing) throw new Error("no");
      const { lifetime } = state;
      return {
        accessKeyId: `key-${state.fetched}`,
        secretAccessKey: "s",
        ...(lifetime !== undefined && { expiration: new Date(state.now + lifetime) }),
      };
    },
    () => state.now,
  );
  return { state, key: async () => (await source()).accessKeyId, source };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

it("fetches nothing before it is asked, and once for all who ask at once", async () => {
  const { state, key } = setUp();
  expect(state.fetched).toBe(0);
  expect(await Promise.all([key(), key(), key()])).toEqual(["key-1", "key-1", "key-1"]);
  expect(state.fetched).toBe(1);
});

it("answers at once from memory, and renews before the end while the old ones still serve", async () => {
  const { state, key, source } = setUp();
  await key();
  state.now = 54 * minute;
  expect(source()).toMatchObject({ accessKeyId: "key-1" });
  state.now = 56 * minute;
  expect(source()).toMatchObject({ accessKeyId: "key-1" });
  await settled();
  expect(source()).toMatchObject({ accessKeyId: "key-2" });
  expect(state.fetched).toBe(2);
});

it("goes on with good credentials when renewing fails, and not beyond their end", async () => {
  const { state, key } = setUp();
  await key();
  state.failing = true;
  state.now = 56 * minute;
  expect(await key()).toBe("key-1");
  await settled();
  expect(await key()).toBe("key-1");
  expect(state.fetched).toBe(2);
  state.now += 11_000;
  expect(await key()).toBe("key-1");
  await settled();
  expect(state.fetched).toBe(3);
  state.now = 60 * minute;
  await expect(key()).rejects.toThrow("no");
  state.failing = false;
  expect(await key()).toBe("key-5");
});

it("keeps those without an end for five minutes, and short-lived ones for half their life", async () => {
  const { state, key } = setUp();
  state.lifetime = undefined;
  await key();
  state.now = 2 * minute;
  expect(await key()).toBe("key-1");
  state.now = 5 * minute;
  expect(await key()).toBe("key-2");
});
