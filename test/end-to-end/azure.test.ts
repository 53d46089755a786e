import { describe, expect, it } from "vitest";
import { bodyOf, completion, message, messages, startClouds } from "../support/clouds.ts";
import { call } from "../support/raw-call.ts";

describe("azure-openai", () => {
  it("is asked with a token of Entra, for a deployment", async () => {
    const { upstream, post } = await startClouds();
    const { status, text } = await post("/v1/chat/completions", { model: "azure/gpt-4o", messages });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual(completion);
    const [token, asked] = upstream.received;
    expect(token?.url).toBe("/entra/tenant-1/oauth2/v2.0/token");
    expect(asked?.url).toBe("/azure/openai/v1/chat/completions");
    expect(asked?.headers.authorization).toBe("Bearer entra-token-0123456789");
  });

  it("takes the deployment of a config of the file, or of a header", async () => {
    const { upstream, post } = await startClouds();
    const ask = (model: string, headers: Record<string, string>) =>
      post("/v1/chat/completions", { model, messages }, headers);
    await ask("bills", { "x-gateway-config": "bills" });
    expect(upstream.received.at(-1)?.url).toBe(
      "/azure/openai/deployments/d-bills/chat/completions?api-version=2024-10-21",
    );
    await ask("other", { "x-gateway-config": "bills" });
    expect(bodyOf(upstream.received.at(-1)).model).toBe("d-rest");
    await ask("azure/x", { "x-gateway-azure-deployment-id": "d9", "x-gateway-azure-api-version": "2025-01-01" });
    expect(upstream.received.at(-1)?.url).toBe("/azure/openai/deployments/d9/chat/completions?api-version=2025-01-01");
  });

  it("takes what a config brings, in both spellings", async () => {
    const { upstream, post } = await startClouds();
    for (const fields of [
      { resource_name: "r9", deployment_id: "d9", api_version: "2024-10-21" },
      { azure_resource_name: "r9", azure_deployment_id: "d9", azure_api_version: "2024-10-21" },
    ]) {
      const config = { provider: "azure-openai", api_key: "own-key", custom_host: `${upstream.url}/own`, ...fields };
      await post("/v1/chat/completions", { model: "m", messages }, { "x-gateway-config": JSON.stringify(config) });
      const asked = upstream.received.pop();
      expect(asked?.url).toBe("/own/deployments/d9/chat/completions?api-version=2024-10-21");
      expect(asked?.headers["api-key"]).toBe("own-key");
    }
  });

  it("never takes the stored client to a host or a tenant of the caller's", async () => {
    const { upstream, post } = await startClouds();
    for (const headers of [{ "x-gateway-azure-resource-name": "r9" }, { "x-gateway-azure-entra-tenant-id": "other" }]) {
      const { status } = await post("/v1/chat/completions", { model: "azure/m", messages }, headers);
      expect(status).toBe(400);
    }
    const elsewhere = { "x-gateway-custom-host": `${upstream.url}/own` };
    expect((await post("/v1/chat/completions", { model: "azure/m", messages }, elsewhere)).status).toBe(400);
    expect(upstream.received).toEqual([]);
  });

  it("never shows a caller's host this machine's identity", async () => {
    const { upstream, post } = await startClouds();
    const elsewhere = { "x-gateway-custom-host": `${upstream.url}/own` };
    const ask = (model: string, headers: Record<string, string>) =>
      post("/v1/chat/completions", { model, messages }, { ...elsewhere, ...headers });
    await ask("machine/m", {});
    expect(upstream.received.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ["/own/v1/chat/completions", undefined],
    ]);
    for (const model of ["machine/m", "azure/m"]) {
      const { status, text } = await ask(model, { "x-gateway-azure-auth-mode": "managed" });
      expect(status).toBe(400);
      expect(text).toContain("only the config file");
    }
    expect(upstream.received).toHaveLength(1);
  });

  it("says what a call needs", async () => {
    const { post } = await startClouds();
    const headers = { "x-gateway-provider": "azure-openai", authorization: "Bearer own-key" };
    const { status, text } = await post("/v1/chat/completions", { model: "m", messages }, headers);
    expect(status).toBe(400);
    expect(text).toContain("azure-resource-name");
  });

  it("says where a config has what cannot be read", async () => {
    const { post } = await startClouds();
    const config = { provider: "azure-openai", api_key: "k", resource_name: "r", deployments: "m" };
    const headers = { "x-gateway-config": JSON.stringify(config) };
    const { status, text } = await post("/v1/chat/completions", { model: "m", messages }, headers);
    expect(status).toBe(400);
    expect(text).toContain("deployments of a routing config");
  });
});

describe("azure-ai", () => {
  it("asks Claude in its own format", async () => {
    const { upstream, post } = await startClouds();
    const body = { model: "foundry/claude", messages, max_tokens: 5 };
    const { text } = await post("/v1/messages", body, { "anthropic-beta": "context-1m-2025-08-07" });
    expect(JSON.parse(text)).toEqual(message);
    const [asked] = upstream.received;
    expect(asked?.url).toBe("/anthropic/v1/messages");
    expect(asked?.headers).toMatchObject({
      "x-api-key": "foundry-key-0123456789",
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "context-1m-2025-08-07",
    });
    expect(bodyOf(asked)).toEqual({ ...body, model: "claude" });
  });

  it("calls the URL a caller brings with the caller's key only", async () => {
    const { upstream, post } = await startClouds();
    const headers = { "x-gateway-azure-foundry-url": `${upstream.url}/models`, "x-gateway-azure-api-version": "v" };
    const ask = (more: Record<string, string>) =>
      post("/v1/chat/completions", { model: "foundry/phi", messages }, { ...headers, ...more });
    await ask({ authorization: "Bearer own-key" });
    const asked = upstream.received.pop();
    expect(asked?.url).toBe("/models/chat/completions?api-version=v");
    expect(asked?.headers.authorization).toBe("Bearer own-key");
    await ask({});
    expect(JSON.stringify(upstream.received.pop()?.headers)).not.toContain("foundry-key");
  });

  it("does not call metadata services for anybody", async () => {
    const { post } = await startClouds();
    const headers = { "x-gateway-azure-foundry-url": "http://169.254.169.254/models", authorization: "Bearer own-key" };
    const { status, text } = await post("/v1/chat/completions", { model: "foundry/phi", messages }, headers);
    expect(status).toBe(400);
    expect(text).toContain("Invalid custom host");
  });

  it("reaches files and batches of the resource by raw calls", async () => {
    const { gateway, upstream } = await startClouds();
    await call(`${gateway.url}/v1/batches/b1`, { headers: { "x-gateway-provider": "@foundry", authorization: "" } });
    expect(upstream.received.at(-1)?.url).toBe("/openai/batches/b1");
  });
});
