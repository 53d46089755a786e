import { expect } from "vitest";

/** What stands under a name, from when it may be seen first until it may be seen last; nothing, without a version. */
interface State {
  readonly version?: number;
  readonly from: number;
  to: number;
}

interface Asked {
  readonly user: string;
  readonly name: string;
  readonly since: number;
  until: number;
  readonly status: Promise<number>;
}

export interface Expected {
  /** Of each call of a request, in their order: what the vendor is to see of a version. */
  readonly calls: (version: number) => readonly string[];
  /** Where there is nothing under the name. */
  readonly missing: number;
}

/** Before anything stands under a name. */
const nothing = (): State[] => [{ from: 0, to: Number.POSITIVE_INFINITY }];

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Changes of what stands under names, one after the other, and many who use it meanwhile. What happens is counted, not timed. */
export class Standing {
  #now = 0;
  readonly #states = new Map<string, State[]>();
  readonly #asked: Asked[] = [];
  readonly #calls = new Map<string, { readonly what: string; readonly at: number }[]>();
  readonly #held: (() => void)[] = [];
  #changing: Promise<unknown> = Promise.resolve();

  /** A call reaches the vendor; how many its request has made by then. */
  called(user: string, what: string, answer: (call: number) => void): void {
    const calls = this.#calls.get(user) ?? [];
    this.#calls.set(user, calls);
    calls.push({ what, at: this.#now++ });
    const call = calls.length;
    this.#held.push(() => answer(call));
  }

  answerOne(): void {
    this.#held.shift()?.();
  }

  ask(name: string, request: (user: string) => Promise<number>): void {
    const user = `${this.#asked.length}`;
    const since = this.#now++;
    const asked: Asked = { user, name, since, until: Number.POSITIVE_INFINITY, status: request(user) };
    void asked.status.then(() => {
      asked.until = this.#now++;
    });
    this.#asked.push(asked);
  }

  /** Waits for the change before, and does not wait for this one. */
  async change(change: () => Promise<unknown>): Promise<void> {
    await this.#changing;
    this.#changing = change();
  }

  /** Another version stands there from now on, or none; the one before may be seen until that is said. */
  async become(name: string, version: number | undefined, change: () => Promise<unknown>): Promise<void> {
    const states = this.#states.get(name) ?? nothing();
    this.#states.set(name, states);
    const before = states.at(-1);
    const to = Number.POSITIVE_INFINITY;
    states.push({ ...(version !== undefined && { version }), from: this.#now++, to });
    await change();
    if (before) before.to = this.#now++;
  }

  /** Others get on as far as they do in a few turns. */
  async goOn(): Promise<void> {
    for (let turns = 0; turns < 3; turns++) await turn();
  }

  /** Lets everybody come to an end: each has gone by one version, and by one that was there. */
  async finish({ calls, missing }: Expected): Promise<void> {
    await this.#changing;
    let isOver = false;
    const over = Promise.all(this.#asked.map(({ status }) => status)).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      for (const answer of this.#held.splice(0)) answer();
      await turn();
    }
    await over;
    for (const { user, name, since, until, status } of this.#asked) {
      const made = this.#calls.get(user) ?? [];
      // Who is called by nobody is known to be when it is answered.
      const decided = made[0]?.at ?? until;
      const states = this.#states.get(name) ?? nothing();
      const seen = states.filter(({ from, to }) => from <= decided && to >= since);
      const foreseen = seen.map(({ version }) => (version === undefined ? [missing] : [200, ...calls(version)]));
      expect(foreseen).toContainEqual([await status, ...made.map(({ what }) => what)]);
    }
  }
}

const said = { index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" };
export const chatAnswer = (model: string) => ({
  ...{ id: "c", object: "chat.completion", created: 1, model },
  choices: [said],
});
