import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { finished, here, jsonl, line, linesOf, startBatches, there, uploaded } from "../support/batches.ts";
import { openAiClient } from "../support/clients.ts";
import { folderOfFile } from "../support/folder-of-file.ts";
import { startFreeGateway } from "../support/gateway.ts";

const guarded = { checks: {}, guardrails: {} };
const guards = {
  input_guardrails: [
    { contains: { words: ["gin"], operator: "none" }, deny: true },
    { "default.regexReplace": { rule: "\\d{4}", redactText: "[PIN]" } },
  ],
  output_guardrails: [{ contains: { words: ["rum"], operator: "none" }, deny: true }],
};
const options = (config: object) => ({ "x-gateway-config": JSON.stringify({ provider: "simulator", ...config }) });

describe.each([
  ["here", here],
  ["at a provider", there],
])("guardrails of a batch that runs %s", (_, window) => {
  it("keep rows back, redact others, and look at answers", async () => {
    const { client, gateway } = await startBatches(guarded);
    const mine = client();
    const texts = ["gin, please", "my pin is 1234", "rum, please", "tea, please"];
    const input = await uploaded(mine, jsonl(...texts.map((text, at) => line(`r-${at}`, text))));
    const { id } = await mine.batches.create({
      ...window,
      input_file_id: input.id,
      gateway_options: options(guards),
    } as never);
    const batch = await finished(mine, id);
    expect(gateway.log.lines.filter(({ level }) => level === "error")).toEqual([]);
    expect(batch).toMatchObject({ status: "completed", request_counts: { total: 4, completed: 2, failed: 2 } });
    const output = await linesOf(mine, batch.output_file_id);
    const said = new Map(
      output.map(({ custom_id, response }) => [custom_id, response.body.choices?.[0]?.message.content]),
    );
    expect(said.get("r-1")).toContain("my pin is [PIN]");
    expect(said.get("r-3")).toContain("tea");
    const errors = await linesOf(mine, batch.error_file_id);
    expect(errors.map(({ custom_id, response }) => [custom_id, response.status_code]).sort()).toEqual([
      ["r-0", 446],
      ["r-2", 446],
    ]);
    // What the model said of rum is nowhere.
    expect(JSON.stringify(errors)).not.toContain("Simulated answer");
  });
});

const prices = { pricing: { catalogue: false, models: { "simulator/small-1": { input: 1_000_000, output: 0 } } } };
const limited = {
  ...prices,
  "counters-memory": {},
  "usage-limits": {},
  "rate-limits": {},
  metrics: {},
};

