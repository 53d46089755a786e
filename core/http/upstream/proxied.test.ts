import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { authority, stranger } from "../../../test/support/certificates.ts";
import { type ProxyInput, startProxy } from "../../../test/support/proxy.ts";
import { json, startSecureUpstream, startUpstream } from "../../../test/support/upstream.ts";
import { proxyAddress, proxyException } from "../../config/proxies.ts";
import { silentLogger } from "../../log.ts";
import type { Transport, UpstreamCall, UpstreamListener } from "../../model/transport.ts";
import { inAbsoluteForm } from "./absolute-form.ts";
import { addressRules } from "./address-rules.ts";
import type { Resolve } from "./checked-addresses.ts";
import { type OutboundRequest, outbound } from "./outbound.ts";
import { destinationOf, proxyChoice } from "./proxy-choice.ts";
import { trustIn } from "./trust.ts";
import { undiciTransport } from "./undici-transport.ts";

interface Through {
  readonly http?: string;
  readonly https?: string;
  readonly except?: readonly string[];
  readonly authorities?: readonly string[];
  readonly resolve?: Resolve;
  readonly connectTimeout?: number;
}

const readAs = <Value>(read: { value: Value } | { problem: string }): Value =>
  "value" in read ? read.value : expect.fail(read.problem);

const choiceOf = ({ http, https, except = [] }: Through) =>
  proxyChoice({
    ...(http !== undefined && { http: readAs(proxyAddress(http)) }),
    ...(https !== undefined && { https: readAs(proxyAddress(https)) }),
    exceptions: except.map((entry) => readAs(proxyException(entry))),
  });

/** Asks through the transport, as plugins do. */
function asking({ authorities = [authority], resolve, connectTimeout = 2_000, ...through }: Through) {
  const rules = addressRules({ trustedHosts: ["127.0.0.1", "localhost"], ownHosts: [] });
  const transport = undiciTransport({
    connectionsPerHost: 1,
    connectTimeout,
    rules,
    choose: choiceOf(through),
    trust: trustIn(authorities.map((file) => readFileSync(file, "utf8"))),
    ...(resolve && { resolve }),
  });
  onTestFinished(() => transport.close());
  const ask = outbound(transport, rules, silentLogger);
  return (url: string, more: Partial<OutboundRequest> = {}) =>
    ask({ method: "GET", url, trusted: true, timeout: 5_000, ...more });
}

const credentials = "user:p%40ss";
const withCredentials = (url: string) => url.replace("://", `://${credentials}@`);
const authorization = `Basic ${Buffer.from("user:p@ss").toString("base64")}`;
const ok: Parameters<typeof startUpstream>[0] = ({ url }, response) => json(response, 200, { url });

describe("plain HTTP through a proxy", () => {
  it.each([{ secure: false }, { secure: true }])("asks it for the whole URL, $secure", async (input) => {
    const proxy = await startProxy(input);
    const upstream = await startUpstream(ok);
    const ask = asking({ http: withCredentials(proxy.url) });
    const answer = await ask(`${upstream.url}/v1/x?y=1`, { method: "POST", headers: { "x-a": "1" }, body: "{}" });
    expect(answer).toMatchObject({ status: 200, text: '{"url":"/v1/x?y=1"}' });
    expect(proxy.asked).toMatchObject([{ method: "POST", target: `${upstream.url}/v1/x?y=1` }]);
    expect(proxy.asked[0]?.headers).toMatchObject({ "proxy-authorization": authorization, "x-a": "1" });
    expect(upstream.received[0]?.headers).toMatchObject({ host: new URL(upstream.url).host });
    expect(upstream.received[0]?.headers).not.toHaveProperty("proxy-authorization");
    await ask(upstream.url);
    expect(proxy.open.size).toBe(1);
  });

  it("hands on what the proxy answers in place of the upstream, unless it is asked for credentials", async () => {
    const answering = async (refuses: number) => asking({ http: (await startProxy({ refuses })).url });
    expect((await (await answering(502))("http://vendor.example/")).status).toBe(502);
    const error = await (await answering(407))("http://vendor.example/").catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: "upstream_unreachable" });
    expect(String(error)).toMatch(/The proxy 127\.0\.0\.1:\d+ refused the connection with 407; check the user/);
  });

  it.each(["http://vendor.example", "HTTP://vendor.example"])("is told by what is called: %s", (origin) => {
    const paths: string[] = [];
    const transport = { send: ({ path }: UpstreamCall) => void paths.push(path) } as unknown as Transport;
    const call = { method: "GET", origin, path: "/x", headers: {}, body: undefined, untrustedHost: true } as const;
    inAbsoluteForm(transport, choiceOf({ http: "http://p.example:1" })).send(call, {} as UpstreamListener);
    expect(paths).toEqual([`${origin}/x`]);
  });

  it("is no business of the proxy for https", async () => {
    const proxy = await startProxy();
    const [plain, secure] = await Promise.all([startUpstream(ok), startSecureUpstream(ok)]);
    const ask = asking({ https: proxy.url });
    await ask(plain.url);
    expect(proxy.asked).toEqual([]);
    await ask(secure.url);
    expect(proxy.asked).toHaveLength(1);
  });
});

