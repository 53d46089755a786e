import { GivenUp, ModelClock, Token } from "./model-clock.ts";
import type { Behaviour, Group, Leaf, Tree } from "./race-trees.ts";

/** One call, as it is to be seen by the vendor and told in the trace. */
export interface Called {
  readonly path: string;
  readonly number: number;
  readonly retry: boolean;
  readonly from: number;
  /** When the vendor was through, or left. */
  to: number;
  whole: boolean;
  status: number | "given up";
}

/** What became of a target. */
export interface Ended {
  readonly call: Called;
  readonly behaviour: Behaviour;
  readonly status: number;
  readonly retries: number;
}

/** Where a walk is. */
interface Around {
  /** The calls of this exchange: a copy of a request is one of its own. */
  readonly calls: Called[];
  readonly token: Token;
  /** Told when a target is about to be asked again. */
  readonly again?: () => void;
  readonly alternatives: boolean;
  /** Whether a stream that breaks off is a failure like any other, though the client has seen some of it. */
  readonly resumes: boolean;
}

export interface Predicted {
  readonly calls: readonly Called[];
  /** Absent where the client has left. */
  readonly ended?: Ended;
  /** When the client has all of its answer. */
  readonly at: number;
  /** Of streams that may begin anew: those the client was shown, each in place of the one before. */
  readonly shown: readonly Called[];
  /** The calls of each copy. */
  readonly copies: readonly (readonly Called[])[];
  readonly isClose: boolean;
}

const isOk = ({ status }: Pick<Ended, "status">): boolean => status >= 200 && status <= 299;
const retried = [429, 500, 502, 503, 504, 529];

/** Walks strategies whose targets run side by side, as naively as their READMEs word them. */
export class RaceModel {
  readonly #clock = new ModelClock();
  readonly #isStreamed: boolean;
  readonly #resumes: boolean;
  readonly #shown: Called[] = [];
  readonly #copies: Called[][] = [];
  readonly #made = new Map<Leaf, number>();

  constructor(isStreamed: boolean, resumes: boolean) {
    this.#isStreamed = isStreamed;
    this.#resumes = isStreamed && resumes;
  }

  async predict(tree: Tree, leavesAfter: number | undefined): Promise<Predicted> {
    const calls: Called[] = [];
    const token = new Token();
    const leaving = new Token();
    let ended: Ended | undefined;
    let at = 0;
    const walked = this.#walk(tree, calls, token)
      .then((end) => {
        ended = end;
      })
      .catch(only(GivenUp))
      .then(() => {
        at = this.#clock.now;
        leaving.giveUp();
      });
    if (leavesAfter !== undefined)
      void this.#clock.sleep(leavesAfter, leaving).then(() => token.giveUp(), only(GivenUp));
    await this.#clock.run();
    await walked;
    return {
      calls,
      ...(ended && { ended }),
      at,
      shown: this.#shown,
      copies: this.#copies,
      isClose: this.#clock.isClose,
    };
  }

  /** To the end of the answer. */
  async #walk(tree: Tree, calls: Called[], token: Token): Promise<Ended> {
    const ended = await this.#visit(tree, "config", { calls, token, alternatives: false, resumes: this.#resumes });
    if (!this.#isStreamed || this.#resumes || !isOk(ended)) return ended;
    const { call, behaviour } = ended;
    try {
      await this.#clock.sleep(behaviour.tail, token);
    } catch (error) {
      call.to = this.#clock.now;
      throw error;
    }
    call.to = this.#clock.now;
    if (behaviour.kind === "cut") call.status = 500;
    else call.whole = true;
    return ended;
  }