/** The page of metrics, once it says so. */
async function page(url: string, says: (text: string) => boolean): Promise<string> {
  for (;;) {
    const text = await (await fetch(`${url}/metrics`)).text();
    if (says(text)) return text;
  }
}
const kindsOn = (text: string) => text.match(/^batch_count\{/gm)?.length;
const countIn = (text: string, name: string, type: string) =>
  Number(new RegExp(`^${name}\\{[^}]*type="${type}"[^}]*\\} (\\S+)$`, "m").exec(text)?.[1]);

describe("what batches cost", () => {
  it("is the usual price of lines that are sent here, and half of it at a provider, each once", async () => {
    const { client, gateway } = await startBatches(limited);
    const mine = client();
    const input = await uploaded(mine, jsonl(line("a", "one two three"), line("b", "one two three")));
    for (const window of [here, there]) {
      const made = { ...window, input_file_id: input.id, gateway_options: options({}) };
      const { id } = await mine.batches.create(made as never);
      const batch = await finished(mine, id);
      expect(batch.status).toBe("completed");
      // Asking again and again costs nothing, and neither does what it came to.
      for (let again = 0; again < 3; again++) await mine.batches.retrieve(id);
      await mine.files.content(batch.output_file_id ?? "");
      await mine.get(`/batches/${id}/output`);
    }
    const outputs = /^request_count\{[^}]*endpoint="\/v1\/(?:files\/:id\/content|batches\/:id\/output)"[^}]*\} 2$/gm;
    const text = await page(gateway.url, (found) => kindsOn(found) === 2 && found.match(outputs)?.length === 2);
    const tokens = countIn(text, "batch_input_tokens", "custom");
    expect(tokens).toBeGreaterThan(0);
    expect(countIn(text, "batch_input_tokens", "provider")).toBe(tokens);
    expect(countIn(text, "batch_cost", "custom")).toBe(tokens);
    expect(countIn(text, "batch_cost", "provider")).toBe(tokens / 2);
    const used = [...text.matchAll(/^llm_token_sum\{[^}]*provider="(\w+)"[^}]*\} (\S+)$/gm)];
    expect(used.filter(([, provider, sum]) => provider === "gateway" && Number(sum) > 0)).toEqual([]);
    expect(text).not.toMatch(/^llm_cost_unknown_count\{[^}]*\} [1-9]/m);
    for (const type of ["custom", "provider"]) {
      expect(countIn(text, "batch_count", type)).toBe(1);
      expect(countIn(text, "batch_row_count", type)).toBe(2);
      expect(countIn(text, "batch_success_row_count", type)).toBe(2);
      expect(countIn(text, "batch_failure_row_count", type)).toBe(0);
    }
  });

  const unbounded = {
    type: "cost",
    alert_threshold: null,
    periodic_reset: null,
    periodic_reset_days: null,
    next_usage_reset_at: null,
  };
  const ana = { id: "ana", organisation: "acme", workspace: "one" };
  const limits = { level: "api_key", id: "ana", subject: "Ana", usage: [], rate: [] };
  const withBudget = (dollars: number) => ({
    ...ana,
    limits: { ...limits, usage: [{ ...unbounded, credit_limit: dollars }] },
  });
  const withRate = (tokens: number) => ({
    ...ana,
    limits: { ...limits, rate: [{ type: "tokens", unit: "rpw", value: tokens }] },
  });

  it("is within a budget: lines behind its end fail, and so do batches after it", async () => {
    const { client } = await startBatches(limited, { groupLines: 1 });
    const mine = client(withBudget(20));
    const lines = Array.from({ length: 6 }, (_, at) => line(`r-${at}`, "one two three four five"));
    const input = await uploaded(mine, jsonl(...lines));
    const { id } = await mine.batches.create({ ...here, input_file_id: input.id });
    const batch = await finished(mine, id);
    const { completed = 0, failed = 0 } = batch.request_counts ?? {};
    expect(completed).toBeGreaterThan(0);
    expect(failed).toBeGreaterThan(0);
    expect(batch.status).toBe("completed");
    const errors = await linesOf(mine, batch.error_file_id);
    expect(errors.map(({ custom_id }) => custom_id)).toEqual(lines.slice(completed).map((one) => one.custom_id));
    expect(new Set(errors.map(({ response }) => response.status_code))).toEqual(new Set([412]));
    await expect(mine.batches.create({ ...here, input_file_id: input.id })).rejects.toMatchObject({ status: 412 });
    // What is there may be asked for all the same.
    expect((await mine.batches.retrieve(id)).id).toBe(id);
    expect((await mine.files.list()).data.length).toBeGreaterThan(0);
  });

  it.each([
    ["budgets", withBudget(1), 412],
    ["rates of tokens", withRate(1), 429],
  ])("is counted by %s where a provider did the work", async (_, who, status) => {
    const { client } = await startBatches(limited);
    const mine = client(who);
    const input = await uploaded(mine, jsonl(line("a", "one two three four five")));
    const made = { ...there, input_file_id: input.id, gateway_options: options({}) };
    const { id } = await mine.batches.create(made as never);
    expect((await finished(mine, id)).status).toBe("completed");
    await expect(mine.batches.create(made as never)).rejects.toMatchObject({ status });
  });
});

