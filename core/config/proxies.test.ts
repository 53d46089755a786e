import { describe, expect, it } from "vitest";
import { proxyAddress, proxyException } from "./proxies.ts";
import { mistakesIn, parseWith } from "./testing.ts";

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

describe("the address of a proxy", () => {
  it.each([
    ["http://proxy.example:3128", { secure: false, hostname: "proxy.example", port: 3128, name: "proxy.example:3128" }],
    [
      "http://proxy.example:3128/",
      { secure: false, hostname: "proxy.example", port: 3128, name: "proxy.example:3128" },
    ],
    ["proxy.example:3128", { secure: false, hostname: "proxy.example", port: 3128, name: "proxy.example:3128" }],
    ["http://proxy.example", { secure: false, hostname: "proxy.example", port: 80, name: "proxy.example:80" }],
    ["https://proxy.example", { secure: true, hostname: "proxy.example", port: 443, name: "proxy.example:443" }],
    ["http://[fd00::1]:3128", { secure: false, hostname: "fd00::1", port: 3128, name: "[fd00::1]:3128" }],
  ])("%s is %j", (text, value) => {
    expect(proxyAddress(text)).toEqual({ value });
  });

  it.each([
    ["http://user:pass@proxy.example:3128", "user:pass"],
    ["http://user@proxy.example:3128", "user:"],
    ["http://us%40er:p%3Aass%25@proxy.example:3128", "us@er:p:ass%"],
    ["http://user:100%@proxy.example:3128", "user:100%"],
  ])("%s shows credentials that nobody can print", (text, credentials) => {
    const read = proxyAddress(text);
    if ("problem" in read) throw new Error(read.problem);
    expect(read.value.authorization?.reveal()).toBe(basic(credentials));
    expect(read.value.name).toBe("proxy.example:3128");
    expect(JSON.stringify(read.value)).not.toContain(credentials);
  });

  it.each([
    "socks5://proxy.example:1080",
    "http://",
    "http://proxy.example:99999",
    "http://proxy.example/path",
    "a b",
    "/etc",
    "http://h:0",
  ])("%s is none", (text) => {
    expect(proxyAddress(text)).toHaveProperty("problem");
  });
});

describe("an exception", () => {
  it.each([
    ["*", { kind: "all" }],
    ["Example.com", { kind: "host", host: "example.com" }],
    [".example.com", { kind: "host", host: "example.com" }],
    ["*.example.com", { kind: "host", host: "example.com" }],
    ["example.com.", { kind: "host", host: "example.com" }],
    ["example.com:8443", { kind: "host", host: "example.com", port: 8443 }],
    ["localhost", { kind: "host", host: "localhost" }],
    ["10.1.2.3", { kind: "host", host: "10.1.2.3" }],
    ["10.1.2.3:80", { kind: "host", host: "10.1.2.3", port: 80 }],
    ["0:0:0:0:0:0:0:1", { kind: "host", host: "::1" }],
    ["[::1]", { kind: "host", host: "::1" }],
    ["[::1]:8080", { kind: "host", host: "::1", port: 8080 }],
    ["10.0.0.0/8", { kind: "range", range: "10.0.0.0/8" }],
    ["fd00::/8", { kind: "range", range: "fd00::/8" }],
  ])("%s is %j", (entry, value) => {
    expect(proxyException(entry)).toEqual({ value });
  });

  it.each([
    "<local>",
    "10.*",
    "10.0.0.0/64",
    "http://example.com",
    "a..b",
    ".",
    "example.com:port",
    "10.1/16",
    "0x7f.1/8",
    "example.com:0",
    "a:99999",
    "010.0.0.1",
  ])("%s cannot be one", (entry) => {
    expect(proxyException(entry)).toHaveProperty("problem");
  });
});

describe("the proxies of a gateway", () => {
  const proxiesWith = async (variables: Record<string, string>, source = "plugins:\n") => {
    const { server, warnings } = await parseWith(source, variables);
    const { proxy } = server;
    return { http: proxy?.http?.name, https: proxy?.https?.name, exceptions: proxy?.exceptions, warnings };
  };

  it("are none where nobody names one", async () => {
    expect((await parseWith("plugins:\n", { NO_PROXY: "<local>" })).server.proxy).toBeUndefined();
    expect((await parseWith("plugins:\n", { HTTPS_PROXY: "" })).server.proxy).toBeUndefined();
    expect((await parseWith("plugins:\n", { ALL_PROXY: "http://a.example:1" })).server.proxy).toBeUndefined();
  });

  it.each([
    [{ HTTPS_PROXY: "http://a.example:1" }, { https: "a.example:1", http: undefined }],
    [{ HTTP_PROXY: "http://a.example:1" }, { https: undefined, http: "a.example:1" }],
    [
      { https_proxy: "http://a.example:1", http_proxy: "b.example:2" },
      { https: "a.example:1", http: "b.example:2" },
    ],
    [{ HTTPS_PROXY: "http://a.example:1", https_proxy: "http://b.example:2" }, { https: "b.example:2" }],
  ])("are with %j %j", async (variables, expected) => {
    expect(await proxiesWith(variables as Record<string, string>)).toMatchObject(expected);
  });

  it("have exceptions, of which those that cannot be used are left out by their number", async () => {
    const { exceptions, warnings } = await proxiesWith({
      HTTPS_PROXY: "http://a.example:1",
      NO_PROXY: "localhost, .corp.example 10.0.0.0/8,,<local>",
    });
    expect(exceptions).toEqual([
      { kind: "host", host: "localhost" },
      { kind: "host", host: "corp.example" },
      { kind: "range", range: "10.0.0.0/8" },
    ]);
    expect(warnings).toEqual(["NO_PROXY: entry 4 is left out: it is not a host, an address or a range of addresses"]);
  });

  it("are in the file what it says, and else what the environment says", async () => {
    const variables = {
      HTTPS_PROXY: "http://a.example:1",
      HTTP_PROXY: "http://b.example:2",
      NO_PROXY: "c.example",
      OWN: "u:p@own.example:3",
    };
    const found = await proxiesWith(variables, "server: { proxy: { https: '${OWN}', except: [d.example] } }\n");
    expect(found).toEqual({
      https: "own.example:3",
      http: "b.example:2",
      exceptions: [{ kind: "host", host: "d.example" }],
      warnings: [],
    });
  });

  it.each<[string, Record<string, string>, string]>([
    [
      "plugins:\n",
      { HTTPS_PROXY: "socks5://user:hidden@a.example:1" },
      "gateway.yaml:1:1 the environment variable HTTPS_PROXY must begin with http:// or https://: other kinds of proxies " +
        "are not spoken to",
    ],
    [
      "plugins:\nserver: { proxy: { http: 'http://user:hidden@' } }\n",
      {},
      "gateway.yaml:2:26 server.proxy.http: is not the address of a proxy; write it as http://HOST:PORT or " +
        "http://USER:PASSWORD@HOST:PORT",
    ],
    [
      "server: { proxy: { except: [a.example, 10.*] } }\n",
      {},
      "gateway.yaml:1:40 server.proxy.except[1]: is not a host, an address or a range of addresses",
    ],
  ])("are refused with place and remedy, and without their text: %s %j", async (source, variables, line) => {
    expect(await mistakesIn(source, variables)).toEqual([line]);
  });
});
