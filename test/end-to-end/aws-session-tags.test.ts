import { expect, it, onTestFinished } from "vitest";
import { startGateway } from "../../core/test-kit/index.ts";
import { startUpstream } from "../support/upstream.ts";

const answer = {
  output: { message: { role: "assistant", content: [{ text: "Hello" }] } },
  stopReason: "end_turn",
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
};

/** A token service that names the keys of a session after its tags. */
async function startSts() {
  return startUpstream(({ body }, response) => {
    const asked = new URLSearchParams(body.toString());
    const tags = [...asked].filter(([name]) => name.startsWith("Tags.")).map(([, said]) => said);
    response.writeHead(200, { "content-type": "text/xml" });
    response.end(
      "<AssumeRoleResponse><AssumeRoleResult><Credentials>" +
        `<AccessKeyId>KEY-${tags.join("-")}</AccessKeyId><SecretAccessKey>s</SecretAccessKey>` +
        "<SessionToken>t</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>" +
        "</AssumeRoleResult></AssumeRoleResponse>",
    );
  });
}

it("tells AWS in the session of a role who a request is for, and keeps sessions apart by it", async () => {
  const sts = await startSts();
  const gateway = await startGateway({
    config: {
      plugins: { "auth-open": {}, routing: {}, proxy: {}, "format-openai-chat": {}, "format-bedrock-converse": {} },
      providers: {
        bedrock: {
          accessKeyId: "AKIDFILE",
          secretAccessKey: "file-secret-0123456789",
          roleArn: "arn:aws:iam::1:role/tagged",
          sessionTags: ["team"],
          stsUrl: sts.url,
          baseUrl: "${VENDOR}",
        },
      },
    },
    upstreams: { VENDOR: { json: answer } },
  });
  onTestFinished(gateway.close);
  const ask = async (metadata: object | undefined, path = "/v1/chat/completions") => {
    const { status } = await gateway.fetch(path, {
      json: { model: "amazon.nova-lite-v1:0", messages: [{ role: "user", content: "Hi" }] },
      headers: {
        "x-gateway-provider": "bedrock",
        ...(metadata && { "x-gateway-metadata": JSON.stringify(metadata) }),
      },
    });
    const signed = String(gateway.upstreams.VENDOR.calls.at(-1)?.headers.authorization);
    return [status, /Credential=([^/]+)/.exec(signed)?.[1]];
  };
  expect(await ask({ team: "search", other: "left" })).toEqual([200, "KEY-team-search"]);
  expect(await ask({ team: "ads" })).toEqual([200, "KEY-team-ads"]);
  expect(await ask({ team: "search" }, "/v1/proxy/model/m/converse")).toEqual([200, "KEY-team-search"]);
  expect(await ask(undefined)).toEqual([200, "KEY-"]);
  expect(sts.received).toHaveLength(3);
  const calls = gateway.upstreams.VENDOR.calls.length;
  expect((await ask({ team: "a;b" }))[0]).toBe(400);
  expect(gateway.upstreams.VENDOR.calls).toHaveLength(calls);
});
