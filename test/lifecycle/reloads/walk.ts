import { expect } from "vitest";
import { environmentOf, parseConfig } from "../../../core/config/index.ts";
import { type Gateway, startGateway } from "../../../core/gateway.ts";
import type { Generation } from "../../../core/generation.ts";
import { keepingLogger } from "../../../core/test-kit/keeping-logger.ts";
import { loaderWith } from "../../../core/test-kit/loader-with.ts";
import { version } from "../../../core/version.ts";
import { eventually } from "../../support/calm.ts";
import { collectGarbage } from "../../support/collect-garbage.ts";
import { Asked } from "./client.ts";
import { KeptModel } from "./kept-model.ts";
import { answeredBy, expectWhole, type Request } from "./request.ts";
import { type Change, forbidden, type Mistake, type Said, spoilt, textOf } from "./said.ts";
import type { Asking, End, Step } from "./steps.ts";
import type { Vendor } from "./vendor.ts";
import { Witness } from "./witness.ts";

/** What stands in the file. */
interface Written {
  readonly said: Said;
  readonly text: string;
  readonly mistake?: Mistake;
  readonly line?: number | undefined;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A gateway whose file is edited while it is used, and what is to be seen of it. */
export class Walk {
  readonly #vendor: Vendor;
  readonly #witness = new Witness();
  readonly #log = keepingLogger();
  readonly #kept = new KeptModel();
  readonly #loader = loaderWith({ plugins: [this.#witness.plugin] });
  readonly #reads: Written[] = [];
  readonly #generations: WeakRef<Generation>[] = [];
  readonly #requests: Request[] = [];
  #running: Request[] = [];
  #gateway!: Gateway;
  #written: Written;
  #inForce: Said;
  /** How many of the reads have come to something. */
  #settled = 0;
  #reloading: Promise<void> = Promise.resolve();
  #names = 0;
  #isEnding = false;

  constructor(vendor: Vendor) {
    this.#vendor = vendor;
    const first: Change = {
      base: 0,
      key: 0,
      first: "one",
      limit: 5,
      guards: true,
      cacheBytes: 1_000_000,
      waits: false,
    };
    this.#written = this.#writing(first);
    this.#inForce = this.#written.said;
  }

  async start(): Promise<void> {
    this.#gateway = await startGateway({
      log: this.#log,
      version,
      read: async () => {
        this.#reads.push(this.#written);
        const config = await parseConfig(this.#written.text, "test.yaml", this.#loader, environmentOf({}));
        return { ...config, server: { ...config.server, port: 0 } };
      },
      builtIn: new Set(this.#loader.knownProviders()),
      loadProvider: (name) => this.#loader.provider(name, "."),
    });
    this.#settled = 1;
    this.#generations.push(new WeakRef(this.#gateway.generation));
    this.#kept.use(this.#inForce);
  }

  #writing(change: Change, mistake?: Mistake): Written {
    const said: Said = { ...change, name: `g${++this.#names}`, ...(mistake?.fails && { fails: mistake.fails }) };
    const right = textOf(said, this.#vendor.upstream.url);
    return mistake ? { said, mistake, ...spoilt(right, mistake) } : { said, text: right };
  }

  async take(step: Step): Promise<void> {
    if (step.do === "edit") {
      this.#edit(this.#writing(step.change));
      if (step.again) this.#edit(this.#writing(step.again));
      for (let turns = 0; turns < 3; turns++) await turn();
    } else if (step.do === "spoil") this.#edit(this.#writing(step.change, step.mistake));
    else if (step.do === "ask") await this.#ask(step);
    else if (step.do === "answer") this.#vendor.proceed(step.at);
    else if (step.do === "cancel") await this.#cancel(step.at);
    else if (step.do === "settle") await this.#settle();
    else await this.#look();
  }

  #edit(written: Written): void {
    this.#written = written;
    const reloading = this.#gateway.reload().then((taken) => this.#reloaded(taken));
    this.#reloading = this.#reloading.then(() => reloading);
    // Told when it is waited for.
    this.#reloading.catch(() => undefined);
  }

  #reloaded(taken: boolean): void {
    const read = this.#reads[this.#settled];
    if (!read || (this.#isEnding && !taken)) return expect(this.#isEnding).toBe(true);
    this.#settled++;
    const { said, mistake, line } = read;
    expect(taken, said.name).toBe(mistake === undefined);
    if (!mistake) {
      this.#inForce = said;
      this.#kept.use(said);
      this.#generations.push(new WeakRef(this.#gateway.generation));
      return;
    }
    const told = this.#log.lines.findLast(({ level }) => level === "error")?.message ?? "";
    expect(told).toMatch(/^config not reloaded, the old one stays:\n/);
    expect(told).toMatch(mistake.says);
    if (line !== undefined) expect(told).toContain(`test.yaml:${line}:`);
    // Of what failed nothing stays open.
    expect(this.#witness.open.map(({ as }) => as)).not.toContain(said.name);
  }

  async #settle(): Promise<void> {
    let over = false;
    const all = this.#reloading.finally(() => {
      over = true;
    });
    all.catch(() => undefined);
    while (!over) {
      this.#witness.proceed();
      await turn();
    }
    await all;
    expect(this.#witness.open.at(-1)?.as).toBe(this.#inForce.name);
  }

