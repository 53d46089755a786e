import { onTestFinished, vi } from "vitest";
import { explainRequest } from "../../core/cli/explain/explain-request.ts";
import type { CallFact, Explanation } from "../../core/cli/explain/explanation.ts";
import { eventually } from "../support/calm.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { type Answered, call } from "../support/raw-call.ts";
import { startTime, type Time } from "./time.ts";
import { type Asked, slugs } from "./trees.ts";
import { startVendors, type Vendors } from "./vendors.ts";

export type { CallFact };

const plugins = {
  "auth-open": {},
  "strategy-fallback": {},
  "strategy-loadbalance": {},
  "strategy-conditional": {},
  "strategy-priority": {},
  "circuit-breaker": {},
  retry: {},
  checks: {},
  "cache-memory": {},
  cache: {},
  // What a stream is kept back for is told elsewhere.
  guardrails: { streams: "report" },
  "format-openai-chat": {},
  "access-log": {},
};

/** One attempt as the trace of a request tells of it. */
export interface Traced {
  readonly path: string;
  readonly provider: string;
  readonly retry?: boolean;
  readonly waited?: number;
  readonly status: number | "given up";
}

/** A gateway before vendors that behave as they are told, in a time that tests let pass. */
export class RoutingDeployment {
  readonly time: Time;
  readonly vendors: Vendors;
  readonly #gateway: TestGateway;
  #saved: unknown;
  #draw = 0;

  private constructor(time: Time, vendors: Vendors, gateway: TestGateway) {
    this.time = time;
    this.vendors = vendors;
    this.#gateway = gateway;
    const chance = vi.spyOn(Math, "random").mockImplementation(() => this.#draw);
    onTestFinished(() => chance.mockRestore());
  }

  static async start(): Promise<RoutingDeployment> {
    const time = startTime();
    const vendors = await startVendors(time);
    return new RoutingDeployment(time, vendors, await startTestGateway(textWith(vendors.url)));
  }

  /** What chance comes to from now on. */
  draw(draw: number): void {
    this.#draw = draw;
  }

  /** The config is that of the file from now on, under the name `kept`. */
  async save(config: unknown): Promise<void> {
    if (JSON.stringify(config) === JSON.stringify(this.#saved)) return;
    this.#saved = config;
    this.#gateway.write(textWith(this.vendors.url, config));
    await this.#gateway.reload();
  }

  async ask({ body, headers }: Asked, config: string): Promise<Answered & { readonly trace: readonly Traced[] }> {
    this.time.waits.length = 0;
    const before = this.#gateway.log.lines.length;
    const options = { method: "POST", agent: false as const, headers: headersOf(headers, config) };
    const answered = await call(`${this.#gateway.url}/v1/chat/completions`, options, JSON.stringify(body));
    await this.vendors.rest();
    await eventually(() => {
      if (this.#gateway.generation.active > 0) throw new Error("busy");
    });
    const line = this.#gateway.log.lines.slice(before).find(({ message }) => message === "request");
    return { ...answered, trace: (line?.fields?.calls ?? []) as readonly Traced[] };
  }

  /** What `sluice explain` would say of it. */
  explain({ body, headers }: Asked, config: string): Promise<Explanation> {
    const bytes = Buffer.from(JSON.stringify(body));
    const request = {
      method: "POST",
      url: "/v1/chat/completions",
      headers: { ...headersOf(headers, config), host: "127.0.0.1", "content-length": String(bytes.length) },
      body: bytes,
    };
    const { generation } = this.#gateway;
    return explainRequest({ generation, request, secrets: [], configuredHeaders: () => new Set() });
  }
}

function headersOf(headers: Asked["headers"], config: string): Record<string, string> {
  return {
    "content-type": "application/json",
    "x-gateway-config": config,
    "x-gateway-debug": "true",
    "x-gateway-provider": "",
    authorization: "",
    ...headers,
  };
}

function textWith(url: string, kept?: unknown): string {
  const provider = (slug: string) => ({ use: "openai", apiKey: `${slug}-key-0123456789`, baseUrl: `${url}/${slug}` });
  return JSON.stringify({
    plugins: { ...plugins, routing: kept === undefined ? {} : { configs: { kept } } },
    providers: Object.fromEntries([...slugs, "openai"].map((slug) => [slug, provider(slug)])),
  });
}
