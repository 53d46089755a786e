import { describe, expect, it } from "vitest";
import { startTestGateway } from "../../../test/support/gateway.ts";
import { json, startSecureUpstream } from "../../../test/support/upstream.ts";
import { codeOf } from "../../errors/code-of.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import { remedyOf } from "./connection-failure.ts";

const failed = (code: string) => Object.assign(new Error("no"), { code });
const ours = (cause: unknown) => new GatewayError("upstream_failed", "The connection failed.", {}, { cause });

describe("a connection that was not to be had", () => {
  it.each<[unknown, string]>([
    [failed("ECONNRESET"), " (ECONNRESET)"],
    [ours(failed("ECONNRESET")), " (ECONNRESET)"],
    [new TypeError("fetch failed", { cause: failed("ENOTFOUND") }), " (ENOTFOUND)"],
    [ours(undefined), ""],
    ["no", ""],
  ])("has the code of what lies behind it (%s)", (cause, code) => {
    expect(codeOf(cause)).toBe(code);
  });

  it.each<[string, RegExp | undefined]>([
    ["SELF_SIGNED_CERT_IN_CHAIN", /server\.trustedAuthorities \(or TLS_CA\)/],
    ["CERT_HAS_EXPIRED", /renewed/],
    ["ERR_TLS_CERT_ALTNAME_INVALID", /another host/],
    ["ERR_SSL_WRONG_VERSION_NUMBER", /speaks no TLS: check the scheme/],
    ["UND_ERR_INVALID_ARG", /line breaks/],
    ["ENOTFOUND", /server\.proxy/],
    ["ECONNRESET", undefined],
    ["constructor", undefined],
  ])("comes with what can be done, where that is known (%s)", (code, remedy) => {
    if (remedy) expect(remedyOf(ours(failed(code)))).toMatch(remedy);
    else expect(remedyOf(ours(failed(code)))).toBeUndefined();
  });

  it("is told the client, and with the remedy the operator", async () => {
    const upstream = await startSecureUpstream((_, response) => json(response, 200, {}));
    const { url, log } = await startTestGateway(
      JSON.stringify({
        plugins: { "auth-open": {}, routing: { default: "local" }, "format-openai-chat": {} },
        providers: { local: { use: "openai", apiKey: "vendor-key", baseUrl: `${upstream.url}/v1` } },
      }),
    );
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello" }] });
    const asked = { method: "POST", headers: { "content-type": "application/json" }, body };
    const answer = await (await fetch(`${url}/v1/chat/completions`, asked)).text();
    expect(answer).toContain("(UNABLE_TO_VERIFY_LEAF_SIGNATURE)");
    expect(answer).not.toContain("trustedAuthorities");
    expect(log.lines).toContainEqual({
      level: "warn",
      message: "no connection to the upstream",
      fields: expect.objectContaining({ provider: "local", remedy: expect.stringContaining("trustedAuthorities") }),
    });
  });
});