  async #look(): Promise<void> {
    const answers = await Promise.all(
      ["ready", "health"].map((path) =>
        fetch(`http://127.0.0.1:${this.#gateway.port}/v1/${path}`, { headers: { connection: "close" } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await answers[0]?.json()).toMatchObject({ status: "ready" });
    await answers[1]?.text();
  }

  async #ask({ what, stream, hold, other }: Extract<Step, { do: "ask" }>): Promise<void> {
    // What they go by would depend on which config answers.
    if (what === "cached" || what === "breaks") await this.#settle();
    const id = `#${this.#requests.length}`;
    const holds = hold && what === "plain";
    const words = { guarded: other % 2 === 0 ? forbidden : "", breaks: "fail", cached: `${other % 3}` };
    const said = (words as Partial<Record<Asking, string>>)[what] ?? "";
    const content = what === "cached" ? `question ${said}` : `${id} ${said} ${holds ? "hold" : ""}`;
    const config = what === "limited" ? "plain" : what;
    const headers = { "x-ask": id, "x-gateway-config": config, ...(what === "limited" && { "x-limited": "yes" }) };
    const user = what === "sticky" && { user: `user ${other % 5}` };
    const before = this.#inForce;
    const from = this.#settled;
    const calls = this.#vendor.calls.length;
    const asked = new Asked(`http://127.0.0.1:${this.#gateway.port}`, headers, {
      model: "m",
      stream: stream && what !== "cached",
      messages: [{ role: "user", content }],
      ...user,
    });
    let taken = false;
    void asked.head.then(() => {
      taken = true;
    });
    await eventually(() => expect(taken || this.#vendor.calls.some(({ ask }) => ask === id)).toBe(true));
    const may = [before, ...this.#reads.slice(from).flatMap(({ mistake, said }) => (mistake ? [] : said))];
    const request: Request = { id, asked, what, stream: stream && what !== "cached", may, cancelled: false };
    this.#requests.push(request);
    if (holds) return void this.#running.push(request);
    await asked.over;
    const by = answeredBy(request);
    const called = this.#vendor.calls.slice(calls).map(({ path }) => path);
    const seen = { status: asked.status, called, text: asked.text, headers: asked.headers, other };
    if (what === "guarded") expect(asked.status).toBe(!by.guards ? 400 : other % 2 === 0 ? 446 : 200);
    else this.#kept.check(what, by, seen);
  }

  async #cancel(at: number): Promise<void> {
    const [request] = this.#running.splice(at % Math.max(this.#running.length, 1), 1);
    if (!request) return;
    request.cancelled = true;
    request.asked.cancel();
    const call = this.#vendor.held.find(({ ask }) => ask === request.id);
    if (call) await eventually(() => expect(call.left).toBe(true));
    this.#vendor.held.splice(0, Infinity, ...this.#vendor.held.filter((one) => one !== call));
  }

  async #answerAll(): Promise<void> {
    const all = this.#running.splice(0);
    let over = false;
    void Promise.all(all.map(({ asked }) => asked.over)).then(() => {
      over = true;
    });
    while (!over) {
      this.#vendor.proceedAll();
      await turn();
    }
    for (const request of all) expectWhole(request);
  }

  async end({ how, change }: End): Promise<void> {
    if (how === "calm") {
      await this.#settle();
      await this.#answerAll();
      await this.#freed();
      await this.#gateway.shutdown(0, 0);
    } else await this.#endMidway(how, change);
    await eventually(() => expect(this.#witness.open).toEqual([]));
    for (const { as, closed, late } of this.#witness.instances)
      expect({ as, closed, late }).toEqual({ as, closed: 1, late: 0 });
    for (const { id, may, asked } of this.#requests) {
      const records = this.#witness.records.get(id) ?? [];
      expect(records, id).toHaveLength(1);
      expect(asked.answeredBy === undefined ? may.map(({ name }) => name) : [asked.answeredBy]).toContain(records[0]);
    }
    const failures = this.#log.lines.filter(
      ({ level, message }) => level === "error" && !message.startsWith("config not reloaded"),
    );
    expect(failures).toEqual([]);
  }

  /** While a reload waits, and requests that nobody answers, or that are answered then. */
  async #endMidway(how: "midway" | "cut", change: Change): Promise<void> {
    const isHeld = ({ id }: Request) => this.#vendor.held.some(({ ask }) => ask === id);
    for (const request of this.#running.filter((one) => !isHeld(one))) {
      await request.asked.over;
      expectWhole(request);
    }
    this.#running = this.#running.filter(isHeld);
    this.#edit(this.#writing({ ...change, waits: true }));
    for (let turns = 0; turns < change.base * 40; turns++) await turn();
    this.#isEnding = true;
    const ending = this.#gateway.shutdown(0, how === "cut" ? 10 : 10_000);
    if (how === "midway") await this.#answerAll();
    let over = false;
    this.#reloading
      .finally(() => {
        over = true;
      })
      .catch(() => undefined);
    if (how === "cut") await ending;
    while (!over) {
      this.#witness.proceed();
      await turn();
    }
    await this.#reloading;
    await ending;
    for (const { asked } of this.#running.splice(0)) {
      await asked.over;
      expect(asked.status === 200 && asked.whole && asked.said !== undefined, asked.text).toBe(false);
      expect(asked.text).not.toContain("[DONE]");
    }
    this.#vendor.held.splice(0);
  }

  /** Nothing holds generations that have ended. */
  async #freed(): Promise<void> {
    await eventually(() => expect(this.#witness.open).toHaveLength(1));
    await eventually(() => {
      collectGarbage();
      const left = this.#generations.map((one) => one.deref()).filter((one) => one && one !== this.#gateway.generation);
      expect(left.length).toBe(0);
    }, 3_000);
  }
}
