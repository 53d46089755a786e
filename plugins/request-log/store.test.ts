import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { Organisations } from "../../core/index.ts";
import { startTestGateway } from "../../test/support/gateway.ts";
import { startManagement, supportPlugin, testOrganisation } from "../../test/support/management.ts";
import { question } from "./testing.ts";

const config = (more: object, options: object = {}) =>
  JSON.stringify({
    plugins: {
      "auth-open": {},
      routing: { default: "simulator" },
      "format-openai-chat": {},
      "logs-file": {},
      "request-log": { batchMilliseconds: 1, ...options },
      ...more,
    },
    providers: { simulator: {} },
  });

async function ask(url: string): Promise<string> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(question),
  });
  expect(response.status).toBe(200);
  await response.arrayBuffer();
  return response.headers.get("x-gateway-request-id") ?? "";
}

/** A thread has to start first. */
const patiently = { interval: 5, timeout: 15_000 };

const health = async (url: string) => (await (await fetch(`${url}/v1/health/logs`)).json()) as Record<string, unknown>;

/** What `/metrics` says is lost. */
async function dropped(url: string) {
  const text = await (await fetch(`${url}/metrics`)).text();
  const series = text.matchAll(/^log_store_dropped_total\{.*what="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...series].map(([, what, count]) => [what, count]));
}

/** Somebody of an organisation asks for logs. */
async function managed(url: string, path: string) {
  const principal = JSON.stringify({ id: "t", organisation: testOrganisation });
  const response = await fetch(`${url}/v1${path}`, { headers: { "x-test-principal": principal } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

it("keeps requests of callers without an organisation as the installation's own", async () => {
  const folder = temporaryFolder();
  const own = { "records-file": {}, management: {}, organisations: {} };
  const open = await startTestGateway(config(own), {}, folder);
  const id = await ask(open.url);
  await expect.poll(async () => (await health(open.url)).written, patiently).toBe(1);
  await open.shutdown(0, 0);
  const { as, gateway } = await startManagement({ "logs-file": {}, "request-log": {} }, { folder });
  const home = await gateway.generation.kernel.offered(Organisations)?.home();
  const caller = as({ organisation: home?.organisation as string, workspace: home?.workspace as string });
  expect(await caller("GET", `/logs/${id}`)).toMatchObject({
    status: 200,
    body: {
      organisation_id: home?.organisation,
      metrics: { api_key_name: "anyone", workspace_slug: expect.stringMatching(/^ws-shared/) },
    },
  });
});

it("keeps nothing of them where there are no organisations", async () => {
  const { url } = await startTestGateway(config({}), {}, temporaryFolder());
  await ask(url);
  expect(await health(url)).toMatchObject({ written: 0, waiting: { records: 0 } });
});

/** A store that is away until it is let back: a file is where its folder should be. */
function awayStore(folder: string) {
  const inTheWay = join(folder, "shut");
  writeFileSync(inTheWay, "");
  const plugins = { "records-file": {}, management: {}, organisations: {}, "logs-file": { path: "shut/logs.db" } };
  return { plugins, back: () => rmSync(inTheWay) };
}

it("answers as ever while the store is away, tells what it loses, and writes the rest when it is back", async () => {
  const folder = temporaryFolder();
  const { plugins: own, back } = awayStore(folder);
  const options = { queueRows: 2, failureThreshold: 2, backoff: 50 };
  const principal = supportPlugin(folder, "principal");
  const gateway = await startTestGateway(config({ ...own, principal, metrics: {} }, options), {}, folder);
  for (let n = 0; n < 4; n++) await ask(gateway.url);
  await expect
    .poll(() => health(gateway.url), patiently)
    .toMatchObject({ state: "open", written: 0, waiting: { records: 2 }, lost: { records: 2, contents: 0 } });
  for (const path of ["/logs", "/logs/none"]) {
    const { status, headers, text } = await managed(gateway.url, path);
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
    expect(text).toContain("The store of logs does not answer.");
  }
  expect(await dropped(gateway.url)).toEqual({ records: "2", contents: "0" });
  back();
  await expect
    .poll(() => health(gateway.url), patiently)
    .toMatchObject({ state: "closed", failures: 0, written: 2, waiting: { records: 0 }, lost: { records: 2 } });
  expect(gateway.log.lines.filter(({ message }) => message === "request records are lost")).toHaveLength(1);
});

it("hands what waits on to the next config when it is reloaded while the store is away", async () => {
  const folder = temporaryFolder();
  const { plugins, back } = awayStore(folder);
  const text = config(plugins, { failureThreshold: 2, backoff: 50 });
  const gateway = await startTestGateway(text, {}, folder);
  for (let n = 0; n < 2; n++) await ask(gateway.url);
  await expect
    .poll(() => health(gateway.url), patiently)
    .toMatchObject({ state: "open", waiting: { records: 2 }, lost: { records: 0 } });
  expect(await gateway.reload()).toBe(true);
  await ask(gateway.url);
  await expect
    .poll(() => health(gateway.url), patiently)
    .toMatchObject({ written: 0, waiting: { records: 3 }, lost: { records: 0 } });
  back();
  await expect.poll(() => health(gateway.url), patiently).toMatchObject({ written: 3, waiting: { records: 0 } });
  expect(gateway.log.lines.filter(({ message }) => message === "request records are lost")).toEqual([]);
  expect(await gateway.reload()).toBe(true);
  expect(await health(gateway.url)).toMatchObject({ written: 3 });
});

it("writes what is left when it ends", async () => {
  const folder = temporaryFolder();
  const own = { "records-file": {}, management: {}, organisations: {} };
  const open = await startTestGateway(config(own, { batchMilliseconds: 3_600_000 }), {}, folder);
  const id = await ask(open.url);
  await open.shutdown(0, 0);
  const { as, gateway } = await startManagement({ "logs-file": {}, "request-log": {} }, { folder });
  const organisation = (await gateway.generation.kernel.offered(Organisations)?.home())?.organisation as string;
  expect((await as({ organisation })("GET", `/logs/${id}`)).status).toBe(200);
});
