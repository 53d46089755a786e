import type { Exchange } from "./model/exchange.ts";

/** A place for what a plugin finds out about an object it is shown again later. */
export interface Slot<Holder extends object, Value> {
  get(holder: Holder): Value | undefined;
  set(holder: Holder, value: Value | undefined): void;
}

/**
 * Keeps a value on the object itself, under a key nobody else has. A WeakMap would do the same, but one with an entry per
 * request makes every garbage collection walk through all of them.
 */
export function slot<Holder extends object, Value>(description: string): Slot<Holder, Value> {
  const key = Symbol(description);
  return {
    get(holder) {
      return (holder as Record<symbol, Value | undefined>)[key];
    },
    set(holder, value) {
      (holder as Record<symbol, Value | undefined>)[key] = value;
    },
  };
}

/** What was found out about an exchange, or about the one it is a branch of. */
export function foundFor<Value>({ get }: Slot<Exchange, Value>, exchange: Exchange): Value | undefined {
  for (let one: Exchange | undefined = exchange; one; one = one.trunk) {
    const value = get(one);
    if (value !== undefined) return value;
  }
  return undefined;
}
