import { describe, expect, it } from "vitest";
import { bearerTokenOf } from "./bearer-token.ts";
import { signatureOf } from "./sign.ts";

/** The vector of providers.md appendix A.4. */
const credentials = {
  accessKeyId: "AKIDEXAMPLE0000000AA",
  secretAccessKey: "wJexampleSecretKey0000000000000000000000",
};
const scope = { region: "us-east-1", service: "bedrock", date: new Date("2026-01-05T10:00:00Z") };
const host = "https://bedrock-runtime.us-east-1.amazonaws.com";
const call = {
  method: "POST",
  url: `${host}/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse`,
  headers: { "content-type": "application/json", "anthropic-beta": "not-signed", authorization: "of the client" },
  body: Buffer.from('{"messages":[{"role":"user","content":[{"text":"hi"}]}]}'),
};

describe("signatures of calls to AWS", () => {
  it("are those of the vector, the colon of a model id encoded twice", async () => {
    expect(await signatureOf(call, credentials, scope)).toEqual({
      "x-amz-date": "20260105T100000Z",
      authorization:
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE0000000AA/20260105/us-east-1/bedrock/aws4_request, " +
        "SignedHeaders=content-type;host;x-amz-date, " +
        "Signature=b2d8be3c87490f907064a480d91fb8d68c3febce39953f6b2bce64a575fa4689",
    });
  });

  /** Made with another library (aws4). */
  it.each<[string, string, string, string | undefined, string | undefined, string]>([
    [
      "sagemaker",
      "POST",
      "https://runtime.sagemaker.us-east-1.amazonaws.com/endpoints/my-endpoint/invocations?b=2&a=1",
      '{"instances":[1]}',
      undefined,
      "b6878b6b96d63323c5daacd9da67493e15d5e21afbc0ee0019830c49e9b2b460",
    ],
    [
      "aws-external-anthropic",
      "POST",
      "https://aws-external-anthropic.us-east-1.api.aws/v1/messages",
      '{"model":"m"}',
      undefined,
      "eb3e45f475b8090e7ceb429c2e770e3e07944779f5dc40a652482fc86a679f79",
    ],
    [
      "bedrock",
      "GET",
      "https://bedrock-mantle.us-east-1.api.aws/v1/models",
      undefined,
      "token/+=",
      "08ae677414e9fbe2017f790a255ee1891bf027e1cbd22c8eaaa52db6faf38c4a",
    ],
    [
      "bedrock",
      "POST",
      `${host}/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fus.meta.x/invoke`,
      '{"prompt":"é"}',
      "tok",
      "222ced6ebc685503967970b4022ca4a1ffed63ebe27207334d387eb8e1a9bd47",
    ],
  ])("for %s are those of another implementation: %s %s", async (service, method, url, body, token, signature) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const own = { method, url, headers, body: body === undefined ? undefined : Buffer.from(body) };
    const who = { ...credentials, ...(token !== undefined && { sessionToken: token }) };
    const { authorization } = await signatureOf(own, who, { ...scope, service });
    expect(authorization).toMatch(new RegExp(`/${service}/aws4_request, .*, Signature=${signature}$`));
  });

  it("cover the session token and every other header of AWS's, but nothing of a client's own signature", async () => {
    const own = { "x-amz-security-token": "of the client", "x-amz-content-sha256": "of the client" };
    const headers = { ...call.headers, "x-amz-meta": "1", ...own };
    const signed = await signatureOf({ ...call, headers }, { ...credentials, sessionToken: "tok" }, scope);
    expect(signed["x-amz-security-token"]).toBe("tok");
    expect(signed.authorization).toContain(
      "SignedHeaders=content-type;host;x-amz-date;x-amz-meta;x-amz-security-token",
    );
  });

  it("are made for a request without a body, with a query, and for a host with a port", async () => {
    const get = {
      method: "GET",
      url: "http://127.0.0.1:81/inference-profiles?b=2&a=1&a=0",
      headers: {},
      body: undefined,
    };
    const one = await signatureOf(get, credentials, scope);
    expect(one.authorization).toContain("SignedHeaders=host;x-amz-date");
    const other = await signatureOf({ ...get, url: get.url.replace(":81", ":82") }, credentials, scope);
    expect(other.authorization).not.toBe(one.authorization);
  });
});

/** The signature is what the steps of AWS's documentation come to, made without the library. */
it("tokens are a signed call that nobody makes, the same for an hour", async () => {
  const now = Date.UTC(2026, 0, 5, 10);
  const tokenAt = (moment: number, region = "us-east-1") =>
    bearerTokenOf(credentials, { region, service: "sagemaker", now: moment });
  const token = await tokenAt(now);
  expect(token.replace(/^sagemaker-api-key-/, "")).not.toBe(token);
  expect(Buffer.from(token.replace("sagemaker-api-key-", ""), "base64").toString()).toBe(
    "sagemaker.amazonaws.com/?Action=CallWithBearerToken&X-Amz-Algorithm=AWS4-HMAC-SHA256" +
      "&X-Amz-Credential=AKIDEXAMPLE0000000AA%2F20260105%2Fus-east-1%2Fsagemaker%2Faws4_request" +
      "&X-Amz-Date=20260105T100000Z&X-Amz-Expires=43200&X-Amz-SignedHeaders=host" +
      "&X-Amz-Signature=05f0147c7e72aba9064748248fbfda796498aa87e367392fd5e9d06034b1e9a0&Version=1",
  );
  expect(await tokenAt(now + 3_599_000)).toBe(token);
  expect(await tokenAt(now + 3_600_000)).not.toBe(token);
  expect(await tokenAt(now, "eu-west-1")).not.toBe(token);
});