describe("a tunnel through a proxy", () => {
  it.each([{ secure: false }, { secure: true }])("carries TLS to the host itself, $secure", async (input) => {
    const proxy = await startProxy(input);
    const upstream = await startSecureUpstream(ok);
    const { host } = new URL(upstream.url);
    const ask = asking({ https: withCredentials(proxy.url) });
    expect(await ask(`${upstream.url}/v1/x`)).toMatchObject({ status: 200, text: '{"url":"/v1/x"}' });
    expect(await ask(`${upstream.url}/v1/y`)).toMatchObject({ status: 200 });
    expect(proxy.asked).toMatchObject([{ method: "CONNECT", target: host }]);
    expect(proxy.asked[0]?.headers).toMatchObject({ host, "proxy-authorization": authorization });
    expect(upstream.received[0]?.headers).not.toHaveProperty("proxy-authorization");
  });

  it("is asked of a proxy by the name of the proxy, whatever its target is called", async () => {
    const upstream = await startSecureUpstream(ok);
    const proxy = await startProxy({ secure: true, hosts: { "elsewhere.example:443": new URL(upstream.url).host } });
    const resolve: Resolve = (_, __, done) => done(new Error("ENOTFOUND"), []);
    // The certificate of the target is for other names: the one of the proxy was believed.
    const error = await asking({ https: proxy.url, resolve })("https://elsewhere.example/").catch((cause) => cause);
    expect(proxy.asked).toMatchObject([{ method: "CONNECT", target: "elsewhere.example:443" }]);
    expect(error.cause).toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
  });

  it("leads to names that are not known here", async () => {
    const upstream = await startSecureUpstream(ok);
    const proxy = await startProxy({ hosts: { "vendor.example:443": new URL(upstream.url).host } });
    const resolve: Resolve = (_, __, done) => done(new Error("ENOTFOUND"), []);
    const answer = await asking({ https: proxy.url, resolve })("https://vendor.example/v1/x", { trusted: false });
    expect(answer.status).toBe(200);
    expect(proxy.asked).toMatchObject([{ target: "vendor.example:443" }]);
  });

  it.each<[string, ProxyInput["refuses"], RegExp]>([
    ["asks for credentials", 407, /^The proxy 127\.0\.0\.1:\d+ refused the connection with 407; check the user and/],
    ["forbids the host", 403, /^The proxy 127\.0\.0\.1:\d+ refused the connection with 403\.$/],
    ["does not reach the host", 502, /^The proxy 127\.0\.0\.1:\d+ refused the connection with 502\.$/],
    ["says nothing", "silent", /^The proxy 127\.0\.0\.1:\d+ did not open a tunnel within 50 ms\.$/],
  ])("fails where the proxy %s", async (_, refuses = 0, message) => {
    const proxy = await startProxy({ refuses });
    const ask = asking({ https: withCredentials(proxy.url), connectTimeout: 50 });
    await expect(ask("https://127.0.0.1:1/")).rejects.toMatchObject({
      code: "upstream_unreachable",
      message: expect.stringMatching(message),
    });
    await proxy.left();
  });

  it.each(["http", "https"])("fails where there is no proxy, %s", async (scheme) => {
    const dead = withCredentials("http://127.0.0.1:1");
    await expect(asking({ http: dead, https: dead })(`${scheme}://127.0.0.1:2/`)).rejects.toMatchObject({
      code: "upstream_unreachable",
      message: "The proxy 127.0.0.1:1 cannot be reached (ECONNREFUSED).",
    });
  });

  it("fails where the proxy is not to be believed", async () => {
    const proxy = await startProxy({ secure: true });
    const ask = asking({ http: proxy.url, https: proxy.url, authorities: [stranger] });
    const error = {
      code: "upstream_unreachable",
      message: expect.stringContaining(`The proxy ${proxy.name} cannot be`),
    };
    await expect(ask("http://127.0.0.1:1/")).rejects.toMatchObject(error);
    await expect(ask("https://127.0.0.1:1/")).rejects.toMatchObject(error);
    expect(proxy.asked).toEqual([]);
  });
});

