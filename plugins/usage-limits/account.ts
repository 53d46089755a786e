import { endOfPeriod, type Settlement } from "../../core/index.ts";
import { largest } from "./amounts.ts";
import type { Budget } from "./budgets.ts";
import { afterMoved, epochOf, laterOf, resetOf } from "./epochs.ts";
import type { JudgedBy, KeptAccount, Untold } from "./kept-account.ts";
import { type EditedPeriod, endsAlike, ruleOf } from "./kept-period.ts";
import { accountId, keyIn, nameOf } from "./names.ts";

/** What a counter that may be lost says. */
interface Doubt {
  readonly total: bigint;
  /** What was known, with an amount on top that was told since. */
  readonly atLeast?: bigint;
  /** That amount, where it comes on top of all there was to be said before. */
  readonly more?: bigint;
  /** It said less than that. */
  readonly saidLess?: boolean;
}

/** What has been used of a budget, as this process knows it. */
export class Account {
  /** What it is found by. */
  readonly name: string;
  readonly group: string;
  readonly base: string;
  /** What is limited belongs to it: a policy says so itself, everything else is of the first workspace that asks. */
  workspace: string | undefined;
  /** Of its record. */
  readonly id: string;
  /** As it stood when it was last asked for: limits may change any time. */
  budget: Budget;
  /** The last edit of its period that was told of. */
  edited: EditedPeriod | undefined;
  /** When it was reset by hand, as its record says. */
  resetAt = "";
  /** Names the period, and the reset before it: as it began, also where an edit has moved its end since. */
  epoch = "";
  /** The last name of a period that its record was to have; whether it has it, the record says. */
  triedName = "";
  /** Names its counter. */
  key: string;
  /** Which period of this process's it is: what began in another one is not of it. */
  term = 0;
  /** When the period ends, Unix milliseconds. */
  endsAt: number | undefined;
  /** The most the counters have said. Within a period they never say less, unless they were lost. */
  known = 0n;
  /** What they have not been told yet, and what is on its way to them. */
  unsent = 0n;
  sent = 0n;
  /** What of it they may have, and have not said so: it is told again, and known from then on. */
  late = 0n;
  /** What this process has told the counter of this name. */
  told = 0n;
  /** What they have to say at least, for all that was told to them. */
  atLeast = 0n;
  /** What its record last said that the counters were told of the period. */
  kept = 0n;
  /** What it says besides, that they were not told: processes that have ended left it. */
  left = 0n;
  /** The same of this process, which ends. */
  leaves: Untold | undefined;
  /** Its record as it was last read or written; whether somebody else has written meanwhile, the next write shows. */
  record: KeptAccount | undefined;
  /** Unix milliseconds of its last use. */
  usedAt = 0;
  /** Its counter may be lost: it has to be compared with the record. */
  doubtful = false;
  /** It said less than it had said before: it is lost, or a replica was behind. */
  saidLess = false;
  /** Its counter was there: one that has no mark any more was lost since, or its mark was. */
  isMarked = false;
  /** It was let go, as nobody had used it for long: whoever still has it is late. */
  isForgotten = false;
  /** This process has made room in it: it was hard, whatever it is by now. */
  hasHeld = false;
  /** A period has ended, or has another end, or its limits were lowered, and its record may not say so yet. */
  renewed = false;
  /** As it was last asked for with; `budget` may be what others go by. */
  #own: Budget;
  /** The latest that is known of how it is to be judged: its periods end by that, whoever asks for it with what was before. */
  #latest: Pick<Budget, "version" | "period">;
  /** What the names of later periods say besides their ends. */
  #after = "";
  /** The last reset of all: requests that began before one still come with what was known of the budget then. */
  #lastReset = "";
  /** When it was last seen to what period it is in, and what it knew of resets then. */
  #lookedAt = Number.POSITIVE_INFINITY;
  #lookedReset = "";

