import { expect, it } from "vitest";
import type { CheckRequest, CheckTools } from "../../../core/index.ts";
import { askBedrock } from "./bedrock.ts";

function asking(credentials: Readonly<Record<string, unknown>>, trusted = false) {
  const asked: CheckRequest[] = [];
  const tools: CheckTools = {
    credentials,
    trusted,
    forwarded: { authorization: "of the client", "x-team": "a" },
    ask: async (request) => {
      asked.push(request);
      return { status: 200, headers: {}, json: {} };
    },
    call: () => Promise.reject(new Error("nobody is called")),
    recall: () => undefined,
    remember: () => undefined,
    now: Date.now,
  };
  return { asked, ask: () => askBedrock(tools, "/guardrail/g/version/1/apply", { source: "INPUT" }) };
}

const keys = { awsAccessKeyId: "AKIA1", awsSecretAccessKey: "wJalr-secret", awsRegion: "eu-west-1" };

it("signs what it sends for the service and the region, and never sends the secret", async () => {
  const { asked, ask } = asking({ ...keys, awsSessionToken: "session" });
  await ask();
  const headers = asked[0]?.headers ?? {};
  expect(headers).toMatchObject({ "x-team": "a", "x-amz-security-token": "session" });
  expect(headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIA1\/\d{8}\/eu-west-1\/bedrock\/aws4_request, SignedHeaders=\S*host\S*, Signature=[0-9a-f]{64}$/,
  );
  expect(JSON.stringify(asked)).not.toContain("wJalr-secret");
});

it("shows the machine's role with credentials of the operator only", async () => {
  const { asked, ask } = asking({ awsAuthType: "serviceRole", customHost: "https://elsewhere.example" });
  await expect(ask()).rejects.toMatchObject({ label: "CredentialsError" });
  expect(asked).toEqual([]);
});
