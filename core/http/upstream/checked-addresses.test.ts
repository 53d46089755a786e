import type { LookupFunction } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addressRules } from "./address-rules.ts";
import { nameCheck, type Resolve } from "./checked-addresses.ts";
import { connectionsFor } from "./connections.ts";

const { signal } = new AbortController();
const lookups = (trustedHosts: readonly string[]) => {
  const connectionFor = connectionsFor({ rules: addressRules({ trustedHosts, ownHosts: [] }), connectTimeout: 1_000 });
  return (origin: string, untrusted: boolean): LookupFunction => {
    const connection = connectionFor(origin, untrusted, signal);
    if (!("lookup" in connection)) throw new Error("there is no lookup");
    return connection.lookup;
  };
};
const strict = lookups([]);
const trusting = lookups(["localhost", "127.0.0.1"]);

const found = (lookup: LookupFunction) =>
  new Promise<string>((resolve) =>
    lookup("localhost", { family: 4 }, (error, address) => resolve(error ? `${error.message}` : `${address}`)),
  );

it.each<[string, boolean, string]>([
  ["the operator's", false, "127.0.0.1"],
  ["a caller's", true, "Upstream address is not allowed."],
])("looks at the addresses behind a name of %s", async (_, untrusted, answer) => {
  expect(await found(strict("ws://localhost:1", untrusted))).toBe(answer);
  expect(await found(trusting("ws://localhost:1", untrusted))).toBe("127.0.0.1");
});

it.each(["ws://127.0.0.1:1", "wss://[::1]", "http://10.0.0.1"])("looks at %s itself, which names no host", (origin) => {
  expect(() => strict(origin, true)).toThrow("Upstream address is not allowed.");
  expect(strict(origin, false)).toBeTypeOf("function");
  expect(() => strict("ws://169.254.169.254", false)).toThrow("Upstream address is not allowed.");
});

describe("a name that a proxy will resolve", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const answering =
    (...addresses: string[]): Resolve =>
    (_, __, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
  const unknown: Resolve = (_, __, done) => done(new Error("ENOTFOUND"), []);
  const silent: Resolve = () => undefined;
  const rules = addressRules({ trustedHosts: [], ownHosts: [] });
  const check = (untrusted: boolean, resolve: Resolve) => nameCheck(rules, untrusted, resolve)("vendor.example");

  it.each<[string, boolean, Resolve]>([
    ["one of the operator's with a metadata service behind it", false, answering("1.1.1.1", "169.254.169.254")],
    ["one of a caller's with a private address behind it", true, answering("1.1.1.1", "10.0.0.1")],
  ])("is refused: %s", async (_, untrusted, resolve) => {
    await expect(check(untrusted, resolve)).rejects.toMatchObject({ code: "address_blocked" });
  });

  it.each<[string, boolean, Resolve]>([
    ["one with public addresses", true, answering("1.1.1.1", "8.8.8.8")],
    ["one of the operator's with a private address", false, answering("10.0.0.1")],
    ["one that is not known here", true, unknown],
  ])("is left to the proxy: %s", async (_, untrusted, resolve) => {
    await expect(check(untrusted, resolve)).resolves.toBeUndefined();
  });

  it("is left to the proxy where nobody answers, if it is the operator's", async () => {
    let callers = "waiting";
    void check(true, silent).then(() => {
      callers = "called";
    });
    const operators = check(false, silent);
    await vi.advanceTimersByTimeAsync(1_000);
    await operators;
    expect(callers).toBe("waiting");
  });
});
