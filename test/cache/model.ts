import { type CacheField, type Guard, type Leaf, type Question, slugOf, type Tree, workspaces } from "./questions.ts";
import type { Seen } from "./vendor.ts";
import type { Words } from "./wire.ts";

/** An answer that is kept. */
export interface Entry {
  /** The numbers of the vendor's answers, of which it is one. */
  readonly numbers: readonly number[];
  readonly expiresAt: number;
  /** Nobody asked its vendor for the usage. */
  readonly lacks: boolean;
}

/** What comes of a question. */
export interface Prediction {
  /** Calls of vendors that are awaited, and those beside them. */
  readonly calls: number;
  readonly ok: boolean;
  /** The answer is there whole: of what broke off in the middle it is not. */
  readonly whole: boolean;
  readonly status: string | null;
  readonly hit: Entry | undefined;
  readonly leaf: Leaf;
  readonly stream: boolean;
  /** 246: a check before has found something. */
  readonly doubted: boolean;
  /** What the vendor saw, or would have. */
  readonly seen: Seen;
  /** Called with the number of the answer, where it is to be kept. */
  readonly keep: ((numbers: readonly number[]) => void) | undefined;
}

interface Remembered {
  readonly angle: number;
  readonly expiresAt: number;
}

const longest = 7_776_000;
const usual = 604_800;
const ageOf = (field: CacheField): number =>
  typeof field === "string" ? usual : Math.min(longest, Math.max(60, field.max_age));
const modeOf = (field: CacheField): string => (typeof field === "string" ? field : field.mode);

const isAfter = (guard: Guard): boolean => guard === "redacts" || guard.endsWith("-answer");

/** A cache as routing-config.md section 10 has it, as simply as it can be said. */
export class CacheModel {
  now = 0;
  /** The store is there. */
  available = true;
  /** Calls of vendors that fail every other time. */
  flaky = 0;
  readonly #entries = new Map<string, Entry>();
  readonly #spaces = new Map<string, Map<string, Remembered>>();

  pass(seconds: number): void {
    this.now += seconds * 1000;
  }

  /** Nothing that is there can be read. */
  spoil(): void {
    this.#entries.clear();
  }

  /** The store is empty. */
  lose(): void {
    this.#entries.clear();
    this.#spaces.clear();
  }

  predict(question: Question, tree: Tree): Prediction {
    const [first, ...others] = tree.leaves as [Leaf, ...Leaf[]];
    const beside = tree.mode === "shadow" ? 1 : 0;
    let found = this.#leaf(question, first, tree.cache);
    if (beside === 0)
      for (const leaf of others) {
        if (found.ok) break;
        const next = this.#leaf(question, leaf, tree.cache);
        found = { ...next, calls: found.calls + next.calls };
      }
    return { ...found, calls: found.calls + beside };
  }