describe("what may not be called", () => {
  const bad: Resolve = (_, __, done) => done(null, [{ address: "169.254.169.254", family: 4 }]);
  const inside: Resolve = (_, __, done) => done(null, [{ address: "10.0.0.1", family: 4 }]);

  it.each<[string, boolean, Resolve | undefined]>([
    ["//169.254.169.254/", true, undefined],
    ["//[fd00:ec2::254]/", true, undefined],
    ["//10.0.0.1/", false, undefined],
    ["//metadata.google.internal/", false, undefined],
    ["//vendor.example/", true, bad],
    ["//vendor.example/", false, inside],
  ])("is not called through a proxy either: %s, trusted: %s", async (rest, trusted, resolve) => {
    const proxy = await startProxy();
    const ask = asking({ http: proxy.url, https: proxy.url, ...(resolve && { resolve }) });
    for (const scheme of ["http:", "https:"])
      await expect(ask(scheme + rest, { trusted })).rejects.toMatchObject({ code: "address_blocked" });
    expect(proxy.asked).toEqual([]);
  });
});

describe("hosts that are called without a proxy", () => {
  it.each<[string, string, boolean]>([
    ["*", "https://example.com", true],
    ["example.com", "https://example.com", true],
    ["example.com", "https://EXAMPLE.com", true],
    ["example.com", "https://api.example.com", true],
    ["example.com", "https://badexample.com", false],
    ["example.com", "https://example.com.evil.example", false],
    [".example.com", "https://api.example.com", true],
    [".example.com", "https://example.com", true],
    ["*.example.com", "https://api.example.com", true],
    ["example.com:8443", "https://example.com:8443", true],
    ["example.com:8443", "https://example.com", false],
    ["example.com:443", "https://example.com", true],
    ["example.com:80", "http://example.com", true],
    ["127.0.0.1", "http://127.0.0.1:8000", true],
    ["127.0.0.1", "http://127.0.0.2:8000", false],
    ["127.0.0.1", "http://localhost:8000", false],
    ["::1", "http://[::1]:8000", true],
    ["[::1]:8000", "ws://[::1]:8000", true],
    ["[::1]:8000", "ws://[::1]:8001", false],
    ["10.0.0.0/8", "https://10.9.8.7", true],
    ["10.0.0.0/8", "https://11.0.0.1", false],
    ["10.0.0.0/8", "https://[::ffff:10.0.0.1]", true],
    ["10.0.0.0/8", "https://ten.example", false],
    ["fd00::/8", "https://[fd12::1]", true],
    ["localhost", "wss://localhost", true],
    ["a.example,b.example", "https://b.example", true],
  ])("with %s: %s is %s", (except, origin, direct) => {
    const choose = choiceOf({ http: "http://p.example:1", https: "http://p.example:2", except: except.split(",") });
    expect(choose(destinationOf(origin)) === undefined).toBe(direct);
  });

  it("are this machine's only where they are listed", async () => {
    const proxy = await startProxy();
    const upstream = await startUpstream(ok);
    await asking({ http: proxy.url })(upstream.url);
    expect(proxy.asked).toHaveLength(1);
    await asking({ http: proxy.url, except: ["127.0.0.0/8"] })(upstream.url);
    expect(proxy.asked).toHaveLength(1);
  });
});

describe("authorities besides the usual ones", () => {
  it.each([
    ["believed directly", false, authority, 200],
    ["believed through a tunnel", true, authority, 200],
    ["not believed directly", false, stranger, undefined],
    ["not believed through a tunnel", true, stranger, undefined],
  ])("are %s", async (_, proxied, file, status) => {
    const proxy = await startProxy();
    const upstream = await startSecureUpstream(ok);
    const ask = asking({
      authorities: [file],
      ...(proxied && { https: proxy.url }),
      ...(!proxied && { except: ["*"] }),
    });
    const answer = ask(upstream.url);
    if (status !== undefined) expect((await answer).status).toBe(status);
    else
      await expect(answer).rejects.toMatchObject({ code: "upstream_unreachable", cause: { code: /UNABLE_TO_VERIFY/ } });
  });
});
