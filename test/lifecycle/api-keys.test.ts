import { renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { type GatewayProcess, spawnGateway } from "../support/gateway-process.ts";
import { question } from "../support/raw-client.ts";

const admin = "the-first-key-of-a-test";

const configOf = (workers: number, keys: string, path = "records.db") => `
server: { port: 0, workers: ${workers}, shutdown: { notReady: 0, grace: 1000 } }
plugins:
  bus-local: {}
  records-file: { path: ${path} }
  management: {}
  organisations: {}
  api-keys: ${keys}
  auth-open: {}
  routing: { default: simulator }
  format-openai-chat: {}
providers:
  simulator: { chunkDelay: 0 }
`;

async function call(url: string, key: string, method = "GET", body?: object) {
  const response = await fetch(url, {
    method,
    headers: { "x-gateway-api-key": key, connection: "close", ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

/** How a gateway answers a key that wants to chat. */
const chat = async (url: string, key: string) =>
  (await call(`${url}/v1/chat/completions`, key, "POST", JSON.parse(question("m")) as object)).status;

async function workspaceKey(url: string): Promise<{ id: string; key: string }> {
  const { body } = await call(`${url}/v1/admin/workspaces`, admin);
  const [workspace] = body.data as unknown as { slug: string }[];
  const draft = { name: "n", workspace_id: workspace?.slug, scopes: ["completions.write"] };
  const made = await call(`${url}/v1/api-keys/workspace/service`, admin, "POST", draft);
  expect(made.status).toBe(200);
  return made.body as { id: string; key: string };
}

const printedKey = /shown this once .*:\n\n([\w-]{43})\n/;

describe("API keys of several processes", { timeout: 60_000 }, () => {
  it("end soon after their deletion, in every worker of another gateway", async () => {
    const folder = temporaryFolder({});
    const store = join(folder, "records.db");
    const keys = `{ bootstrapKey: ${admin} }`;
    const [one, other] = [1, 2].map((workers) =>
      spawnGateway(join(temporaryFolder({ "gateway.yaml": configOf(workers, keys, store) }), "gateway.yaml")),
    ) as [GatewayProcess, GatewayProcess];
    const [here, there] = [await one.url(), await other.url()];
    await expect
      .poll(async () => (await call(`${here}/v1/admin/workspaces`, admin)).status, { timeout: 10_000 })
      .toBe(200);
    const { id, key } = await workspaceKey(here);
    // Each on a connection of its own, so that both workers know the key.
    for (let time = 0; time < 20; time++) expect(await chat(there, key)).toBe(200);
    expect((await call(`${here}/v1/api-keys/${id}`, admin, "DELETE")).status).toBe(200);
    let refused = 0;
    while (refused < 20) {
      const status = await chat(there, key);
      if (status === 401) refused++;
      else {
        expect(status).toBe(200);
        refused = 0;
      }
    }
  });

  it("begin with one admin key, which one of the workers prints", async () => {
    const folder = temporaryFolder({ "gateway.yaml": configOf(2, "{}") });
    const file = join(folder, "gateway.yaml");
    const gateway = spawnGateway(file);
    const url = await gateway.url();
    const [, key = ""] = await gateway.printed(printedKey);
    const { status, body } = await call(`${url}/v1/api-keys`, key);
    expect({ status, total: body.total }).toEqual({ status: 200, total: 1 });
    gateway.kill("SIGINT");
    await gateway.ended;
    expect(gateway.output.split("shown this once")).toHaveLength(2);
    const again = spawnGateway(file);
    const next = await again.url();
    expect((await call(`${next}/v1/api-keys`, key)).body.total).toBe(1);
    again.kill("SIGINT");
    await again.ended;
    expect(again.output).not.toContain("shown this once");
  });

  it("wait for a store that is not there when the gateway starts", async () => {
    const folder = temporaryFolder({ "in-the-way": "", "gateway.yaml": configOf(1, "{}", "in-the-way/records.db") });
    const gateway = spawnGateway(join(folder, "gateway.yaml"));
    const url = await gateway.url();
    await gateway.printed(/the first admin key waits/);
    expect(
      (
        await fetch(`${url}/v1/chat/completions`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: question("m"),
        })
      ).status,
    ).toBe(200);
    expect(await chat(url, "some-key")).toBe(503);
    renameSync(join(folder, "in-the-way"), join(folder, "out-of-the-way"));
    const [, key = ""] = await gateway.printed(printedKey);
    expect((await call(`${url}/v1/api-keys`, key)).status).toBe(200);
  });
});
