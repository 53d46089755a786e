import type OpenAI from "openai";
import { toFile } from "openai";
import { describe, expect, it } from "vitest";
import { openAiClient } from "../../test/support/clients.ts";
import { startTestGateway } from "../../test/support/gateway.ts";
import { asking, lines } from "../../test/support/procedures.ts";

async function start(options: object = {}): Promise<OpenAI> {
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        "auth-open": {},
        routing: { default: "simulator" },
        "format-openai-chat": {},
        "format-openai-embeddings": {},
        "format-openai-files": {},
      },
      providers: { simulator: options },
    }),
  );
  return openAiClient({ url: gateway.url });
}

const chat = (model: string) => ({ model, messages: [{ role: "user", content: "Hello" }] });
const upload = async (client: OpenAI, text: string | Buffer, purpose: "batch" | "user_data" = "batch") =>
  client.files.create({ file: await toFile(Buffer.from(text), "a.jsonl"), purpose });
const create = (client: OpenAI, input_file_id: string) =>
  client.batches.create({ input_file_id, endpoint: "/v1/chat/completions", completion_window: "24h" });
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("files of the simulator", () => {
  it("are kept, listed, read and deleted, whatever is in them", async () => {
    const client = await start();
    const bytes = Buffer.from([0, 255, 13, 10, 128]);
    const file = await upload(client, bytes, "user_data");
    expect(file).toMatchObject({
      object: "file",
      bytes: 5,
      filename: "a.jsonl",
      purpose: "user_data",
      status: "processed",
    });
    expect(await upload(client, bytes, "user_data")).toEqual(file);
    expect(await client.files.retrieve(file.id)).toEqual(file);
    expect(Buffer.from(await (await client.files.content(file.id)).arrayBuffer())).toEqual(bytes);
    const other = await upload(client, "{}");
    const all: string[] = [];
    for await (const { id } of client.files.list({ limit: 1 })) all.push(id);
    expect(all).toEqual([other.id, file.id]);
    expect((await client.files.list({ purpose: "batch" })).data).toEqual([other]);
    expect(await client.files.delete(file.id)).toMatchObject({ deleted: true });
    await expect(client.files.retrieve(file.id)).rejects.toMatchObject({ status: 404 });
  });

  it("are not too many", async () => {
    const client = await start();
    const first = await upload(client, "0");
    for (let at = 1; at <= 100; at++) await upload(client, String(at));
    await expect(client.files.retrieve(first.id)).rejects.toMatchObject({ status: 404 });
  });

  it("are not too large", async () => {
    await expect(upload(await start(), Buffer.alloc(17 * 1024 * 1024))).rejects.toMatchObject({ status: 413 });
  });
});

describe("batches of the simulator", () => {
  it("are done at once, and what failed stands in a file of its own", async () => {
    const client = await start();
    const file = await upload(
      client,
      lines(
        asking("a", chat("demo")),
        asking("b", chat("fault-status-429")),
        asking("c", { model: "demo" }),
        asking("d", chat("demo"), "/v1/embeddings"),
      ),
    );
    const batch = await create(client, file.id);
    expect(batch).toMatchObject({
      object: "batch",
      status: "completed",
      input_file_id: file.id,
      request_counts: { total: 4, completed: 1, failed: 3 },
    });
    expect(await client.batches.retrieve(batch.id)).toEqual(batch);
    expect((await client.batches.list()).data).toEqual([batch]);
    const output = await (await client.files.content(batch.output_file_id ?? "")).text();
    expect(linesOf(output)).toMatchObject([
      {
        custom_id: "a",
        response: {
          status_code: 200,
          body: { choices: [{ message: { content: "Simulated answer from demo: Hello" } }] },
        },
        error: null,
      },
    ]);
    const failed = linesOf(await (await client.files.content(batch.error_file_id ?? "")).text());
    expect(failed.map(({ custom_id, response }) => [custom_id, response.status_code])).toEqual([
      ["b", 429],
      ["c", 400],
      ["d", 400],
    ]);
    const direct = await fetch(`${client.baseURL}/batches/${batch.id}/output`);
    expect(await direct.text()).toBe(output);
  });

  it("cannot be cancelled any more", async () => {
    const client = await start();
    const batch = await create(client, (await upload(client, lines(asking("a", chat("demo"))))).id);
    await expect(client.batches.cancel(batch.id)).rejects.toMatchObject({ status: 409 });
  });

  it.each([
    ["a file nobody has", "file-x", 404],
    ["lines without end", undefined, 400],
  ])("are refused for %s", async (_, id, status) => {
    const client = await start();
    const file = id ?? (await upload(client, "{}\n".repeat(1_001))).id;
    await expect(create(client, file)).rejects.toMatchObject({ status });
  });

  it("are of the formats it speaks", async () => {
    const client = await start({ formats: ["openai-chat"] });
    const file = await upload(client, lines(asking("a", { model: "m", input: "x" }, "/v1/embeddings")));
    const batch = await client.batches.create({
      input_file_id: file.id,
      endpoint: "/v1/embeddings",
      completion_window: "24h",
    });
    expect(batch.request_counts).toEqual({ total: 1, completed: 0, failed: 1 });
  });
});
