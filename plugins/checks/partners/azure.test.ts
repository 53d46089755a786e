import { inspect } from "node:util";
import { afterEach, expect, it, vi } from "vitest";
import type { CheckRequest, CheckTools } from "../../../core/index.ts";
import { json, startUpstream } from "../../../test/support/upstream.ts";
import { askAzure } from "./azure.ts";

afterEach(() => vi.unstubAllEnvs());

const secretText = "client-secret-of-the-check";
const entra = {
  resourceName: "acme",
  azureAuthMode: "entra",
  tenantId: "tenant-of-check",
  clientId: "c",
  clientSecret: secretText,
};

function asking(contentSafety: object, trusted = true) {
  const asked: CheckRequest[] = [];
  const tools: CheckTools = {
    credentials: { contentSafety },
    trusted,
    forwarded: { authorization: "of the client", traceparent: "00-1-2-01" },
    ask: async (request) => {
      asked.push(request);
      return { status: 200, headers: {}, json: {} };
    },
    call: () => Promise.reject(new Error("nobody is called")),
    recall: () => undefined,
    remember: () => undefined,
    now: Date.now,
  };
  const ask = () => askAzure(tools, { product: "contentSafety", path: "/x", apiVersion: "1", body: { text: "hello" } });
  return { ask, asked };
}

it("shows a token of Entra, fetched once, in front of what the client sent", async () => {
  const server = await startUpstream((_, response) => json(response, 200, { access_token: "t-1", expires_in: 3600 }));
  vi.stubEnv("AZURE_AUTHORITY_HOST", server.url);
  const { ask, asked } = asking(entra);
  await ask();
  await ask();
  expect(asked[1]?.headers).toEqual({ authorization: "Bearer t-1", traceparent: "00-1-2-01" });
  expect(server.received).toHaveLength(1);
  expect(Object.fromEntries(new URLSearchParams(server.received[0]?.body.toString()))).toMatchObject({
    grant_type: "client_credentials",
    client_id: "c",
    scope: "https://cognitiveservices.azure.com/.default",
  });
});

it("says that no token was to be had, without what was sent for it", async () => {
  const server = await startUpstream((_, response) => json(response, 401, { error: "invalid_client" }));
  vi.stubEnv("AZURE_AUTHORITY_HOST", server.url);
  const error: unknown = await asking({ ...entra, tenantId: "another" })
    .ask()
    .catch((error) => error);
  expect(error).toMatchObject({ label: "CredentialsError", message: expect.stringContaining("invalid_client") });
  expect(inspect(error)).not.toContain(secretText);
});

it("shows the machine's identity with credentials of the operator only", async () => {
  const { ask, asked } = asking({ customHost: "https://elsewhere.example", azureAuthMode: "managed" }, false);
  await expect(ask()).rejects.toMatchObject({ label: "CredentialsError" });
  expect(asked).toEqual([]);
});

it("uses a key before everything else", async () => {
  const { ask, asked } = asking({ ...entra, apiKey: "k" });
  await ask();
  expect(asked[0]).toMatchObject({
    url: "https://acme.cognitiveservices.azure.com/x?api-version=1",
    headers: { "ocp-apim-subscription-key": "k" },
  });
});