  #leaf(question: Question, leaf: Leaf, inherited: CacheField | undefined): Prediction {
    const { words, changed, denied, doubted } = before(question, leaf);
    const stream = leaf.stream ?? question.stream;
    const { region } = question;
    const seen: Seen = { at: slugOf(leaf), region: leaf.forwards ? region : undefined, ...words };
    const common = { leaf, stream, doubted, seen, hit: undefined, keep: undefined };
    if (denied) return { ...common, calls: 0, ok: false, whole: false, status: null };
    const field = leaf.cache ?? inherited;
    const looked = field && this.available ? this.#look(question, leaf, words, changed, field, stream) : undefined;
    const status = looked?.status ?? "DISABLED";
    if (looked?.hit) return { ...common, calls: 0, ok: true, whole: true, status, hit: looked.hit };
    const called = this.#call(leaf, words, stream);
    return { ...common, ...called, status, keep: called.kept ? looked?.keep : undefined };
  }

  /** How a vendor takes it, with retries, and what checks say of its answer. */
  #call(leaf: Leaf, words: Words, stream: boolean) {
    const { behaviour, guards, retries } = leaf;
    const failed = { ok: false, whole: false, kept: false };
    if (behaviour === "fail") return { ...failed, calls: retries ? 3 : 1 };
    if (behaviour === "flaky" && this.flaky++ % 2 === 0) {
      if (!retries) return { ...failed, calls: 1 };
      this.flaky++;
      return { ...after(guards, words), calls: 2 };
    }
    if (behaviour === "babble" || behaviour === "failed") return { ...failed, calls: 1 };
    if (behaviour === "cut" || behaviour === "garbled") return { ...failed, ok: stream, calls: 1 };
    return { ...after(guards, words), calls: 1 };
  }

  #look(question: Question, leaf: Leaf, words: Words, changed: boolean, field: CacheField, stream: boolean) {
    const { client, tells, refresh } = question;
    const surroundings = [
      workspaces[question.who],
      client,
      slugOf(leaf),
      changed,
      leaf.guards.filter(isAfter),
      question.namespace ?? [question.plan, question.lenient, leaf.forwards ? question.region : undefined],
    ];
    const key = JSON.stringify([...surroundings, words]);
    const told = client !== "chat" || !stream || (tells && question.stream);
    const lacks = !told && leaf.maker === "oai";
    const meant = modeOf(field) === "semantic" && client === "chat";
    const space = meant ? JSON.stringify([...surroundings, { ...words, user: "" }]) : undefined;
    const angle = Number.parseFloat(words.user);
    const keep = (numbers: readonly number[]) => {
      const expiresAt = this.now + ageOf(field) * 1000;
      if (leaf.behaviour === "long") this.#entries.delete(key);
      else this.#entries.set(key, { numbers, expiresAt, lacks });
      if (space === undefined) return;
      if (refresh)
        for (const like of this.#alike(space, angle)) {
          if (like === key) continue;
          this.#spaces.get(space)?.delete(like);
          this.#entries.delete(like);
        }
      const remembered = this.#spaces.get(space) ?? new Map<string, Remembered>();
      this.#spaces.set(space, remembered.set(key, { angle, expiresAt }));
    };
    if (refresh) return { status: "REFRESH", keep };
    const hit = this.#entry(key);
    if (hit && !(hit.lacks && told)) return { status: "HIT", hit };
    if (space === undefined) return { status: "MISS", keep };
    for (const like of this.#alike(space, angle)) {
      const near = this.#entry(like);
      if (near && !(near.lacks && told)) return { status: "SEMANTIC HIT", hit: near };
    }
    return { status: "SEMANTIC MISS", keep };
  }

  #entry(key: string): Entry | undefined {
    const found = this.#entries.get(key);
    return found && found.expiresAt > this.now ? found : undefined;
  }

  /** Keys of answers to questions in about the same direction, the nearest first. */
  #alike(space: string, angle: number): string[] {
    const apart = ({ angle: other }: Remembered) => Math.abs(angle - other);
    return [...(this.#spaces.get(space) ?? [])]
      .filter(([, one]) => one.expiresAt > this.now && Math.cos((apart(one) * Math.PI) / 180) >= 0.95)
      .sort(([, one], [, other]) => apart(one) - apart(other))
      .map(([key]) => key);
  }
}

/** What is made of a question before it is asked. */
function before({ words }: Question, { guards, model }: Leaf) {
  const user = guards.includes("masks") ? words.user.replaceAll("secret", "[x]") : words.user;
  return {
    words: { ...words, user, ...(model !== undefined && { model }) },
    changed: user !== words.user,
    denied: guards.includes("denies") && words.user.includes("forbidden"),
    doubted: guards.includes("doubts") && words.user.includes("odd"),
  };
}

/** What checks make of an answer, which says what was asked. */
function after(guards: readonly Guard[], { user }: Words) {
  const has = (guard: Guard, word: string) => guards.includes(guard) && user.includes(word);
  if (has("denies-answer", "bad")) return { ok: false, whole: false, kept: false };
  return { ok: true, whole: true, kept: !has("doubts-answer", "odd") };
}
