import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anthropicClient, openAiClient } from "../support/clients.ts";
import { type Deployment, gatewayKey, startDeployment, vendorKey } from "../support/deployment.ts";

const paths = {
  "/v1/chat/completions": { model: "openai/m", messages: [{ role: "user", content: "Hi" }] },
  "/v1/messages": { model: "anthropic/m", max_tokens: 9, messages: [{ role: "user", content: "Hi" }] },
  "/v1/completions": { model: "openai/m", prompt: "Hi" },
  "/v1/embeddings": { model: "openai/m", input: "Hi" },
  "/v2/chat": { model: "cohere/m", messages: [{ role: "user", content: "Hi" }] },
  "/v1/rerank": { model: "cohere/m", query: "Hi", documents: ["Hi"] },
  "/v1/moderations": { model: "openai/m", input: "Hi" },
} as const;
const carriers = {
  "x-gateway-api-key": gatewayKey,
  authorization: `Bearer ${gatewayKey}`,
  "x-api-key": gatewayKey,
  "x-goog-api-key": gatewayKey,
  "api-key": gatewayKey,
} as const;
const table = Object.entries(paths).flatMap(([path, body]) =>
  Object.entries(carriers).map(([header, value]) => ({ path, body, header, value })),
);

describe("a deployment that wants keys", () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await startDeployment("simulator");
  });
  afterAll(() => deployment.close());
  const post = (path: string, body: object, headers: Record<string, string>) =>
    fetch(deployment.gateway.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });

  it.each(table)("takes the key from $header at $path, and keeps it", async ({ path, body, header, value }) => {
    const before = deployment.recorder.calls.length;
    const response = await post(path, body, { [header]: value });
    expect(response.status).toBe(200);
    expect(deployment.recorder.calls).toHaveLength(before + 1);
    const { headers } = deployment.recorder.last();
    expect(JSON.stringify(headers)).not.toContain(gatewayKey);
    expect(JSON.stringify(headers)).toContain(vendorKey);
    expect(JSON.stringify([...response.headers])).not.toMatch(/vendor-key|team-key/);
  });

  it.each(Object.entries(paths))(
    "never shows the vendor a key that came to %s in all places at once",
    async (path, body) => {
      for (const provider of ["openai", "@openai"]) {
        const headers = { ...carriers, "x-gateway-provider": provider };
        const response = await post(path, { ...body, model: "m" }, headers);
        expect(response.status).toBe(200);
        const { headers: shown } = deployment.recorder.last();
        expect(JSON.stringify(shown)).not.toContain(gatewayKey);
        expect(shown.authorization).toBe(`Bearer ${vendorKey}`);
      }
    },
  );

  it.each(Object.entries(paths))(
    "refuses %s without a key, with an empty one and with a wrong one",
    async (path, body) => {
      const before = deployment.recorder.calls.length;
      for (const headers of [
        {},
        { authorization: "Bearer " },
        { authorization: "Bearer wrong" },
        { "x-api-key": "wrong" },
      ]) {
        const response = await post(path, body, headers);
        expect(response.status).toBe(401);
        expect(await response.json()).toMatchObject({
          status: "failure",
          error: { type: "authentication_error", code: "invalid_api_key" },
        });
      }
      // A wrong key in the first place is not made good by the right one in another.
      expect((await post(path, body, { ...carriers, "x-gateway-api-key": "wrong" })).status).toBe(401);
      expect(deployment.recorder.calls).toHaveLength(before);
    },
  );

  it("tells the vendors' clients in the way they understand", async () => {
    const { url } = deployment.gateway;
    const messages = [{ role: "user" as const, content: "Hi" }];
    const openai = openAiClient({ url, key: "wrong" }).chat.completions.create({ model: "openai/m", messages });
    await expect(openai).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    const request = { model: "anthropic/m", messages, max_tokens: 9 };
    const anthropic = await anthropicClient({ url, key: "wrong" })
      .messages.create(request)
      .catch((error: unknown) => error);
    expect(anthropic).toBeInstanceOf(Anthropic.AuthenticationError);
    expect(anthropic).toMatchObject({ error: { type: "error", error: { type: "authentication_error" } } });
  });
});
