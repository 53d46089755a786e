import type { ServerResponse } from "node:http";
import fc from "fast-check";
import { expect, it } from "vitest";
import { chance } from "../support/chance.ts";
import { type Answered, type Caller, startManagement } from "../support/management.ts";
import { json, startUpstream } from "../support/upstream.ts";

const steps = fc.array(
  fc.constantFrom("ask", "ask", "ask", "answer", "answer", "edit", "edit", "archive", "remove", "settle"),
  {
    minLength: 10,
    maxLength: 40,
    size: "max",
  },
);

/** What stands under the name, from when it may be seen first until it may be seen last. */
interface State {
  /** Absent: nothing. */
  readonly version?: number;
  readonly from: number;
  to: number;
}

interface Asked {
  readonly id: number;
  readonly slug: string;
  readonly since: number;
  readonly answer: Promise<Answered>;
}

/** One who changes a config, and many who use it meanwhile. What happens is counted, not timed. */
class Editing {
  readonly #own: Caller;
  readonly #held: (() => void)[];
  readonly #asked: Asked[] = [];
  readonly #states = new Map<string, State[]>();
  /** When it was plain by what a request goes. */
  readonly #decided = new Map<number, number>();
  #slug = "";
  #version = 0;
  #now = 0;
  #ids = 0;
  #changing: Promise<unknown> = Promise.resolve();

  constructor(own: Caller, held: (() => void)[]) {
    this.#own = own;
    this.#held = held;
  }

  async take(step: string): Promise<void> {
    if (step === "ask") this.#ask();
    else if (step === "answer") this.#held.shift()?.();
    else if (step === "settle") await this.#changing;
    else await this.#change(step);
    // Others get on as far as they do in a few turns.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  /** One change at a time; whoever asks meanwhile may see either. */
  async #change(step: string): Promise<void> {
    await this.#changing;
    const states = this.#states.get(this.#slug) ?? [];
    const isGone = states.at(-1)?.version === undefined;
    if (states.length === 0) return this.make();
    const version = step === "edit" ? ++this.#version : undefined;
    if (step === "remove") {
      this.#changing = this.#changed(states, undefined, () => this.#own("DELETE", `/configs/${this.#slug}`)).then(() =>
        this.make(),
      );
      return;
    }
    if (step === "archive" && isGone) return;
    const body = step === "edit" ? { config: written(this.#version), status: "active" } : { status: "archived" };
    this.#changing = this.#changed(states, version, () => this.#own("PUT", `/configs/${this.#slug}`, body));
  }

  async #changed(states: State[], version: number | undefined, change: () => Promise<Answered>): Promise<void> {
    const from = this.#now++;
    const before = states.at(-1);
    states.push({ ...(version !== undefined && { version }), from, to: Number.POSITIVE_INFINITY });
    expect((await change()).status).toBe(200);
    if (before) before.to = this.#now++;
  }

  async make(): Promise<void> {
    const version = ++this.#version;
    const { body } = await this.#own("POST", "/configs", { name: "Edited", config: written(version) });
    this.#slug = body.data.slug;
    this.#states.set(this.#slug, [{ version, from: this.#now++, to: Number.POSITIVE_INFINITY }]);
  }

  decided(id: number): void {
    if (!this.#decided.has(id)) this.#decided.set(id, this.#now++);
  }

  #ask(): void {
    const id = this.#ids++;
    const body = { model: "m", user: `${id}`, messages: [{ role: "user", content: "Hi" }] };
    const answer = this.#own("POST", "/chat/completions", body, { "x-gateway-config": this.#slug });
    // Who is called by nobody is known to be when it is answered.
    void answer.then(() => this.decided(id));
    this.#asked.push({ id, slug: this.#slug, since: this.#now++, answer });
  }

  /** Lets everybody come to an end; `models` are those the vendor was asked for, by requests. */
  async finish(models: ReadonlyMap<string, readonly string[]>): Promise<void> {
    let isOver = false;
    const all = Promise.all(this.#asked.map(({ answer }) => answer)).finally(() => {
      isOver = true;
    });
    await this.#changing;
    while (!isOver) {
      for (const answer of this.#held.splice(0)) answer();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await all;
    for (const asked of this.#asked) await this.#expectOne(asked, models.get(`${asked.id}`) ?? []);
  }

  async #expectOne({ id, slug, since, answer }: Asked, models: readonly string[]): Promise<void> {
    const { status, body } = await answer;
    const until = this.#decided.get(id) ?? since;
    const seen = (this.#states.get(slug) ?? []).filter(({ from, to }) => from <= until && to >= since);
    const foreseen = seen.map(({ version }) =>
      version === undefined ? [400] : [200, `${version} first`, `${version} second`, `${version} third`],
    );
    expect(foreseen, JSON.stringify(body)).toContainEqual([status, ...models]);
  }
}

/** Of which two targets fail, so that all of it is seen. */
const written = (version: number) => ({
  strategy: { mode: "fallback" },
  targets: [
    { provider: "@vendor", override_params: { model: `${version} first` } },
    {
      strategy: { mode: "fallback" },
      override_params: { model: `${version} second` },
      targets: [{ provider: "@vendor" }, { provider: "@vendor", override_params: { model: `${version} third` } }],
    },
  ],
});

it("a request goes by one version of a saved config, and by one that was there, whatever is done to it meanwhile", async () => {
  const held: (() => void)[] = [];
  const models = new Map<string, string[]>();
  let editing: Editing | undefined;
  const answerTo = (response: ServerResponse, model: string) =>
    model.endsWith("third")
      ? json(response, 200, { id: "c", object: "chat.completion", created: 1, model, choices: [said] })
      : json(response, 500, { error: { message: "No." } });
  const upstream = await startUpstream(({ body }, response) => {
    const { model, user } = JSON.parse(body.toString()) as { readonly model: string; readonly user: string };
    editing?.decided(Number(user));
    models.set(user, [...(models.get(user) ?? []), model]);
    held.push(() => answerTo(response, model));
  });
  const plugins = { routing: {}, "strategy-fallback": {}, "format-openai-chat": {}, configs: {} };
  const providers = { vendor: { use: "openai", apiKey: "vendor-key-0123456789", baseUrl: upstream.url } };
  const management = await startManagement(plugins, { providers });
  const own = management.as({ workspace: management.workspace.id });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      models.clear();
      editing = new Editing(own, held);
      await editing.make();
      for (const step of all) await editing.take(step);
      await editing.finish(models);
    }),
    chance(15),
  );
});

const said = { index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" };
