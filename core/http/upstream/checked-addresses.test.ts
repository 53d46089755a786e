import type { LookupFunction } from "node:net";
import { expect, it } from "vitest";
import { addressRules } from "./address-rules.ts";
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

it.each(["ws://127.0.0.1:1", "wss://[::1]", "http://10.0.0.1", "http://user:word@10.0.0.1"])(
  "looks at %s itself, which names no host",
  (origin) => {
    expect(() => strict(origin, true)).toThrow("Upstream address is not allowed.");
    expect(strict(origin, false)).toBeTypeOf("function");
    expect(() => strict("ws://169.254.169.254", false)).toThrow("Upstream address is not allowed.");
  },
);
