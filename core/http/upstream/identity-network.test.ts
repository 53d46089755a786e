import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { authority } from "../../../test/support/certificates.ts";
import { startProxy } from "../../../test/support/proxy.ts";
import { type Answering, json, startSecureUpstream, startUpstream } from "../../../test/support/upstream.ts";
import { proxyAddress } from "../../config/proxies.ts";
import { credentialsOf } from "../../provider-kit/aws/credentials.ts";
import { awsOptions } from "../../provider-kit/aws/options.ts";
import { fetchToken } from "../../provider-kit/fetch-token.ts";
import { addressRules } from "./address-rules.ts";
import { identityNetwork, useIdentityNetwork } from "./identity-network.ts";
import { proxyChoice } from "./proxy-choice.ts";
import { trustIn } from "./trust.ts";

const rules = addressRules({ trustedHosts: [], ownHosts: [] });

function useProxy(url: string) {
  const read = proxyAddress(url);
  if ("problem" in read) throw new Error(read.problem);
  const leave = useIdentityNetwork({
    rules,
    connectTimeout: 2_000,
    choose: proxyChoice({ http: read.value, https: read.value, exceptions: [] }),
    trust: trustIn([readFileSync(authority, "utf8")]),
  });
  onTestFinished(leave);
  return leave;
}

const tokens: Answering = (_, response) => json(response, 200, { access_token: "fetched", expires_in: 3_600 });
const tokenAt = (url: string) => fetchToken({ provider: "vendor", check: "something", url, form: { a: "b" } });

describe("whoever fetches credentials", () => {
  beforeEach(() => {
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere");
    vi.stubEnv("AWS_CONFIG_FILE", "/nowhere");
  });
  afterEach(() => vi.unstubAllEnvs());

  it("goes through the proxy to the servers of tokens", async () => {
    const [proxy, server] = await Promise.all([startProxy(), startSecureUpstream(tokens)]);
    useProxy(proxy.url);
    expect(await tokenAt(`${server.url}/token`)).toMatchObject({ text: "fetched" });
    expect(proxy.asked).toMatchObject([{ method: "CONNECT", target: new URL(server.url).host }]);
    expect(server.received[0]?.body.toString()).toBe("a=b");
  });

  it("asks services of the machine directly", async () => {
    const [proxy, server] = await Promise.all([startProxy(), startUpstream(tokens)]);
    useProxy(proxy.url);
    expect(await tokenAt(`${server.url}/token`)).toMatchObject({ text: "fetched" });
    expect(proxy.asked).toEqual([]);
  });

  it("goes through the proxy with AWS's library, too", async () => {
    const credentials =
      "<Credentials><AccessKeyId>KEY</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>" +
      "<Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>";
    const server = await startSecureUpstream((_, response) => {
      response.writeHead(200, { "content-type": "text/xml" });
      response.end(
        `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>${credentials}` +
          "<AssumedRoleUser><Arn>a</Arn><AssumedRoleId>b</AssumedRoleId></AssumedRoleUser></AssumeRoleResult></AssumeRoleResponse>",
      );
    });
    const proxy = await startProxy();
    useProxy(proxy.url);
    const keys = { accessKeyId: "AKID", secretAccessKey: "secret", region: "eu-west-1", stsUrl: server.url };
    const options = z
      .strictObject(awsOptions({ name: "anything" }))
      .parse({ ...keys, authType: "assumedRole", roleArn: "arn:aws:iam::123456789012:role/proxied" });
    expect(await credentialsOf(options)()).toMatchObject({ accessKeyId: "KEY" });
    expect(proxy.asked).toMatchObject([{ method: "CONNECT", target: new URL(server.url).host }]);
  });

  it("is told of a proxy that refuses, and nothing of its credentials", async () => {
    const proxy = await startProxy({ refuses: 403 });
    useProxy(proxy.url.replace("://", "://user:hidden@"));
    const error: unknown = await tokenAt("https://127.0.0.1:1/token").catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: "upstream_unreachable" });
    expect(String(error)).toContain("no token from https://127.0.0.1:1/token: it cannot be reached");
  });

  it("does as the newest generation does that is there", async () => {
    expect(identityNetwork()).toBeUndefined();
    const leaveFirst = useProxy("http://127.0.0.1:1");
    const first = identityNetwork();
    const leavePlain = useIdentityNetwork({ rules, connectTimeout: 1_000 });
    expect(identityNetwork()).toBeUndefined();
    const leaveLast = useProxy("http://127.0.0.1:2");
    await leaveFirst();
    expect(identityNetwork()).not.toBe(first);
    expect(identityNetwork()).toBeDefined();
    await leaveLast();
    expect(identityNetwork()).toBeUndefined();
    await leavePlain();
  });

  it("does not go back to an older generation when one of the same kind leaves", async () => {
    const leaveFirst = useIdentityNetwork({ rules, connectTimeout: 1_000 });
    const leaveSecond = useProxy("http://127.0.0.1:1");
    const leaveThird = useIdentityNetwork({ rules, connectTimeout: 1_000 });
    await leaveFirst();
    expect(identityNetwork()).toBeUndefined();
    await leaveSecond();
    await leaveThird();
  });
});
