import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { finished, here, jsonl, line, linesOf, uploaded } from "../support/batches.ts";
import { openAiClient } from "../support/clients.ts";
import { startFreeGateway, startTestGateway } from "../support/gateway.ts";
import { spawnGateway } from "../support/gateway-process.ts";
import { root } from "../support/root.ts";
import { json, startUpstream } from "../support/upstream.ts";

const headers = { "x-test-principal": JSON.stringify({ id: "ana", organisation: "acme", workspace: "one" }) };
const groupLines = 5;
const lines = Array.from({ length: 40 }, (_, at) => line(`r-${at}`, `${at}`));

const configIn = (folder: string, vendor: string, workers: number) =>
  JSON.stringify({
    server: { port: 0, workers },
    plugins: {
      principal: { use: relative(folder, `${root}test/support/principal.ts`) },
      routing: { default: "vendor" },
      "records-file": {},
      "blobs-folder": {},
      "managed-files": {},
      "managed-batches": { groupLines, groupInterval: 0, scanInterval: 100, lease: 1_000 },
      "format-openai-chat": {},
      "format-openai-files": {},
    },
    providers: { vendor: { use: "openai", apiKey: "sk-0123456789", baseUrl: vendor } },
  });

/** A vendor that counts how often each line was asked, and says when so many of them have been. The first are not answered. */
async function startVendor(silent = 0) {
  const asked = new Map<string, number>();
  let reached: { readonly at: number; readonly tell: () => void } | undefined;
  const tellIfReached = () => {
    if (reached && asked.size >= reached.at) reached.tell();
  };
  const upstream = await startUpstream(({ body }, response) => {
    const { model, messages } = JSON.parse(`${body}`);
    const { content } = messages[0];
    asked.set(content, (asked.get(content) ?? 0) + 1);
    tellIfReached();
    if (asked.get(content) === 1 && asked.size <= silent) return;
    const message = { role: "assistant", content: `Answer to ${content}` };
    json(response, 200, {
      id: "c",
      object: "chat.completion",
      created: 1,
      model,
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    });
  });
  const after = (at: number) =>
    new Promise<void>((tell) => {
      reached = { at, tell };
      // Workers go on for a moment after their supervisor is killed: there may be that many by now.
      tellIfReached();
    });
  return { url: `${upstream.url}/v1`, asked, after };
}

describe.each([1, 2])("a gateway of %i workers that is killed while it runs a batch", (workers) => {
  it("goes on when it is started again, and sends no line again but those that were in flight", async () => {
    const vendor = await startVendor();
    const folder = temporaryFolder({});
    const file = join(folder, "gateway.json");
    writeFileSync(file, configIn(folder, vendor.url, workers));
    let gateway = spawnGateway(file);
    let client = openAiClient({ url: await gateway.url(), headers });
    const input = await uploaded(client, jsonl(...lines));
    const killAt = [8, 19, 31];
    let reached = vendor.after(killAt[0] ?? 0);
    const { id } = await client.batches.create({ ...here, input_file_id: input.id });
    for (const [at] of killAt.entries()) {
      await reached;
      gateway.kill("SIGKILL");
      await gateway.ended;
      const next = killAt[at + 1];
      if (next !== undefined) reached = vendor.after(next);
      gateway = spawnGateway(file);
      client = openAiClient({ url: await gateway.url(), headers });
    }
    const batch = await finished(client, id);
    expect(batch).toMatchObject({ status: "completed", request_counts: { total: 40, completed: 40, failed: 0 } });
    const output = await linesOf(client, batch.output_file_id);
    expect(output.map(({ custom_id }) => custom_id)).toEqual(lines.map(({ custom_id }) => custom_id));
    for (const { custom_id, response } of output)
      expect(response.body.choices?.[0]?.message.content).toBe(`Answer to ${custom_id.slice(2)}`);
    expect(vendor.asked.size).toBe(40);
    const again = [...vendor.asked.values()].reduce((sum, count) => sum + count, 0) - 40;
    expect(again).toBeLessThanOrEqual(killAt.length * groupLines);
    expect(Math.max(...vendor.asked.values())).toBeLessThanOrEqual(1 + killAt.length);
  }, 120_000);
});

