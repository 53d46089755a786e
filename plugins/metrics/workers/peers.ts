import { type WorkersChannel, workerEnded } from "../../../core/index.ts";
import type { Counted } from "../registry/family.ts";

/** What a worker has counted, and how it is. */
export interface Report {
  readonly counted: readonly Counted[];
  readonly runtime: readonly Counted[];
}

/** What became of asking all workers. */
export interface Gathered {
  /** What the others counted: as far as they answered by now, else what they last said; of those that ended, too. */
  readonly counted: readonly (readonly Counted[])[];
  readonly runtime: readonly (readonly Counted[])[];
  /** Every other worker that runs, and whether it did not answer. */
  readonly others: readonly { readonly worker: number; readonly missing: boolean }[];
}

/** The last a worker said of what it counted. `serial` grows with each answer of it. */
interface Said {
  readonly serial: number;
  readonly counted: readonly Counted[];
}

type Message =
  | { readonly kind: "here" | "ask"; readonly from: number; readonly question?: number }
  | {
      readonly kind: "answer";
      readonly from: number;
      readonly question: number;
      readonly said: Said;
      readonly runtime: readonly Counted[];
      /** Workers that ended, with the last they said. */
      readonly gone: readonly (readonly [worker: number, said: Said])[];
    };

const topic = "metrics";

/** Workers that ended are remembered up to so many: sums would shrink without them, which looks like a restart. */
const mostGone = 64;

export interface PeerParts {
  readonly channel: WorkersChannel;
  readonly self: number;
  /** Milliseconds others may take to answer. */
  readonly deadline: number;
  readonly report: () => Promise<Report>;
}

interface Question {
  readonly waiting: Set<number>;
  readonly runtime: (readonly Counted[])[];
  readonly answered: () => void;
}

/** The other workers of this machine, as far as one of them knows. It listens until the process ends. */
export class Peers {
  readonly #parts: PeerParts;
  readonly #living = new Set<number>();
  readonly #said = new Map<number, Said>();
  readonly #gone = new Set<number>();
  readonly #questions = new Map<number, Question>();
  #serial = 0;
  #asked = 0;

  constructor(parts: PeerParts) {
    this.#parts = parts;
    const { channel, self } = parts;
    channel.listen(topic, (message) => void this.#heard(message as Message));
    channel.listen(workerEnded, (worker) => this.#ended(Number(worker)));
    // Whoever is there says so in return: of two workers that begin at once, the later one is heard by the other.
    this.#send({ kind: "here", from: self });
  }

  async gather(): Promise<Gathered> {
    const waiting = new Set(this.#living);
    const asked = [...waiting];
    const runtime: (readonly Counted[])[] = [];
    if (waiting.size > 0) await this.#ask(waiting, runtime);
    return {
      counted: [...this.#said.values()].map(({ counted }) => counted),
      runtime,
      others: asked
        .filter((worker) => this.#living.has(worker))
        .map((worker) => ({ worker, missing: waiting.has(worker) })),
    };
  }

  #ask(waiting: Set<number>, runtime: Question["runtime"]): Promise<void> {
    const question = ++this.#asked;
    return new Promise((resolve) => {
      const answered = () => {
        clearTimeout(timer);
        this.#questions.delete(question);
        resolve();
      };
      const timer = setTimeout(answered, this.#parts.deadline);
      this.#questions.set(question, { waiting, runtime, answered });
      this.#send({ kind: "ask", from: this.#parts.self, question });
    });
  }

  async #heard(message: Message): Promise<void> {
    const { from } = message;
    if (message.kind === "answer") return this.#learn(message);
    const isNew = !this.#living.has(from);
    this.#living.add(from);
    if (isNew && message.kind === "here") this.#send({ kind: "here", from: this.#parts.self }, from);
    if (message.kind === "ask") await this.#answer(from, message.question ?? 0);
  }

  async #answer(to: number, question: number): Promise<void> {
    const { counted, runtime } = await this.#parts.report();
    const said = { serial: ++this.#serial, counted };
    const gone = [...this.#gone].flatMap((worker) => {
      const last = this.#said.get(worker);
      return last ? [[worker, last] as const] : [];
    });
    this.#send({ kind: "answer", from: this.#parts.self, question, said, runtime, gone }, to);
  }

  #learn({ from, question, said, runtime, gone }: Message & { kind: "answer" }): void {
    this.#keep(from, said);
    for (const [worker, last] of gone) {
      this.#keep(worker, last);
      this.#forgetLiving(worker);
    }
    const asked = this.#questions.get(question);
    if (!asked?.waiting.delete(from)) return;
    asked.runtime.push(runtime);
    if (asked.waiting.size === 0) asked.answered();
  }

  #keep(worker: number, said: Said): void {
    if ((this.#said.get(worker)?.serial ?? 0) < said.serial) this.#said.set(worker, said);
  }

  /** Nobody waits for it any more. */
  #ended(worker: number): void {
    this.#forgetLiving(worker);
    for (const { waiting, answered } of this.#questions.values())
      if (waiting.delete(worker) && waiting.size === 0) answered();
  }

  #forgetLiving(worker: number): void {
    this.#living.delete(worker);
    this.#gone.add(worker);
    const [oldest] = this.#gone;
    if (this.#gone.size <= mostGone || oldest === undefined) return;
    this.#gone.delete(oldest);
    this.#said.delete(oldest);
  }

  #send(message: Message, to?: number): void {
    this.#parts.channel.send(topic, message, to);
  }
}
