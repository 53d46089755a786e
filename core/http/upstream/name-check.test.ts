import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addressRules } from "./address-rules.ts";
import type { Resolve } from "./checked-addresses.ts";
import { nameCheck } from "./name-check.ts";

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

  it("is looked up once, however many connections wait for it", async () => {
    const asked: (() => void)[] = [];
    const resolve: Resolve = (_, __, done) => void asked.push(() => done(null, [{ address: "1.1.1.1", family: 4 }]));
    const look = nameCheck(rules, true, resolve);
    const looking = [look("vendor.example"), look("vendor.example"), look("other.example")];
    expect(asked).toHaveLength(2);
    for (const answer of asked) answer();
    await Promise.all(looking);
    void look("vendor.example");
    expect(asked).toHaveLength(3);
  });

  it.each<[string, Resolve]>([
    ["nobody knows", unknown],
    ["nobody answers for", silent],
  ])("is left alone for half a minute where it is one of the operator's that %s", async (_, resolve) => {
    const asked = vi.fn(resolve);
    const look = nameCheck(rules, false, asked);
    const first = look("vendor.example");
    await vi.advanceTimersByTimeAsync(1_000);
    await first;
    await look("vendor.example");
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["127.0.0.1", true],
    ["169.254.169.254", false],
  ])("is judged by itself where it is an address: %s", async (address, untrusted) => {
    const look = nameCheck(rules, untrusted, answering("1.1.1.1"));
    await expect(look(address)).rejects.toMatchObject({ code: "address_blocked" });
    await expect(look("1.1.1.1")).resolves.toBeUndefined();
  });
});
