import {
  boundedLimit,
  type Claim,
  type CounterValue,
  claimable,
  inRange,
  millionths,
  moment,
  type RedisArgument,
  type Settlement,
} from "../../core/index.ts";

/** What a script is run with. */
export interface Arguments {
  readonly keys: readonly string[];
  readonly values: readonly RedisArgument[];
}

/** Keys of one group: they lie in one hash slot, as `sluice:counters:{g:acme}:c:rpm:…`, whatever the group's name contains. */
class GroupKeys {
  readonly keys: string[] = [];
  readonly #start: string;
  readonly #places = new Map<string, number>();

  constructor(prefix: string, group: string) {
    this.#start = `${prefix}counters:{g:${group.replace(/[{}%]/g, encodeURIComponent)}}:`;
  }

  /** Which counter of the call it is, from 1. */
  place(key: string): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.keys.push(this.hash(key), `${this.#start}h:${key}`);
    const place = this.keys.length / 2;
    this.#places.set(key, place);
    return place;
  }

  hash(key: string): string {
    return `${this.#start}c:${key}`;
  }

  once(id: string): string {
    return `${this.#start}o:${id}`;
  }
}

/** In the order `claimScript` reads them. Throws a RangeError on amounts out of range. */
export function claimArguments(prefix: string, group: string, claims: readonly Claim[]): Arguments {
  const at = new GroupKeys(prefix, group);
  const values: RedisArgument[] = [];
  for (const { key, limit, rule, amount, expiresAt, hold, carry } of claims) {
    values.push(at.place(key), `${boundedLimit(limit)}`, rule, `${claimable(amount)}`, moment(expiresAt));
    values.push(hold?.id ?? "", hold ? moment(hold.until) : 0);
    values.push(carry ? at.place(carry.key) : 0, carry ? millionths(carry.share) : 0);
  }
  return { keys: at.keys, values };
}

/** In the order `settleScript` reads them. Throws a RangeError on amounts out of range. */
export function settleArguments(
  prefix: string,
  group: string,
  entries: readonly Settlement[],
  once: string | undefined,
): Arguments {
  const at = new GroupKeys(prefix, group);
  const values: RedisArgument[] = [];
  for (const { key, amount, expiresAt, hold, since } of entries)
    values.push(at.place(key), `${inRange(amount)}`, moment(expiresAt), hold ?? "", since ?? "");
  const counters = at.keys.length / 2;
  if (once !== undefined) at.keys.push(at.once(once));
  return { keys: at.keys, values: [counters, ...values] };
}

/** In the order `putScript` reads them. Throws a RangeError on values out of range. */
export function putArguments(prefix: string, group: string, entries: readonly CounterValue[]): Arguments {
  const at = new GroupKeys(prefix, group);
  const values: RedisArgument[] = [];
  for (const { key, value, expiresAt } of entries) values.push(at.place(key), `${inRange(value)}`, moment(expiresAt));
  return { keys: at.keys, values };
}

export function readArguments(prefix: string, group: string, keys: readonly string[]): Arguments {
  const at = new GroupKeys(prefix, group);
  return { keys: keys.map((key) => at.hash(key)), values: [] };
}
