import { expect } from "vitest";
import { eventually } from "../support/calm.ts";
import type { CacheDeployment } from "./deployment.ts";
import { vendorKey } from "./deployment.ts";
import { type Heard, hear } from "./hearing.ts";
import { CacheModel, type Prediction } from "./model.ts";
import { configOf, type Question, sent, type Tree } from "./questions.ts";
import type { Step } from "./steps.ts";
import { textOf } from "./vendor.ts";

/** What a store is done to beside being used. */
export interface Hands {
  /** So much time goes by. */
  pass(seconds: number): Promise<void>;
  /** Redis is away, and back, empty. */
  away?(): Promise<void>;
  back?(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const atFirst: Tree = {
  mode: "single",
  cache: undefined,
  leaves: [
    {
      maker: "oai",
      behaviour: "ok",
      cache: undefined,
      guards: [],
      model: undefined,
      stream: undefined,
      forwards: false,
      retries: false,
    },
  ],
};

/** A sequence of steps, and what is to come of each. */
export class CacheWalk {
  readonly #model = new CacheModel();
  readonly #deployment: CacheDeployment;
  readonly #hands: Hands;
  readonly #run: string;
  /** The config of the file. */
  #saved = atFirst;
  readonly #ids = new Set<string>();

  constructor(deployment: CacheDeployment, hands: Hands, run: string) {
    this.#deployment = deployment;
    this.#hands = hands;
    this.#run = run;
    deployment.vendor.flaky = 0;
    deployment.told.exchanges.clear();
    deployment.told.entries.clear();
  }

  /** Leaves everything as it was found. */
  async take(steps: readonly Step[]): Promise<void> {
    await this.#deployment.save(configOf(this.#saved));
    for (const [at, step] of steps.entries())
      try {
        await this.#step(step);
      } catch (error) {
        throw new Error(`Step ${at} was not as it is to be: ${JSON.stringify(step)}`, { cause: error });
      }
    if (!this.#model.available) await this.#hands.back?.();
    this.#expectNoSecrets();
  }

  async #step(step: Step): Promise<void> {
    switch (step.kind) {
      case "ask":
        return this.#ask(step.question, step.tree);
      case "burst":
        return this.#burst(step.question, step.tree);
      case "leave":
        return this.#leave(step.question, step.tree);
      case "pass":
        this.#model.pass(step.seconds);
        return this.#hands.pass(step.seconds);
      case "save":
        this.#saved = step.tree;
        return this.#deployment.save(configOf(step.tree));
      case "spoil":
        await this.#spoil();
        return this.#model.spoil();
      case "away":
        if (!this.#model.available || !this.#hands.away) return;
        await this.#hands.away();
        this.#model.available = false;
        return;
      case "back":
        if (this.#model.available) return;
        await this.#hands.back?.();
        this.#model.available = true;
        return this.#model.lose();
    }
  }

  /** Without a tree it goes by the config of the file. */
  async #ask(question: Question, tree: Tree | undefined): Promise<void> {
    const { answers } = this.#deployment.vendor;
    const before = answers.length;
    const predicted = this.#model.predict(question, tree ?? this.#saved);
    const reply = await this.#send(question, tree ? JSON.stringify(configOf(tree)) : "kept");
    await this.#deployment.rest();
    expect(reply.headers.get("x-gateway-cache-status"), reply.text).toBe(predicted.status);
    expect(answers.length - before, "calls of vendors").toBe(predicted.calls);
    const number = this.#expectReply(question, predicted, reply);
    this.#expectRecord(predicted, reply);
    if (number === undefined) return;
    if (predicted.hit) expect(predicted.hit.numbers).toContain(number);
    else expect(number).toBeGreaterThan(before);
    predicted.keep?.([number]);
  }

  /** The same at the same time: one of the answers is kept. */
  async #burst(question: Question, tree: Tree): Promise<void> {
    const predicted = this.#model.predict(question, tree);
    const config = JSON.stringify(configOf(tree));
    const replies = await Promise.all(Array.from({ length: 4 }, () => this.#send(question, config)));
    await this.#deployment.rest();
    const numbers: number[] = [];
    for (const reply of replies) {
      const status = reply.headers.get("x-gateway-cache-status");
      expect([predicted.status, ...(predicted.keep ? ["HIT"] : [])]).toContain(status);
      const number = this.#expectReply(question, predicted, reply);
      if (number !== undefined) numbers.push(number);
    }
    if (numbers.length > 0) predicted.keep?.(numbers);
  }

  /** The client leaves before all of it is there. */
  async #leave(question: Question, tree: Tree): Promise<void> {
    const { answers } = this.#deployment.vendor;
    const before = answers.length;
    const leaving = new AbortController();
    const { path, init } = sent(question, this.#run, JSON.stringify(configOf(tree)));
    const asking = fetch(this.#deployment.gateway.url + path, { ...init, signal: leaving.signal });
    const gone = asking.then((response) => response.text()).catch(() => "gone");
    await eventually(() => expect(answers.length).toBe(before + 1));
    leaving.abort();
    expect(await gone).toBe("gone");
    await this.#deployment.rest();
  }

  async #send(question: Question, config: string): Promise<Reply> {
    const { path, init } = sent(question, this.#run, config);
    const response = await fetch(this.#deployment.gateway.url + path, init);
    const { status, headers } = response;
    return { status, headers, text: await response.text().catch(() => "cut") };
  }

  /** The number of the answer, where there is one. */
  #expectReply(question: Question, predicted: Prediction, { status, text }: Reply): number | undefined {
    const { leaf, stream, doubted, whole } = predicted;
    if (!predicted.ok) {
      expect(status, text).toBeGreaterThanOrEqual(400);
      return undefined;
    }
    if (!whole && stream) {
      // A stream may be found fault with before any of it has been sent.
      if (status === 200 || status === 246)
        expect(hear(question.client, stream, text).isWhole && leaf.behaviour !== "garbled").toBe(false);
      return undefined;
    }
    const found =
      leaf.guards.includes("doubts-answer") && !predicted.keep && !predicted.hit && question.words.user.includes("odd");
    if (!found) expect(status, text).toBe(doubted ? 246 : 200);
    const heard = hear(question.client, stream, text);
    const number = Number(/n=(\d+)/.exec(heard.text)?.[1]);
    this.#expectHeard(question, predicted, heard, number, text);
    return number;
  }

  #expectHeard(question: Question, predicted: Prediction, heard: Heard, number: number, text: string): void {
    const { seen, leaf, stream, hit } = predicted;
    const answer = this.#deployment.vendor.answers[number - 1];
    // What is alike was asked in other words; a namespace stands for headers that are sent on.
    const kept = hit && answer?.seen;
    const user = (predicted.status === "SEMANTIC HIT" ? kept?.user : undefined) ?? seen.user;
    const region = question.namespace !== undefined && kept ? kept.region : seen.region;
    const said = textOf(number, { ...seen, region, user });
    const redacts = leaf.guards.includes("redacts");
    const expected = redacts ? said.replaceAll("saw=", "SAW=") : said;
    expect(heard, text).toMatchObject({ text: expected, calls: seen.tools.length > 0, isWhole: true });
    const told = question.client !== "chat" || !stream || (question.tells && question.stream);
    if (told) expect(heard.output, text).toBe(number);
    if (question.client !== "responses" || heard.id === undefined) return;
    for (const id of heard.id.split(" ")) expect(this.#ids, "ids of responses").not.toContain(id);
    for (const id of heard.id.split(" ")) this.#ids.add(id);
  }

  /** A hit bills nothing; what is recorded of the cache is what the client is told. */
  #expectRecord({ status, hit }: Prediction, { headers }: Reply): void {
    const record = this.#deployment.told.exchanges.get(headers.get("x-gateway-request-id") ?? "");
    expect(record).toBeDefined();
    if (status !== "DISABLED") expect(record?.cacheStatus ?? null).toBe(status);
    else expect(["DISABLED", undefined]).toContain(record?.cacheStatus);
    if (!hit) return;
    const last = record?.attempts.at(-1);
    expect([last?.call, record?.usage, last?.cost]).toEqual([
      undefined,
      undefined,
      { amount: "0", currency: "USD", source: "cache" },
    ]);
    if (!hit.lacks) expect(last?.avoided?.amount).toMatch(/^0\.0/);
  }

  /** Every entry is cut, of another key, of another version, or has a letter changed. */
  async #spoil(): Promise<void> {
    const { store, entries } = this.#deployment.told;
    const all = [...entries.values()];
    for (const [at, { entry, value }] of all.entries()) {
      const other = all[(at + 1) % all.length]?.value ?? value;
      const changed = Buffer.from(value);
      changed[changed.length - 5] = (changed.at(-5) ?? 0) ^ 1;
      const ways = [value.subarray(0, -1), changed, other === value ? changed : other, Buffer.from("{}")];
      await store?.set(entry, ways[at % ways.length] ?? changed, 1000);
    }
    entries.clear();
  }

  #expectNoSecrets(): void {
    for (const [name, { value }] of this.#deployment.told.entries)
      for (const text of [name, value.toString()]) expect(text).not.toContain(vendorKey);
  }
}
