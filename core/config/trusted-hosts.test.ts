import { describe, expect, it } from "vitest";
import { environmentOf } from "../environment.ts";
import { parseWith } from "./testing.ts";
import { trustedHost, trustedHostsOf } from "./trusted-hosts.ts";

describe("an entry", () => {
  it.each([
    ["example.com", "example.com"],
    [" Example.COM ", "example.com"],
    ["*.example.com", "example.com"],
    ["https://example.com:8080/path", "example.com"],
    ["example.com:8080", "example.com"],
    ["172.31.2.45", "172.31.2.45"],
    ["172.31.2.45:11434", "172.31.2.45"],
    ["::1", "::1"],
    ["[::1]", "::1"],
    ["http://[fd12::1]:8080", "fd12::1"],
    ["ollama", "ollama"],
    ["*.models.svc.cluster.local", "models.svc.cluster.local"],
  ])("%s is the host %s", (entry, host) => {
    expect(trustedHost(entry)).toEqual({ host });
  });

  it.each([
    "*.1.2.3.4",
    "10.0.0.0/8",
    "fd00::/8",
    "*",
    "a b",
    "",
    "http://",
    "user@example.com",
    "169.254.169.254",
    "*.nip.io",
    "kubernetes.default.svc.cluster.local",
  ])("%s cannot be trusted", (entry) => {
    expect(trustedHost(entry)).toHaveProperty("problem");
  });
});

describe("the list of a file without one", () => {
  it.each([
    { variables: {}, hosts: ["localhost", "127.0.0.1", "::1", "host.docker.internal"] },
    { variables: { NODE_ENV: "test" }, hosts: ["localhost", "127.0.0.1", "::1", "host.docker.internal"] },
    { variables: { NODE_ENV: "production" }, hosts: [] },
    { variables: { TRUSTED_CUSTOM_HOSTS: "a.example, *.b.example,," }, hosts: ["a.example", "b.example"] },
    { variables: { NODE_ENV: "production", TRUSTED_CUSTOM_HOSTS: "a.example" }, hosts: ["a.example"] },
  ])("is $hosts with $variables", ({ variables, hosts }) => {
    expect(trustedHostsOf(environmentOf(variables))).toEqual({ hosts, warnings: [] });
  });

  it("warns of entries that are left out by their number, never by their text", async () => {
    const { server, warnings } = await parseWith("plugins:\n", { TRUSTED_CUSTOM_HOSTS: "a.example,10.0.0.0/8" });
    expect(server.trustedHosts).toEqual(["a.example"]);
    expect(warnings).toEqual([
      "TRUSTED_CUSTOM_HOSTS: entry 2 is left out: address ranges are not supported; list the addresses",
    ]);
  });
});

it("takes the list of the file and not that of the variable", async () => {
  const { server } = await parseWith("server: { trustedHosts: [] }\n", { TRUSTED_CUSTOM_HOSTS: "a.example" });
  expect(server.trustedHosts).toEqual([]);
});

it("leaves out of either list what no trust opens, and goes on", async () => {
  const never = "is left out: is never called, trusted or not: metadata services and the like";
  const file = await parseWith("server: { trustedHosts: [a.example, 169.254.169.254] }\n", {});
  expect(file.server.trustedHosts).toEqual(["a.example"]);
  expect(file.warnings).toEqual([`server.trustedHosts[1] ${never}`]);
  const variable = await parseWith("plugins:\n", { TRUSTED_CUSTOM_HOSTS: "169.254.169.254" });
  expect(variable.warnings).toEqual([`TRUSTED_CUSTOM_HOSTS: entry 1 ${never}`]);
});
