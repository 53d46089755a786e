import {
  type AlongClaims,
  type Attempt,
  type Claimed,
  CountersError,
  type CountersService,
  type Decided,
  type Exchange,
  type GatewayRequest,
  groupOf,
  isGivenUp,
  type RatesService,
  RecordError,
  refuseGivenUp,
  type SureCounters,
} from "../../core/index.ts";
import type { Accounts } from "./accounts.ts";
import { budgetExceeded, tell } from "./refusals.ts";
import { accountIn, claimIn, heldAtTarget, isLost, lettingGo, type Wanted, whenLeft } from "./wanted.ts";

export interface RoomsInput {
  readonly accounts: Accounts;
  readonly counters: SureCounters;
  /** What is claimed next by others, of the same counters. */
  readonly rates?: RatesService | undefined;
  readonly now: () => number;
}

/** Room that is to be made before a request goes on. */
export interface Room {
  readonly exchange: Exchange;
  /** Who it is made for: all of the request, or one of its targets. */
  readonly holder: Exchange | Attempt;
  /** As the target is asked. */
  readonly request?: GatewayRequest;
  readonly wanted: readonly Wanted[];
  readonly granted: () => undefined;
}

type Now<Value> = Value | Promise<Value>;

/** How often a store is told of what it has forgotten, for one request. */
const mostTries = 3;

/** Makes room in budgets that must not be overspent, and gives back what nobody needs. */
export class Rooms {
  readonly #input: RoomsInput;

  constructor(input: RoomsInput) {
    this.#input = input;
  }

  /** Throws, or rejects with, the refusal of a budget that has no room. */
  make(room: Room): Now<undefined> {
    return this.#claim(room, this.#along(room), mostTries);
  }

  /** Room that was made where there may be none, or for nobody: what is refused after all holds nothing. */
  async letGo(exchange: Exchange, wanted: readonly Wanted[], by: CountersService): Promise<void> {
    try {
      await by.settle(groupOf(exchange), lettingGo(wanted));
    } catch (error) {
      // What a store that is gone again still holds ends by itself.
      if (!(error instanceof CountersError)) throw error;
    }
  }

  /** A store that others share is asked once, for rates too: in this process asking twice takes no longer. */
  #along({ exchange, holder, request }: Room): AlongClaims | undefined {
    const { counters, rates } = this.#input;
    if (counters.store.shared === "process") return undefined;
    return rates?.along(holder === exchange ? "admission" : "target", exchange, request);
  }

  #claim(room: Room, along: AlongClaims | undefined, tries: number): Now<undefined> {
    const { exchange, holder, wanted } = room;
    const { counters, accounts: all } = this.#input;
    const known = wanted.map(({ account }) => account.known);
    const decide = ({ claimed: whole, by }: Decided): Now<undefined> => {
      const isStore = by === counters.store;
      const taken = isStore ? along : undefined;
      const claimed = taken ? ownPart(whole, wanted.length) : whole;
      // Nothing was raised: rates refuse it when they are asked, after budgets have let it in.
      if (!claimed) return this.#claim(room, undefined, tries);
      // A store that has forgotten what was used is told first: room that is not there must not be given away.
      const lost = isStore && tries > 0 ? wanted.filter((one, at) => isLost(one, claimed, at, known[at] ?? 0n)) : none;
      if (lost.length > 0)
        return Promise.all([
          claimed.granted && this.#leave(room, taken, claimed.claimedAt, by),
          ...lost.map(({ account }) => {
            account.saidLess = true;
            return all.restore(account).catch(orGoOn);
          }),
        ]).then(() => this.#claim(room, undefined, tries - 1));
      if (!claimed.granted) throw this.#refused(room, claimed, isStore);
      if (isGivenUp(exchange)) return this.#leave(room, taken, claimed.claimedAt, by).then(refuseGivenUp);
      for (const { account, charged, hold } of wanted) charged.held(account, hold, isStore ? undefined : by);
      if (holder !== exchange) heldAtTarget.set(exchange, { attempt: holder as Attempt, wanted, by });
      whenLeft(exchange, holder, wanted, (left) => void this.letGo(exchange, left, by));
      if (taken && whole.granted) taken.granted({ ...whole, totals: whole.totals.slice(wanted.length) }, by);
      return room.granted();
    };
    const decided = counters.claim(
      groupOf(exchange),
      wanted.map(claimIn),
      wanted.map(accountIn),
      (claims) =>
        // Counting by itself this process knows of holds only: what was used stays used.
        claims.map((claim, at) => ({ ...claim, limit: claim.limit - (wanted[at]?.account.total ?? 0n) })),
      along?.claims,
    );
    return decided instanceof Promise ? decided.then(decide) : decide(decided);
  }

  #leave({ exchange, wanted }: Room, taken: AlongClaims | undefined, claimedAt: number, by: CountersService) {
    return Promise.all([this.letGo(exchange, wanted, by), taken?.giveBack(claimedAt, by)]);
  }

  #refused({ holder, wanted }: Room, { at, totals }: Extract<Claimed, { granted: false }>, isStore: boolean): Error {
    const { account, claim } = wanted[at] as Wanted;
    const current = (totals[at] ?? 0n) + (isStore ? 0n : account.total);
    tell(holder, account, current, true);
    return budgetExceeded(account, current, this.#input.now(), claim.hold && claim.amount);
  }
}

/** What was said of the first claims; undefined where one behind them is refused. */
function ownPart(claimed: Claimed, length: number): Claimed | undefined {
  const totals = claimed.totals.slice(0, length);
  if (claimed.granted) return { ...claimed, totals };
  return claimed.at < length ? { ...claimed, totals } : undefined;
}

const none: readonly never[] = [];

/** What stores cannot say now is learnt when they are back: until then room is made by what is known. */
function orGoOn(error: unknown): undefined {
  if (!(error instanceof CountersError || error instanceof RecordError)) throw error;
}
