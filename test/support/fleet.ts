import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { recordStore, sharedGroup } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { RedisCounters } from "../../plugins/counters-redis/redis-counters.ts";
import { FileBackend } from "../../plugins/records-file/file-backend.ts";
import { openClient, RedisConnection } from "../../plugins/redis/connection.ts";
import { type AccountDocument, accountsCollection } from "../../plugins/usage-limits/kept-account.ts";
import { folderOfFile } from "./folder-of-file.ts";
import { streamed } from "./limited.ts";
import { supportPlugin } from "./management.ts";
import { json } from "./upstream.ts";

/** Tokens of the question, by the vendor's count: fewer than anybody expects. */
export const promptTokens = 20;

export interface FleetOptions {
  /** Absent: all workers of one gateway count in the memory of their supervisor. */
  readonly redis?: string;
  readonly workers?: number;
  readonly usageLimits?: object;
  readonly rateLimits?: object;
  /** Options of the plugin `usage-limits`, and of `rate-limits`. */
  readonly usage?: object;
  readonly rate?: object;
  /** Milliseconds the counters may take. */
  readonly timeout: number;
  /** Picodollars of a token. */
  readonly price?: number;
}

export interface Asking {
  /** Goes by policies with the condition `metadata.race`. */
  readonly race: string;
  readonly tokens?: number;
  readonly stream?: boolean;
}

export interface Heard {
  readonly status: number;
  readonly text: string;
}

/** All that gateways of a deployment share: a config file, one Redis, one file of records, one vendor. */
export async function openDeployment(options: FleetOptions) {
  const vendor = await openVendor();
  const folder = folderOfFile();
  const file = join(folder, "gateway.json");
  writeFileSync(file, JSON.stringify(configOf(folder, vendor.url, options)));
  const agents = new Map<string, Agent>();

  /** Asks a gateway, on connections that are kept. Rejects when the gateway dies meanwhile. */
  function ask(url: string, { race, tokens = 80, stream = false }: Asking): Promise<Heard> {
    const agent = agents.get(url) ?? new Agent({ keepAlive: true });
    agents.set(url, agent);
    const headers = {
      "content-type": "application/json",
      "x-test-principal": JSON.stringify({ id: "K1" }),
      "x-gateway-provider": "@vendor",
      "x-gateway-metadata": JSON.stringify({ race }),
    };
    const more = stream ? { stream, stream_options: { include_usage: true } } : {};
    const messages = [{ role: "user", content: "How long is a piece of string, and who has measured it?" }];
    return new Promise((resolve, reject) => {
      const sent = request(`${url}/v1/chat/completions`, { method: "POST", headers, agent }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => {
          text += piece;
        });
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on("error", reject);
      sent.end(JSON.stringify({ model: "m", max_tokens: tokens, messages, ...more }));
    });
  }

  return {
    file,
    vendor,
    ask,
    records: () => readRecords(join(folder, "records.db")),
    async close() {
      for (const agent of agents.values()) agent.destroy();
      await vendor.close();
    },
  };
}

function configOf(folder: string, vendor: string, options: FleetOptions): object {
  const { redis, workers = 1, usageLimits = {}, rateLimits = {}, usage = {}, rate = {}, timeout, price } = options;
  return {
    server: { port: 0, workers, shutdown: { notReady: 0, grace: 2_000 } },
    plugins: {
      principal: supportPlugin(folder, "principal"),
      ...(redis === undefined
        ? { "counters-memory": { timeout } }
        : { redis: { url: redis, commandTimeout: timeout }, "counters-redis": { timeout } }),
      "records-file": { path: "records.db", pollInterval: 50 },
      management: {},
      organisations: {},
      "policy-records": { usageLimits, rateLimits },
      "penny-prices": { ...supportPlugin(folder, "penny-prices"), ...(price !== undefined && { picodollars: price }) },
      "rate-limits": rate,
      "usage-limits": usage,
      routing: {},
      "format-openai-chat": {},
    },
    providers: { vendor: { use: "openai", apiKey: "sk-0123456789", baseUrl: vendor } },
  };
}

/** A vendor that uses as many tokens as it is allowed, and keeps count; while it is silent it answers nobody. */
async function openVendor() {
  const vendor = { url: "", tokens: 0, silent: false };
  const server = createServer(async (incoming, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece);
    const asked = JSON.parse(Buffer.concat(pieces).toString());
    const completion = asked.max_tokens;
    const usage = {
      prompt_tokens: promptTokens,
      completion_tokens: completion,
      total_tokens: promptTokens + completion,
    };
    if (vendor.silent) return;
    vendor.tokens += usage.total_tokens;
    if (asked.stream) return streamed(response, usage);
    const message = { role: "assistant", content: "Hi" };
    json(response, 200, {
      ...{ id: "c", object: "chat.completion", created: 1, model: asked.model, usage },
      choices: [{ index: 0, message, finish_reason: "stop" }],
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  vendor.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(vendor, {
    async close() {
      server.closeAllConnections();
      server.close();
    },
  });
}

/** What is kept of budgets, by the id of their policy. */
async function readRecords(path: string): Promise<Readonly<Record<string, AccountDocument>>> {
  const backend = new FileBackend({ path, timeout: 10_000, pollInterval: 1_000 });
  const accounts = recordStore(backend, silentLogger).collection(accountsCollection);
  const { records } = await accounts.find({ limit: 1000 });
  await backend.close();
  return Object.fromEntries(records.map(({ document }) => [document.subject, document]));
}

/** Of whatever type it is. */
const keysOf = (policy: string): string[] =>
  ["cost", "tokens", "requests"].map((type) => `usage:policy:${policy}:metadata.race:${policy} ${type}@ever`);

/** The counters, as somebody who counts nothing sees them. */
export async function watchCounters(url: string) {
  const client = await openClient({ url, commandTimeout: 5_000, connectTimeout: 5_000 });
  const redis = new RedisConnection(client, { keyPrefix: "sluice:", commandTimeout: 5_000, log: silentLogger });
  const ready = once(client, "ready");
  void redis.open();
  await ready;
  const counters = new RedisCounters({ redis, timeout: 5_000, log: silentLogger });
  return {
    /** The total of a policy's only counter; it is grouped by the metadata `race`, and never reset. */
    async totalOf(policy: string): Promise<bigint> {
      return (await counters.read(sharedGroup, keysOf(policy))).reduce((sum, total) => sum + total);
    },
    /** What is held on it besides. */
    async heldOf(policy: string): Promise<bigint> {
      const look = { limit: 10n ** 26n, rule: "below", amount: 0n, expiresAt: Date.now() + 1_000 } as const;
      const { totals } = await counters.claim(
        sharedGroup,
        keysOf(policy).map((key) => ({ ...look, key })),
      );
      return totals.reduce((sum, total) => sum + total) - (await this.totalOf(policy));
    },
    close() {
      counters.close();
      client.disconnect();
    },
  };
}
