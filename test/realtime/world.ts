import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { expect } from "vitest";
import { WebSocketServer } from "ws";
import type { LogRow } from "../../core/index.ts";
import { openManagement, supportPlugin, type TestManagement, testOrganisation } from "../support/management.ts";
import { End } from "./end.ts";

/** What a vendor does with a handshake. */
export const receptions = ["opens", "refuses", "drops", "stalls"] as const;
export type Reception = (typeof receptions)[number];

/** Bytes of a frame, and of what waits for one side before the other is not read any further. */
export const messageBytes = 800_000;
export const bufferBytes = 20_000;

/** Tokens whoever has a budget may use. */
export const allowance = 50;

/** Vendors with sockets, which are told apart by what their clients say in the URL. */
async function startVendor() {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const receptions = new Map<string, Reception>();
  const ends = new Map<string, End>();
  const open = new Set<Duplex>();
  const sessionOf = ({ url }: IncomingMessage) => new URL(url ?? "", "http://v").searchParams.get("session") ?? "";
  server.on("upgrade", (request, socket, head) => {
    open.add(socket);
    socket.on("error", () => undefined).on("close", () => open.delete(socket));
    const session = sessionOf(request);
    const reception = receptions.get(session);
    if (reception === "refuses") return void socket.end("HTTP/1.1 429 No\r\ncontent-length: 0\r\n\r\n");
    if (reception === "drops") return void socket.destroy();
    // A connection of which nobody reads does not see that it is over.
    if (reception === "stalls") return void socket.resume().on("end", () => socket.end());
    sockets.handleUpgrade(request, socket, head, (accepted) => ends.set(session, new End(accepted)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    receptions,
    ends,
    open,
    stop: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

/** A line of the access log. */
export interface Line {
  readonly role?: string;
  readonly who?: string;
  readonly event?: string;
  readonly trace?: string;
  readonly path: string;
  readonly status?: number;
  readonly ending: string;
}

const linesOf = ({ log }: TestManagement["gateway"]): Line[] =>
  log.lines.flatMap(({ message, fields }) => (message === "request" ? [fields as unknown as Line] : []));

const counted = (type: string) => ({
  ...{ conditions: [{ key: "api_key", value: "*" }], group_by: [{ key: "api_key" }] },
  ...{ credit_limit: 1_000_000_000, type },
});

export const often = { timeout: 3_000, interval: 3 };

/** A gateway that carries sockets, records, counts and limits; it can be ended, and started anew over what it has kept. */
export class World {
  readonly vendor: Awaited<ReturnType<typeof startVendor>>;
  readonly #folder = mkdtempSync(join(tmpdir(), "sluice-realtime-"));
  /** Of gateways that have ended. */
  readonly #lines: Line[] = [];
  #management: TestManagement | undefined;
  #workspace: string | undefined;

  private constructor(vendor: World["vendor"]) {
    this.vendor = vendor;
  }

  static async start(): Promise<World> {
    return new World(await startVendor());
  }

  /** A gateway that is there, a new one where the last has been ended. */
  async open(): Promise<TestManagement> {
    this.#management ??= await openManagement(
      {
        "penny-prices": supportPlugin(this.#folder, "penny-prices"),
        routing: {},
        "format-openai-chat": {},
        "logs-file": {},
        "access-log": { trace: true },
        "request-log": { batchMilliseconds: 1 },
        "counters-memory": {},
        "policy-records": {
          usageLimits: { tokens: counted("tokens"), cost: counted("cost"), requests: counted("requests") },
        },
        "usage-limits": {},
        realtime: { messageBytes, bufferBytes },
      },
      {
        folder: this.#folder,
        providers: { oai: { use: "openai", apiKey: "sk-of-the-vendor", baseUrl: this.vendor.url } },
        variables: { TRUSTED_CUSTOM_HOSTS: "127.0.0.1" },
      },
    );
    // It is there already where the gateway was ended.
    this.#workspace ??= this.#management.workspace.id;
    return this.#management;
  }

  get management(): TestManagement {
    if (!this.#management) throw new Error("the gateway is not open");
    return this.#management;
  }

  /** Somebody with a key of their own; `isLimited`, with a budget of tokens. */
  caller(isLimited: boolean): Caller {
    const id = randomUUID();
    const usage = [
      ...(isLimited
        ? [{ type: "tokens", credit_limit: allowance, alert_threshold: null, periodic_reset: "monthly" }]
        : []),
    ].map((one) => ({ ...one, periodic_reset_days: null, next_usage_reset_at: null }));
    const limits = { level: "api_key", id, subject: id, usage, rate: [] };
    const principal = { id, name: id, organisation: testOrganisation, workspace: this.#workspace ?? "", limits };
    return { id, isLimited, header: JSON.stringify(principal) };
  }

  async shutdown(grace: number): Promise<void> {
    const { gateway } = this.management;
    await gateway.shutdown(0, grace);
    this.#lines.push(...linesOf(gateway));
    this.#management = undefined;
  }

  /** Nothing is under way, and all of it is recorded. */
  async rest(): Promise<void> {
    const { gateway, admin } = this.management;
    await expect.poll(() => gateway.generation.active, often).toBe(0);
    await expect
      .poll(async () => (await admin("GET", "/health/logs")).body, often)
      .toMatchObject({ waiting: { records: 0 } });
  }

  async rows(trace: string): Promise<LogRow[]> {
    const { admin } = this.management;
    return (await admin("GET", `/logs?page_size=500&trace_id=${trace}`)).body.data;
  }

  get lines(): Line[] {
    return [...this.#lines, ...linesOf(this.management.gateway)];
  }

  /** What budgets of everybody have counted of a key. */
  async counted(policy: string, key: string): Promise<number> {
    for (let page = 0; ; page++) {
      const path = `/policies/usage-limits/${policy}/entities?page_size=100&current_page=${page}`;
      const { data } = (await this.management.admin("GET", path)).body;
      const found = data.find(({ value_key }: { value_key: string }) => value_key === `api_key:${key}`);
      if (found || data.length < 100) return found?.current_usage ?? 0;
    }
  }

  async stop(): Promise<void> {
    await this.#management?.gateway.shutdown(0, 0);
    this.vendor.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export interface Caller {
  readonly id: string;
  readonly isLimited: boolean;
  readonly header: string;
}
