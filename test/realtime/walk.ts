import { expect } from "vitest";
import { eventually } from "../support/calm.ts";
import { Session } from "./session.ts";
import { clientSays, ends, type Step, vendorSays } from "./steps.ts";
import { allowance, type Caller, type Reception, type World } from "./world.ts";

const shutdownClient = { code: 1001, reason: "The gateway is shutting down." };

/** Who is still answering is told that it is over, and not waited for: they may hear of it or not. */
const hurried = { code: expect.toSatisfy((code) => [1000, 1006].includes(code as number)), reason: "" };

/** People with keys, their sessions, and what they have used. */
export class Walk {
  readonly world: World;
  readonly sessions: Session[] = [];
  readonly spent = new Map<string, number>();
  readonly #callers: readonly Caller[];

  constructor(world: World) {
    this.world = world;
    this.#callers = [world.caller(true), world.caller(false)];
  }

  get live(): Session[] {
    return this.sessions.filter(({ isLive }) => isLive);
  }

  get callers(): readonly Caller[] {
    return this.#callers;
  }

  async take({ kind, which, what, n, settles }: Step): Promise<void> {
    const { live } = this;
    const session = live[which % Math.max(1, live.length)];
    if (kind === "open") await this.#open(which, n);
    else if (kind === "reload") await this.#reload();
    else if (kind === "shutdown") await this.#shutdown(n);
    else if (!session) return;
    else if (kind === "client") picked(clientSays, what)(session, n);
    else if (kind === "vendor") picked(vendorSays, what)(session, n, (tokens) => this.#used(session, tokens));
    else if (kind === "end") await this.#end(session, picked(ends, what), n);
    else if (kind === "stall") (n % 2 ? session.client : session.vendor).stall();
    else if (kind === "wake") wake(session);
    else await this.#late(session, what, n);
    if (settles || kind === "end" || kind === "late") await this.settled();
  }

  async settled(): Promise<void> {
    for (const session of this.sessions) await session.settled();
  }

  #used(session: Session, tokens: number): number {
    const used = (this.spent.get(session.caller.id) ?? 0) + tokens;
    this.spent.set(session.caller.id, used);
    return used;
  }

  async #open(which: number, n: number): Promise<void> {
    await this.settled();
    const isKnown = (more: number) =>
      eventually(() => expect(this.world.vendor.open.size).toBe(this.live.length + more));
    await isKnown(0);
    const caller = this.#callers[which % 2] as Caller;
    const reception = (["opens", "opens", "opens", "opens", "refuses", "drops", "stalls"] as Reception[])[
      n % 7
    ] as Reception;
    const session = new Session(this.world, caller, reception, n % 5 === 0);
    this.world.vendor.receptions.set(session.trace, reception);
    this.sessions.push(session);
    const isSpent = caller.isLimited && (this.spent.get(caller.id) ?? 0) >= allowance;
    if (reception === "stalls" && !isSpent) {
      await isKnown(1);
      session.client.socket.terminate();
      session.refused = 0;
      return isKnown(0);
    }
    await session.opened(this.world);
    expect(session.refused, session.refusal).toBe(isSpent ? 412 : reception === "opens" ? undefined : 500);
  }

  async #reload(): Promise<void> {
    await this.settled();
    expect(await this.world.management.gateway.reload()).toBe(true);
  }

  /** The gateway ends, and another begins over what it has kept. */
  async #shutdown(n: number): Promise<void> {
    for (const session of this.live) wake(session);
    await this.settled();
    const isPatient = n % 3 > 0;
    const over = this.world.shutdown(isPatient ? 60_000 : 0);
    for (const session of this.live) {
      const isAnswering = session.answering.size > 0;
      if (isPatient || !isAnswering) session.bid(shutdownClient, { code: 1000, reason: "" });
      else session.end(shutdownClient, hurried, "complete");
      while (session.isLive) vendorSays.done?.(session, n, (tokens) => this.#used(session, tokens));
    }
    await over;
    await this.settled();
    await this.world.open();
  }

  async #end(session: Session, how: (typeof ends)[string], n: number): Promise<void> {
    // A connection that is torn takes along what was not read of it.
    if (how === ends.vendorDrops) wake(session);
    if (how === ends.vendorDrops) await this.settled();
    if (session.isLive) how(session, n);
  }

  /** The client leaves while its vendor, who has not heard of it yet, goes on: what that used is counted all the same. */
  async #late(session: Session, what: number, n: number): Promise<void> {
    wake(session);
    await this.settled();
    if (!session.isLive) return;
    const { client, vendor } = session;
    const isDeaf = n % 2 > 0;
    if (isDeaf) vendor.socket.pause();
    picked(fromClient, what)(session, n);
    if (isDeaf) vendor.socket.pause();
    if (isDeaf) await eventually(() => expect(client.closed).toBeDefined());
    else for (let turn = 0; turn < n % 4; turn++) await new Promise(setImmediate);
    const used = (tokens: number) => this.#used(session, tokens);
    if (vendor.isOpen && n % 5 > 2) vendorSays.flood?.(session, n, used);
    if (vendor.isOpen) vendorSays.done?.(session, n, used);
    vendor.wake();
  }

  /** Everybody goes home. */
  async home(): Promise<void> {
    for (const session of this.live) wake(session);
    await this.settled();
    for (const session of this.live) ends.clientCloses?.(session, 0);
    await this.settled();
  }
}

const fromClient = Object.fromEntries(Object.entries(ends).filter(([name]) => name.startsWith("client")));

function wake({ client, vendor }: Session): void {
  for (const end of [client, vendor]) if (end.isStalled) end.wake();
}

const picked = <One>(all: Readonly<Record<string, One>>, at: number): One => {
  const values = Object.values(all);
  return values[at % values.length] as One;
};
