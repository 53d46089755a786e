import { request } from "node:http";
import { setImmediate } from "node:timers/promises";
import { onTestFinished, vi } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { watchTimers } from "./own-timers.ts";
import { type Seen, startRaceVendor } from "./race-vendor.ts";

type Vendor = Awaited<ReturnType<typeof startRaceVendor>>;

const plugins = {
  "auth-open": {},
  routing: {},
  "strategy-fallback": {},
  "strategy-hedge": {},
  "strategy-shadow": {},
  "stream-resume": {},
  retry: {},
  "format-openai-chat": {},
  "access-log": {},
};

/** What a client got, and when it had all of it. */
export interface Heard {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly at: number;
}

/** What the log says of a request, or of a copy of one. */
export interface Line {
  readonly role?: string;
  readonly ending: string;
  readonly status: number;
  readonly calls: readonly {
    readonly path: string;
    readonly retry?: boolean;
    readonly startedAt: number;
    readonly endedAt?: number;
    readonly status: number | "given up";
  }[];
}

/** Turns of the event loop in which all that can happen now has happened. */
const enough = 25;
/** No request lasts longer, in milliseconds. */
const longest = 3_600_000;

/** A gateway before a vendor that takes its time, in a time that goes from one timer to the next. */
export class RaceDeployment {
  readonly #vendor: Vendor;
  readonly #gateway: TestGateway;
  /** Who has set the timers of the gateway's that have not gone off. */
  readonly timers: () => readonly string[];

  private constructor(vendor: Vendor, gateway: TestGateway, timers: () => readonly string[]) {
    this.#vendor = vendor;
    this.#gateway = gateway;
    this.timers = timers;
  }

  static async start(): Promise<RaceDeployment> {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const vendor = await startRaceVendor();
    const providers = { vendor: { use: "openai", apiKey: "vendor-key-0123456789", baseUrl: vendor.url } };
    const gateway = await startTestGateway(JSON.stringify({ plugins, providers }));
    return new RaceDeployment(vendor, gateway, watchTimers());
  }

  /** Asks, and lets time pass until everything about it is over. */
  async ask(
    config: object,
    isStreamed: boolean,
    behaviourOf: Parameters<Vendor["follow"]>[0],
    leavesAfter?: number,
  ): Promise<{ readonly heard: Heard | undefined; readonly seen: readonly Seen[]; readonly lines: readonly Line[] }> {
    this.#vendor.follow(behaviourOf);
    const { log, generation } = this.#gateway;
    const before = log.lines.length;
    const begun = Date.now();
    let isOver = false;
    let heard: Heard | undefined;
    let hasLeft = false;
    const { outgoing, answer } = this.#call(config, isStreamed);
    const leave = () => {
      hasLeft = true;
      // Who only closes may still be waiting, and would be asked first.
      outgoing.socket?.resetAndDestroy();
    };
    const leaving = leavesAfter === undefined ? undefined : setTimeout(leave, leavesAfter);
    void answer
      .then((got) => {
        heard = { ...got, at: Date.now() - begun };
      })
      .catch((error: unknown) => {
        if (!hasLeft) throw error;
      })
      .finally(() => {
        isOver = true;
        clearTimeout(leaving);
      });
    await this.#passUntil(
      () => isOver && generation.active === 0 && this.#vendor.seen.every(({ to }) => to !== undefined),
    );
    const seen = this.#vendor.seen.map(({ from, to, ...call }) => ({
      ...call,
      from: from - begun,
      to: (to ?? 0) - begun,
    }));
    const lines = log.lines.slice(before).filter(({ message }) => message === "request");
    return { heard, seen, lines: lines.map(({ fields }) => fields as unknown as Line) };
  }

  /** The answer to an ordinary request. */
  async healthy(): Promise<number | undefined> {
    const { heard } = await this.ask({ provider: "@vendor", override_params: { model: "m" } }, false, () => undefined);
    return heard?.status;
  }

  async #passUntil(isOver: () => boolean): Promise<void> {
    for (const end = Date.now() + longest; Date.now() < end; vi.advanceTimersToNextTimer()) {
      for (let turn = 0; turn < enough; turn++) await setImmediate();
      if (isOver()) return;
    }
    throw new Error("a request is not over");
  }

  #call(config: object, isStreamed: boolean) {
    const headers = {
      "content-type": "application/json",
      "x-gateway-config": JSON.stringify(config),
      "x-gateway-debug": "true",
      "x-gateway-resume": "restart",
    };
    const body = { model: "m", messages: [{ role: "user", content: "Hi" }], ...(isStreamed && { stream: true }) };
    const outgoing = request(`${this.#gateway.url}/v1/chat/completions`, { method: "POST", agent: false, headers });
    const answer = new Promise<Omit<Heard, "at">>((resolve, reject) => {
      outgoing.on("response", (response) => {
        let text = "";
        response.on("data", (bytes: Buffer) => {
          text += bytes.toString();
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
        response.on("error", reject);
      });
      outgoing.on("error", reject);
    });
    outgoing.end(JSON.stringify(body));
    return { outgoing, answer };
  }
}