  constructor(group: string, budget: Budget, caller?: string) {
    this.name = nameOf(group, budget.base);
    this.key = keyIn(budget, "");
    this.group = group;
    this.workspace = budget.policy ? budget.policy.workspace : caller;
    this.base = budget.base;
    this.id = accountId(budget.base);
    this.budget = budget;
    this.#own = budget;
    this.#latest = budget;
  }

  /** Whether it is judged by what it is asked for with, and not by what only others have. */
  get isJudgedByOwn(): boolean {
    return (this.#own.version ?? 0) >= (this.budget.version ?? 0);
  }

  /** Whether everybody calls its period so, or nobody can be told. */
  get isNamed(): boolean {
    return this.record?.document.epoch === this.epoch || this.triedName === this.epoch;
  }

  get total(): bigint {
    return largest(this.known, this.atLeast) + this.unsent + this.sent + this.left;
  }

  /** The last reset by hand that it knows of: its record says so, or the thing it belongs to. */
  get lastReset(): string {
    return laterOf(this.#lastReset, this.resetAt);
  }

  get onStoreError(): Budget["onStoreError"] {
    return this.budget.onStoreError;
  }

  /** When its counter may be forgotten: a while after the period, so that what is late finds it. */
  get expiresAt(): number {
    return this.endsAt === undefined ? Number.POSITIVE_INFINITY : this.endsAt + day;
  }

  isOver(now: number): boolean {
    return this.endsAt !== undefined && this.endsAt <= now;
  }

  /**
   * Begins a new period where one has begun; what was used in the one before does not count any more. A period whose end
   * was moved goes on, and what was used in it stays used (policies.md section 8.3). True where limits were lowered: what is
   * used may be beyond them.
   */
  turn(budget: Budget, now: number): boolean {
    if (budget === this.budget && this.#goesOn(now)) return false;
    if (budget !== this.budget) this.#own = budget;
    // Who asks with limits that are over by now lowers nothing.
    const isOver = (budget.version ?? 0) < (this.#latest.version ?? 0);
    const lowered = !isOver && isStricter(budget, this.budget);
    this.renewed ||= lowered;
    this.#begin(budget, now);
    return lowered;
  }

  /** Learns of an edit of its period before anybody asks for it: what was used goes on to another end. */
  learnPeriod(edited: EditedPeriod, now: number): void {
    if (edited.setAt <= (this.edited?.setAt ?? "")) return;
    this.edited = edited;
    const period = ruleOf(edited);
    this.#latest = { version: this.#latest.version, period };
    this.turn({ ...this.budget, period }, now);
  }

  /** Whether somebody else goes by a later period: a file was loaded anew. */
  isBehind({ version, period }: JudgedBy, now: number): boolean {
    const { version: known, period: own } = this.#latest;
    return known !== undefined && version > known && period !== undefined && !endsAlike(ruleOf(period), own, now);
  }

  /**
   * Learns limits that somebody else knows of already: alerts are told by those there are now, until it is asked for with others,
   * and periods end as theirs say.
   */
  learnLimits(judged: JudgedBy, now: number): void {
    const { version, limit, alert } = judged;
    if (version <= (this.budget.version ?? version)) return;
    const isBehind = this.isBehind(judged, now);
    const period = judged.period ? ruleOf(judged.period) : this.budget.period;
    const limits = { limit: BigInt(limit), alert: alert === null ? undefined : BigInt(alert) };
    this.budget = { ...this.budget, ...limits, version, period };
    if (isBehind) this.#begin(this.budget, now);
  }

  /** Nobody goes by limits of that version any more: it is judged by what it is asked for with, where it went by those. */
  unlearnLimits(version: number, now: number): void {
    if (this.#latest.version !== version || (this.#own.version ?? 0) >= version) return;
    this.#latest = this.#own;
    this.#begin(this.#own, now);
  }

  /** Others call the period it is in so: what this process has told a counter of another name is told again. */
  adopt(epoch: string): void {
    if (epoch === this.epoch) return;
    this.unsent += this.told;
    this.#call(epoch);
  }

  /**
   * The period of its record is over: this one, or one after it, would be called so again where an edit had moved its end.
   * What was counted under such a name is nobody's. A name under which something is counted here stays.
   */
  follow(epoch: string, end: string): void {
    this.#after = laterOf(this.#after, afterMoved(epoch, Date.parse(end)));
    if (this.known + this.unsent + this.sent + this.told > 0n) return;
    const name = this.#nameOf(this.edited?.setAt);
    const own = name === epoch ? this.#nameOf(end) : name;
    if (own !== this.epoch) this.#call(own);
  }

  /**
   * Its counter may be lost, and has to be compared: until then so much was used as it says, and as was known with each
   * amount that was told since on top. What it says is not known: one that began empty has only what came to it since.
   */
  doubt({ total, atLeast = 0n, more = 0n, saidLess = false }: Doubt): void {
    this.atLeast = largest(largest(total, atLeast), this.atLeast + more);
    this.doubtful = true;
    this.saidLess ||= saidLess;
  }

  /** Its counter says so much. Whether that is all of it is not known while it may owe an answer. */
  hear(total: bigint): void {
    if (this.late > 0n) this.atLeast = largest(this.atLeast, total);
    else {
      this.known = largest(this.known, total);
      this.atLeast = 0n;
    }
  }

  /** It was compared with what is known, and says so much; what is late may be in it, and is told again. */
  learn(total: bigint): void {
    this.known = largest(this.known, total - this.late);
    this.atLeast = 0n;
    this.doubtful = false;
    this.saidLess = false;
  }

  /** Its process ends: what was never told is left to others by a name, and what was not answered may have been counted. */
  leave(id: string): void {
    this.known = largest(this.known, this.atLeast) + this.sent;
    this.sent = 0n;
    if (this.unsent !== 0n) this.leaves = { id, amount: `${this.unsent}` };
    this.unsent = 0n;
  }

  /** An amount to be counted for it, and a hold to be ended. */
  settlement(amount: bigint, hold?: string): Settlement {
    const { key, expiresAt } = this;
    return hold === undefined ? { key, amount, expiresAt } : { key, amount, expiresAt, hold };
  }

  /** Whether a moment is in the period it was last seen to be in, and nobody has reset it since. */
  #goesOn(now: number): boolean {
    return now >= this.#lookedAt && !this.isOver(now) && this.resetAt === this.#lookedReset;
  }

  #begin(budget: Budget, now: number): void {
    this.budget = budget;
    if ((budget.version ?? 0) >= (this.#latest.version ?? 0)) this.#latest = budget;
    const endsAt = endOfPeriod(this.#latest.period, now);
    this.#lookedAt = now;
    this.#lookedReset = this.resetAt;
    this.#lastReset = laterOf(this.#lastReset, laterOf(budget.resetAt ?? "", this.resetAt));
    const isOfReset = this.#lastReset === resetOf(this.epoch);
    if (this.epoch !== "" && isOfReset && !this.isOver(now)) {
      this.renewed ||= endsAt !== this.endsAt;
      this.endsAt = endsAt;
      return;
    }
    this.renewed ||= this.epoch !== "" && this.isOver(now);
    this.#after = laterOf(this.#after, afterMoved(this.epoch, this.isOver(now) ? this.endsAt : undefined));
    this.endsAt = endsAt;
    this.term++;
    this.unsent = 0n;
    this.sent = 0n;
    this.leaves = undefined;
    this.#call(this.#nameOf(this.edited?.setAt));
    this.doubtful = false;
  }

  #nameOf(after = this.#after): string {
    return epochOf(this.endsAt, this.#lastReset, after);
  }

  /** What the counter of another name says is not known. */
  #call(epoch: string): void {
    this.epoch = epoch;
    this.key = keyIn(this.budget, epoch);
    this.known = 0n;
    this.told = 0n;
    this.late = 0n;
    this.atLeast = 0n;
    this.kept = 0n;
    this.left = 0n;
    this.doubtful = true;
    this.saidLess = false;
    this.isMarked = false;
  }
}

const day = 86_400_000;

const isStricter = ({ limit, alert }: Budget, before: Budget): boolean =>
  limit < before.limit || (alert !== undefined && (before.alert === undefined || alert < before.alert));