it("goes on with a batch when its config is replaced, and sends no line twice", async () => {
  const vendor = await startVendor();
  const folder = temporaryFolder({});
  const config = configIn(folder, vendor.url, 1);
  const gateway = await startTestGateway(config, {}, folder);
  const client = openAiClient({ url: gateway.url, headers });
  const input = await uploaded(client, jsonl(...lines));
  const reached = vendor.after(12);
  const { id } = await client.batches.create({ ...here, input_file_id: input.id });
  await reached;
  gateway.write(config.replace('"groupLines":5', '"groupLines":4'));
  expect(await gateway.reload()).toBe(true);
  const batch = await finished(client, id);
  expect(batch).toMatchObject({ status: "completed", request_counts: { completed: 40 } });
  expect([...vendor.asked.values()].every((count) => count === 1)).toBe(true);
});

it("goes on with the config that was loaded last, although lines of other batches are still under way", async () => {
  const held = new Map<string, () => void>();
  const seen = { before: [] as string[], after: [] as string[] };
  const vendorOf = async (name: keyof typeof seen) => {
    const { url } = await startUpstream(async ({ body }, response) => {
      const { content } = JSON.parse(`${body}`).messages[0];
      seen[name].push(content);
      if (content === "slow" || content === "2") await new Promise<void>((answer) => held.set(content, answer));
      json(response, 200, { id: "c", object: "chat.completion", created: 1, model: "m", choices: [] });
    });
    return `${url}/v1`;
  };
  const [before, after] = [await vendorOf("before"), await vendorOf("after")];
  const folder = temporaryFolder({});
  const config = configIn(folder, before, 1).replace('"groupLines":5', '"groupLines":1');
  const gateway = await startTestGateway(config, {}, folder);
  const client = openAiClient({ url: gateway.url, headers });
  const begin = async (...texts: string[]) => {
    const { id } = await uploaded(client, jsonl(...texts.map((text) => line(text, text))));
    return client.batches.create({ ...here, input_file_id: id });
  };
  const slow = await begin("slow");
  const other = await begin("1", "2", "3", "4");
  await expect.poll(() => held.size, { interval: 5 }).toBe(2);
  gateway.write(config.replace(before, after));
  expect(await gateway.reload()).toBe(true);
  held.get("2")?.();
  expect(await finished(client, other.id)).toMatchObject({ request_counts: { completed: 4 } });
  expect(seen).toEqual({ before: expect.arrayContaining(["slow", "1", "2"]), after: ["3", "4"] });
  held.get("slow")?.();
  expect(await finished(client, slow.id)).toMatchObject({ request_counts: { completed: 1 } });
});

it("leaves the lines under way when a shutdown's limit is reached to the next start, as what is not done", async () => {
  const vendor = await startVendor(groupLines);
  const folder = temporaryFolder({});
  const config = configIn(folder, vendor.url, 1);
  const first = await startFreeGateway(config, {}, folder);
  const input = await uploaded(openAiClient({ url: first.url, headers }), jsonl(...lines));
  const reached = vendor.after(groupLines);
  const { id } = await openAiClient({ url: first.url, headers }).batches.create({ ...here, input_file_id: input.id });
  await reached;
  await first.shutdown(0, 0);
  const client = openAiClient({ url: (await startTestGateway(config, {}, folder)).url, headers });
  const batch = await finished(client, id);
  expect(batch).toMatchObject({ status: "completed", request_counts: { completed: 40, failed: 0 } });
  expect([...vendor.asked.values()].sort().slice(-groupLines - 1)).toEqual([1, 2, 2, 2, 2, 2]);
});
