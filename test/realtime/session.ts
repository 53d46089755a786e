import { expect } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../support/calm.ts";
import { type Closed, End } from "./end.ts";
import { allowance, type Caller, type Reception, type World } from "./world.ts";

/** What a session's record of an event has to say. */
export interface Told {
  readonly event: string;
  readonly status: number;
  /** Undefined where nothing was used, `unknown` where nobody knows how much. */
  readonly tokens: number | "unknown" | undefined;
  /** Of a model whose prices nobody knows. */
  readonly isUnpriced: boolean;
}

/** How a session ended: what each side was told, and what the process log says. */
export interface Ended {
  readonly client: Closed;
  readonly vendor: Closed;
  readonly ending: string;
  readonly by: "client" | "another";
}

let sessions = 0;

/** A session, and what the simplest model of it says. */
export class Session {
  readonly trace = `realtime-${process.pid}-${++sessions}`;
  readonly caller: Caller;
  readonly reception: Reception;
  readonly isUnpriced: boolean;
  readonly socket: WebSocket;
  client!: End;
  vendor!: End;
  /** The status of a handshake that was refused. */
  refused: number | undefined;
  refusal = "";
  ended: Ended | undefined;
  readonly told: Told[] = [];
  /** Answers under way. */
  readonly answering = new Set<string>();
  /** How it is to be closed once there are none. */
  farewell: Omit<Ended, "by"> | undefined;
  answers = 0;

  constructor({ management }: World, caller: Caller, reception: Reception, isUnpriced: boolean) {
    this.caller = caller;
    this.reception = reception;
    this.isUnpriced = isUnpriced;
    const query = new URLSearchParams({
      model: `@oai/${isUnpriced ? "unpriced" : "gpt-realtime"}`,
      session: this.trace,
    });
    const headers = { "x-test-principal": caller.header, "x-gateway-trace-id": this.trace };
    this.socket = new WebSocket(`${management.gateway.url.replace("http", "ws")}/v1/realtime?${query}`, { headers });
    this.client = new End(this.socket);
    this.socket.on("unexpected-response", (_, answer) => {
      this.refused = answer.statusCode;
      answer.setEncoding("utf8").on("data", (text: string) => {
        this.refusal += text;
      });
    });
  }

  get isLive(): boolean {
    return this.ended === undefined && this.refused === undefined && this.vendor !== undefined;
  }

  /** Waits until it is open, or has been refused. */
  async opened(world: World): Promise<void> {
    await eventually(() => expect(this.client.isOpen || this.refused !== undefined).toBe(true));
    const vendor = world.vendor.ends.get(this.trace);
    if (this.client.isOpen && vendor) this.vendor = vendor;
    else await eventually(() => expect(this.refusal).not.toBe(""));
  }

  end(client: Closed, vendor: Closed, ending: string, by: Ended["by"] = "another"): void {
    this.ended ??= { client, vendor, ending, by };
    for (const end of [this.client, this.vendor]) if (end.isStalled) end.wake();
  }

  /** It is closed as soon as nobody waits for an answer. */
  bid(client: Closed, vendor: Closed, ending = "complete"): void {
    this.farewell ??= { client, vendor, ending };
    if (this.answering.size === 0) this.#leave();
  }

  #leave(): void {
    const { farewell } = this;
    if (farewell && this.isLive) this.end(farewell.client, farewell.vendor, farewell.ending);
  }

  /** An event that the vendor sent has come through. */
  heard(spent: (tokens: number) => number, told: Told | undefined, answer?: { begins?: string; ends?: string }): void {
    if (told) this.told.push(told);
    if (answer?.begins) this.answering.add(answer.begins);
    if (answer?.ends) this.answering.delete(answer.ends);
    const used = typeof told?.tokens === "number" ? spent(told.tokens) : spent(0);
    if (told?.tokens !== undefined && this.caller.isLimited && used >= allowance)
      this.farewell ??= {
        client: { code: 1008, reason: expect.stringMatching(/budget|limit/i) },
        vendor: { code: 1000, reason: "" },
        ending: "complete",
      };
    if (this.answering.size === 0) this.#leave();
  }

  /** Everything that was said has come, or the session is over on both sides. */
  async settled(): Promise<void> {
    if (this.refused !== undefined || !this.vendor) return;
    const { client, vendor } = this;
    await eventually(() => {
      if (this.ended) return expect([client.closed, vendor.closed]).toEqual([this.ended.client, this.ended.vendor]);
      if (!vendor.isStalled && !client.isStalled) {
        expect(vendor.heard.length).toBe(client.said.length);
        expect(client.heard.length).toBe(vendor.said.length);
      }
    }).catch((error) => {
      throw Object.assign(error as Error, { session: this.trace });
    });
    // What comes is what was said, in order, and nothing else.
    expect(vendor.heard).toEqual(client.said.slice(0, vendor.heard.length));
    expect(client.heard).toEqual(vendor.said.slice(0, client.heard.length));
  }
}
