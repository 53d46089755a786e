import { onTestFinished, vi } from "vitest";
import type { Fields } from "../../core/index.ts";
import { eventually } from "../support/calm.ts";
import { startFreeGateway, type TestGateway } from "../support/gateway.ts";
import { folderOfFile, supportPlugin } from "../support/management.ts";
import { watched } from "../support/watched-records.ts";
import { type Heard, heard, type Sending } from "./client.ts";
import { Model } from "./model.ts";
import { type Call, startVendors } from "./vendors.ts";

/** How long responses are kept. */
export const seconds = 7 * 24 * 60 * 60;

type Vendors = Awaited<ReturnType<typeof startVendors>>;

/** A gateway before the vendors, that can be started anew over the same records, in a time that only tests let go by. */
export class Deployment {
  readonly vendors: Vendors;
  readonly stats: Record<string, number> = {};
  readonly #folder = folderOfFile();
  #gateway!: TestGateway;
  #worlds = 0;
  #tags = 0;

  private constructor(vendors: Vendors) {
    this.vendors = vendors;
  }

  static async start(): Promise<Deployment> {
    vi.useFakeTimers({ toFake: ["Date"] });
    const deployment = new Deployment(await startVendors());
    await deployment.#open();
    onTestFinished(async () => {
      watched.down = false;
      vi.useRealTimers();
      await deployment.#gateway.shutdown(0, 0);
    });
    return deployment;
  }

  /** Other tenants, who have nothing yet. */
  world(): World {
    this.vendors.calls.length = 0;
    return new World(this, `${++this.#worlds}`);
  }

  nextTag = (): string => `${++this.#tags}`;

  async restart(): Promise<void> {
    await this.#gateway.shutdown(0, 0);
    await this.#open();
  }

  heard = (sending: Sending): Promise<Heard> => heard(this.#gateway.url, sending);

  /** Nothing is under way. */
  calm = (): Promise<void> =>
    eventually(() => {
      if (this.#gateway.generation.active > 0) throw new Error("busy");
    });

  async #open(): Promise<void> {
    const vendor = (use: string, path: string) => ({
      use,
      apiKey: "sk-0123456789",
      baseUrl: `${this.vendors.url}/${path}`,
    });
    this.#gateway = await startFreeGateway(
      JSON.stringify({
        plugins: {
          principal: supportPlugin(this.#folder, "principal"),
          "watched-records": supportPlugin(this.#folder, "watched-records"),
          routing: {},
          "strategy-fallback": {},
          "strategy-hedge": {},
          cache: {},
          "cache-memory": {},
          proxy: {},
          "format-openai-chat": {},
          "format-anthropic-messages": {},
          "format-openai-responses": {},
          "responses-store": { seconds },
        },
        providers: {
          chats: vendor("z-ai", "chats"),
          claude: vendor("anthropic", "claude"),
          native: vendor("openai", "native"),
          mixed: { ...vendor("bedrock-mantle", "claude/v1"), region: "eu-west-1" },
        },
      }),
      {},
      this.#folder,
    );
  }
}

/** Three people of two workspaces, and what the model knows of their responses. */
export class World {
  readonly deployment: Deployment;
  readonly model = new Model();
  /** The calls that were answered, by tenant. */
  readonly answered = new Map<string, Call[]>();
  readonly #name: string;

  constructor(deployment: Deployment, name: string) {
    this.deployment = deployment;
    this.#name = name;
  }

  tenant = (who: number): string => `${this.#name} ${who === 2 ? "other" : "shared"}`;

  /**
   * Sends something for somebody. Tells what came, and what vendors were sent of it: known by a header, but where there
   * is a cache, which takes those with different ones for different questions.
   */
  async send(
    who: number,
    config: Fields,
    sending: Omit<Sending, "headers">,
    isTagged = true,
  ): Promise<{ readonly answer: Heard; readonly calls: readonly Call[] }> {
    const tag = this.deployment.nextTag();
    const principal = { id: `${this.#name} ${who}`, organisation: this.#name, workspace: this.tenant(who) };
    const headers = {
      "x-test-principal": JSON.stringify(principal),
      "x-gateway-config": JSON.stringify(config),
      ...(isTagged && { "x-gateway-forward-headers": "x-tag", "x-tag": tag }),
    };
    const { calls } = this.deployment.vendors;
    const before = calls.length;
    const answer = await this.deployment.heard({ ...sending, headers });
    return { answer, calls: calls.slice(before).filter((call) => call.tag === (isTagged ? tag : "undefined")) };
  }

  remember(tenant: string, calls: readonly Call[]): void {
    const answered = this.answered.get(tenant) ?? [];
    this.answered.set(tenant, [...answered, ...calls.filter(({ said }) => said)]);
  }

  count(what: string): void {
    this.deployment.stats[what] = (this.deployment.stats[what] ?? 0) + 1;
  }
}
