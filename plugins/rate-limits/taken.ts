import { type Attempt, type CountersService, type Exchange, slot } from "../../core/index.ts";
import type { Placed } from "./claims.ts";

/** What a request has taken, to be settled when it is over. */
export class Taken {
  readonly by: CountersService;
  readonly group: string;
  /** When, Unix milliseconds by the clock of who counted it. */
  readonly claimedAt: number;
  /** Under which its expected tokens are held. */
  readonly hold: string;
  /** How many: where its targets are asked for more than the client asked for, the most of them. */
  expected: bigint;
  /** The rules about tokens, and where they are held. */
  readonly tokens: readonly Placed[];
  /** The rules about requests, and where it was counted: each retry counts by them, too. */
  readonly requests: readonly Placed[];
  /** Of the rule there is least left of. */
  readonly share: number;

  constructor(
    parts: Pick<Taken, "by" | "group" | "claimedAt" | "hold" | "expected" | "tokens" | "requests" | "share">,
  ) {
    this.by = parts.by;
    this.group = parts.group;
    this.claimedAt = parts.claimedAt;
    this.hold = parts.hold;
    this.expected = parts.expected;
    this.tokens = parts.tokens;
    this.requests = parts.requests;
    this.share = parts.share;
  }
}

export const takenAtAdmission = slot<Exchange, Taken>("rates taken at admission");
export const takenAtTarget = slot<Attempt, Taken>("rates taken at a target");
