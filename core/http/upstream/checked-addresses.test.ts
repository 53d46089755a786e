import { expect, it } from "vitest";
import { addressRules } from "./address-rules.ts";
import { lookups } from "./checked-addresses.ts";

const strict = lookups(addressRules({ trustedHosts: [], ownHosts: [] }));
const trusting = lookups(addressRules({ trustedHosts: ["localhost", "127.0.0.1"], ownHosts: [] }));

const found = (lookup: ReturnType<typeof strict>) =>
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