describe("what batches are sent with", () => {
  it("is kept encrypted, and not kept at all where it is secret and nothing encrypts it", async () => {
    const secret = options({ provider: "openai", api_key: "sk-0123456789abcdef" });
    const { client } = await startBatches();
    const mine = client();
    const input = await uploaded(mine, jsonl(line("a", "x")));
    const made = { ...here, input_file_id: input.id, gateway_options: secret };
    await expect(mine.batches.create(made as never)).rejects.toMatchObject({ status: 400, param: "gateway_options" });
    const sealed = await startBatches({ encryption: { key: "5e".repeat(32) } });
    const other = sealed.client();
    const { id } = await uploaded(other, jsonl(line("a", "x")));
    const batch = await other.batches.create({
      ...here,
      input_file_id: id,
      gateway_options: options({ api_key: "sk-0123456789abcdef" }),
    } as never);
    expect((await finished(other, batch.id)).status).toBe("completed");
    const kept = ["records.db", "records.db-wal"].map((name) => {
      try {
        return readFileSync(`${sealed.folder}/.sluice/${name}`).toString("latin1");
      } catch {
        return "";
      }
    });
    expect(kept.join("")).toContain(batch.id);
    expect(kept.join("")).not.toContain("sk-0123456789abcdef");
    expect(JSON.stringify(batch)).not.toContain("gateway_options");
  });
});

describe("the gateway as it comes", () => {
  it("runs batches for an API key, and has each line among its logs", async () => {
    // Nothing else is changed: logs are asked for again and again, until they are there.
    const config = readFileSync(new URL("../../config/gateway.yaml", import.meta.url), "utf8")
      .replace("  management: {}", "  management: { requestsPerMinute: 0 }")
      .replace("    sensitiveHeaders:", "    batchMilliseconds: 1\n    sensitiveHeaders:");
    const adminKey = "the-first-key-of-a-test";
    const gateway = await startFreeGateway(config, { BOOTSTRAP_ADMIN_KEY: adminKey }, folderOfFile());
    onTestFinished(() => gateway.shutdown(0, 0));
    const api = async (path: string, key: string, body?: object) => {
      const response = await fetch(`${gateway.url}/v1${path}`, {
        method: body ? "POST" : "GET",
        headers: { "x-gateway-api-key": key, ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      return response.json() as Promise<Record<string, unknown>>;
    };
    const { id: workspace } = await api("/admin/workspaces", adminKey, { name: "Batches" });
    const { key } = await api("/api-keys/workspace/service", adminKey, {
      name: "batches",
      workspace_id: workspace,
      scopes: ["completions.write", "logs.list", "logs.view"],
    });
    // Naming the gateway itself is allowed where only saved providers may be named.
    const headers = { "x-gateway-api-key": String(key), "x-gateway-provider": "gateway" };
    const mine = openAiClient({ url: gateway.url, headers });
    const input = await uploaded(mine, jsonl(line("a", "x"), line("b", "y")));
    const { id } = await mine.batches.create({
      ...here,
      input_file_id: input.id,
      gateway_options: { "x-gateway-metadata": { team: "blue" } },
    } as never);
    expect(await finished(mine, id)).toMatchObject({ status: "completed", request_counts: { completed: 2 } });
    const rowsOf = async (trace: string, count: number): Promise<Record<string, unknown>[]> => {
      for (;;) {
        const { data = [] } = (await api(`/logs?trace_id=${trace}`, adminKey)) as { data?: Record<string, unknown>[] };
        if (data.length >= count) return data;
      }
    };
    const rows = await rowsOf(id, 2);
    expect(rows).toHaveLength(2);
    for (const row of rows)
      expect(row).toMatchObject({ source: "batch", api_key_name: "batches", provider_slug: "simulator" });
    const other = await mine.batches.create({ ...there, input_file_id: input.id });
    expect(await finished(mine, other.id)).toMatchObject({ status: "completed", request_counts: { completed: 2 } });
    // Two calls to start it, two to look at it and to fetch what it came to, and what it used.
    const calls = await rowsOf(other.id, 5);
    expect(calls.every(({ source }) => source === "batch")).toBe(true);
    expect(calls.filter(({ total_units }) => Number(total_units) > 0)).toMatchObject([
      { endpoint_type: "createBatch", ai_model: "small-1", provider_slug: "simulator", is_success: true },
    ]);
    expect(gateway.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });
});