  #visit(tree: Tree, path: string, around: Around): Promise<Ended> {
    if (tree.kind === "leaf") return this.#leaf(tree, path, around);
    switch (tree.kind) {
      case "single":
        return this.#child(tree, 0, path, around);
      case "fallback":
        return this.#fallback(tree, path, around);
      case "hedge":
        return this.#race(tree, path, around);
      case "shadow":
        for (const at of tree.targets.keys()) if (at > 0) this.#copy(tree, at, path, around);
        return this.#child(tree, 0, path, around);
    }
  }

  #child({ targets }: Group, at: number, path: string, around: Around): Promise<Ended> {
    return this.#visit(targets[at] as Tree, `${path}.targets[${at}]`, around);
  }

  async #fallback(tree: Group, path: string, around: Around): Promise<Ended> {
    const last = tree.targets.length - 1;
    for (let at = 0; at < last; at++) {
      const ended = await this.#child(tree, at, path, { ...around, alternatives: true });
      if (isOk(ended)) return ended;
    }
    return this.#child(tree, last, path, around);
  }

  /** Its answer is read to its end, and nobody's. */
  #copy(tree: Group, at: number, path: string, { alternatives }: Around): void {
    const calls: Called[] = [];
    this.#copies.push(calls);
    const walk = async () => {
      const ended = await this.#child(tree, at, path, { calls, token: new Token(), alternatives, resumes: false });
      if (!this.#isStreamed || !isOk(ended)) return;
      await this.#clock.sleep(ended.behaviour.tail, new Token());
      ended.call.to = this.#clock.now;
      if (ended.behaviour.kind === "cut") ended.call.status = 500;
      else ended.call.whole = true;
    };
    void walk();
  }

  #race(tree: Group, path: string, around: Around): Promise<Ended> {
    const { targets, delay } = tree;
    const race = around.token.part();
    const waiting = [...targets.keys()].slice(1);
    let running = 0;
    return new Promise((resolve, reject) => {
      around.token.whenOver(() => reject(new GivenUp()));
      const next = () => begin(waiting[0]);
      const alternatives = around.alternatives || targets.length > 1;
      const run = (at: number) => {
        running++;
        void this.#child(tree, at, path, {
          calls: around.calls,
          token: race.part(),
          again: next,
          alternatives,
          resumes: false,
        })
          .then((ended) => {
            running--;
            if (race.isOver) return;
            if (isOk(ended) || (running === 0 && waiting.length === 0)) {
              race.giveUp();
              return resolve(ended);
            }
            next();
          })
          .catch(only(GivenUp));
      };
      const begin = (at: number | undefined) => {
        if (at === undefined || race.isOver || !waiting.includes(at)) return;
        waiting.splice(waiting.indexOf(at), 1);
        run(at);
      };
      for (const at of [...waiting]) void this.#clock.sleep(delay * at, race).then(() => begin(at), only(GivenUp));
      run(0);
    });
  }

  async #leaf(leaf: Leaf, path: string, around: Around): Promise<Ended> {
    const { retries } = leaf;
    for (let made = 0; ; made++) {
      const { ended, isSilent } = await this.#call(leaf, path, made > 0, around);
      const isOver = !retried.includes(ended.status) || (isSilent && around.alternatives);
      if (isOver || !retries) return { ...ended, retries: made };
      if (made === retries) return { ...ended, retries: -1 };
      around.again?.();
      await this.#clock.sleep(1000 * 2 ** made, around.token);
    }
  }

  async #call(leaf: Leaf, path: string, retry: boolean, { calls, token, resumes }: Around) {
    const number = this.#made.get(leaf) ?? 0;
    this.#made.set(leaf, number + 1);
    const behaviour = leaf.script[number % leaf.script.length] as Behaviour;
    const call: Called = { path, number, retry, from: this.#clock.now, to: 0, whole: false, status: "given up" };
    calls.push(call);
    const { status, lasts } = this.#fate(leaf, behaviour);
    try {
      await this.#clock.sleep(lasts, token);
      call.status = status;
    } finally {
      call.to = this.#clock.now;
    }
    const begun = this.#isStreamed && status === 200;
    if (begun && resumes) return { ended: await this.#toItsEnd(call, behaviour, token), isSilent: false };
    call.whole = !begun && (status === 200 || (behaviour.kind === "refuses" && status === behaviour.status));
    return { ended: { call, behaviour, status, retries: 0 }, isSilent: status === 408 };
  }

  /** A stream that is shown, and has an outcome only when it is over. */
  async #toItsEnd(call: Called, behaviour: Behaviour, token: Token): Promise<Ended> {
    this.#shown.push(call);
    try {
      await this.#clock.sleep(behaviour.tail, token);
    } finally {
      call.to = this.#clock.now;
    }
    if (behaviour.kind === "cut") call.status = 500;
    else call.whole = true;
    return { call, behaviour, status: Number(call.status), retries: 0 };
  }

  /** What a call comes to while its client has nothing of it, and after how long. */
  #fate(leaf: Leaf, { kind, status, after, tail }: Behaviour): { status: number; lasts: number } {
    const isCut = kind === "cut" && !this.#isStreamed;
    const needs = kind === "silent" ? Number.POSITIVE_INFINITY : isCut ? after + tail : after;
    const { timeout = 300_000, firstToken = 300_000 } = leaf;
    const patience = this.#isStreamed ? Math.min(timeout, firstToken) : timeout;
    if (needs > patience) return { status: 408, lasts: patience };
    if (kind === "reset" || isCut) return { status: 500, lasts: needs };
    return { status: kind === "refuses" ? status : 200, lasts: needs };
  }
}

/** What may be thrown; anything else is a mistake of the model's. */
const only =
  (expected: new () => Error) =>
  (error: unknown): void => {
    if (!(error instanceof expected)) throw error;
  };
