import { onTestFinished, vi } from "vitest";
import { explainRequest } from "../../core/cli/explain/explain-request.ts";
import type { CallFact, Explanation } from "../../core/cli/explain/explanation.ts";
import { eventually } from "../support/calm.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { type Answered, call } from "../support/raw-call.ts";
import { startTime, type Time } from "./time.ts";
import { type Asked, type Fields, slugs } from "./trees.ts";
import { startVendors, type Vendors } from "./vendors.ts";

export type { CallFact };

const plugins = {
  "auth-open": {},
  "strategy-fallback": {},
  "strategy-loadbalance": {},
  "strategy-conditional": {},
  "strategy-priority": {},
  "strategy-least-cost": {},
  "strategy-least-latency": {},
  "circuit-breaker": {},
  retry: {},
  checks: {},
  "cache-memory": {},
  cache: {},
  // What a stream is kept back for is told elsewhere.
  guardrails: { streams: "report" },
  "format-openai-chat": {},
  "format-anthropic-messages": {},
  "format-openai-responses": {},
  "format-gemini": {},
  "access-log": {},
};

/** Providers by their slugs. */
type Uses = Readonly<Record<string, string>>;

/** Where requests go, and what is said of them in their bodies. */
type Sent = (body: Fields) => { readonly path: string; readonly body: Fields };

const asChat: Sent = (body) => ({ path: "/v1/chat/completions", body });

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
  readonly #uses: Uses;
  #saved: unknown;
  #draw = 0;

  private constructor(time: Time, vendors: Vendors, uses: Uses, gateway: TestGateway) {
    this.time = time;
    this.vendors = vendors;
    this.#uses = uses;
    this.#gateway = gateway;
    const chance = vi.spyOn(Math, "random").mockImplementation(() => this.#draw);
    onTestFinished(() => chance.mockRestore());
  }

  /** `uses` says who vendors are that are not OpenAI. */
  static async start(uses: Uses = {}): Promise<RoutingDeployment> {
    const time = startTime();
    const vendors = await startVendors(time);
    return new RoutingDeployment(time, vendors, uses, await startTestGateway(textWith(vendors.url, uses)));
  }

  /** What chance comes to from now on. */
  draw(draw: number): void {
    this.#draw = draw;
  }

  /** The config is that of the file from now on, under the name `kept`. */
  async save(config: unknown): Promise<void> {
    if (JSON.stringify(config) === JSON.stringify(this.#saved)) return;
    this.#saved = config;
    this.#gateway.write(textWith(this.vendors.url, this.#uses, config));
    await this.#gateway.reload();
  }

  async ask(
    { body, headers }: Asked,
    config: string,
    sent = asChat,
  ): Promise<Answered & { readonly trace: readonly Traced[] }> {
    this.time.waits.length = 0;
    const before = this.#gateway.log.lines.length;
    const options = { method: "POST", agent: false as const, headers: headersOf(headers, config) };
    const { path, body: said } = sent(body);
    const answered = await call(`${this.#gateway.url}${path}`, options, JSON.stringify(said));
    await this.vendors.rest();
    await eventually(() => {
      if (this.#gateway.generation.active > 0) throw new Error("busy");
    });
    const line = this.#gateway.log.lines.slice(before).find(({ message }) => message === "request");
    return { ...answered, trace: (line?.fields?.calls ?? []) as readonly Traced[] };
  }

  /** What `sluice explain` would say of it. */
  explain({ body, headers }: Asked, config: string, sent = asChat): Promise<Explanation> {
    const { path, body: said } = sent(body);
    const bytes = Buffer.from(JSON.stringify(said));
    const request = {
      method: "POST",
      url: path,
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

function textWith(url: string, uses: Uses, kept?: unknown): string {
  const provider = (slug: string) => ({
    use: uses[slug] ?? "openai",
    apiKey: `${slug}-key-0123456789`,
    baseUrl: `${url}/${slug}`,
  });
  return JSON.stringify({
    plugins: { ...plugins, routing: kept === undefined ? {} : { configs: { kept } } },
    providers: Object.fromEntries([...slugs, "openai"].map((slug) => [slug, provider(slug)])),
  });
}
