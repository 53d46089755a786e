import { describe, expect, it } from "vitest";
import { addressRules } from "./address-rules.ts";

const strict = addressRules({ trustedHosts: [], ownHosts: ["127.0.0.1:8787"] });
const trusting = addressRules({
  trustedHosts: ["localhost", "127.0.0.1", "::1", "example.lan", "10.0.0.5", "fd00:0::a", "metadata.goog"],
  ownHosts: ["127.0.0.1:8787", "::1:8787", "localhost:8787", "FD00:0:0::a:8787"],
});

describe("a URL chosen by a caller", () => {
  it.each([
    "https://api.example.com/v1",
    "http://api.example.com:8080/v1?a=b",
    "https://8.8.8.8/v1",
    "https://[2001:4860:4860::8888]/v1",
    "http://api.example.com:11434",
  ])("%s is fine", (url) => expect(strict.refuseUrl(url)).toBeUndefined());

  it.each([
    ["", "empty"],
    ["ftp://example.com", "plain http"],
    ["https://user:pass@example.com", "plain http"],
    ["https://example.com/@x", "plain http"],
    ["https://example.com/#f", "plain http"],
    ["https://exa mple.com", "characters|plain"],
    ["https://exa_mple.com", "characters"],
    ["https://exämple.com", "characters"],
    ["https://xn--exmple-cua.com", "punycode"],
    ["https://example.com.", "label"],
    ["https://a.b.c.d.e.f.g.h.i.j.example.com", "label"],
    ["http://127.0.0.1", "internal address"],
    ["http://10.1.2.3", "internal address"],
    ["http://100.64.0.1", "internal address"],
    ["http://2130706433", "four decimal"],
    ["http://0x7f000001", "four decimal"],
    ["http://127.1", "four decimal"],
    ["http://0177.0.0.1", "four decimal"],
    ["http://[::1]", "internal address"],
    ["http://[fc00::1]", "internal address"],
    ["http://[::ffff:127.0.0.1]", "hides"],
    ["http://[64:ff9b::a00:1]", "hides"],
    ["http://[2002:7f00:1::]", "hides"],
    ["http://[::ffff:0:127.0.0.1]", "hides"],
    ["http://[64:ff9b:1::8.8.8.8]", "internal address"],
    ["http://169.254.169.254/latest", "never allowed"],
    ["http://metadata", "never allowed"],
    ["http://metadata.google.internal", "never allowed"],
    ["http://x.nip.io", "never allowed"],
    ["http://svc.cluster.local", "never allowed"],
    ["http://printer.local", "internal name"],
    ["http://box", "single-label"],
    ["https://example.com:6379", "port 6379"],
    ["https://example.com:70000", "port"],
    ["http://127.0.0.1:8787", "gateway itself"],
  ])("%s is refused", (url, reason) => expect(strict.refuseUrl(url)).toMatch(new RegExp(reason)));

  it.each([
    "http://localhost:4010/v1",
    "http://127.0.0.1:4010",
    "http://[::1]:4010",
    "http://a.example.lan",
    "http://10.0.0.5",
    "http://[0:0:0:0:0:0:0:1]:4010",
    "http://[FD00::00a]",
  ])("%s is fine where its host is trusted", (url) => expect(trusting.refuseUrl(url)).toBeUndefined());

  it.each([
    "http://127.0.0.1:6379",
    "http://metadata.goog",
    "http://127.0.0.2",
    "http://evilexample.lan",
    "http://x.127.0.0.1",
    "http://[0:0:0:0:0:0:0:1]:8787",
    "http://a.localhost:8787",
    "http://[fd00:0:0::a]:8787",
  ])("%s is refused in spite of the trust", (url) => expect(trusting.refuseUrl(url)).toBeDefined());
});

describe("a URL that is saved among the records", () => {
  const cluster = addressRules({
    trustedHosts: ["vllm.models.svc.cluster.local", "other.svc.cluster.local"],
    ownHosts: [],
  });

  it.each<[string, boolean, boolean]>([
    ["http://vllm.models.svc.cluster.local:8000/v1", true, true],
    ["http://vllm.models.svc.cluster.local:8000/v1", false, false],
    ["http://a.other.svc.cluster.local", true, true],
    ["http://untrusted.svc.cluster.local", true, false],
    ["http://kubernetes.default.svc.cluster.local", true, false],
    ["http://vllm.models.svc.cluster.local:6379", true, false],
    ["http://metadata.google.internal", true, false],
    ["https://api.example.com", true, true],
  ])("%s (saved: %s) is fine: %s", (url, saved, fine) =>
    expect(cluster.refuseUrl(url, saved) === undefined).toBe(fine),
  );
});

describe("an address about to be connected to", () => {
  it.each([
    ["8.8.8.8", "api.example.com", true, true],
    ["10.0.0.1", "api.example.com", true, false],
    ["10.0.0.1", "api.example.com", false, true],
    ["127.0.0.1", "localhost", true, true],
    ["::ffff:10.0.0.1", "api.example.com", true, false],
    ["169.254.169.254", "api.example.com", false, false],
    ["169.254.169.254", "localhost", true, false],
    ["fd00:ec2::254", "api.example.com", false, false],
    ["not an address", "api.example.com", true, false],
  ])("%s for %s, chosen by a caller: %s → %s", (address, host, untrusted, allowed) =>
    expect(trusting.mayConnect(address, host, untrusted)).toBe(allowed),
  );
});
