import fc from "fast-check";
import { expect, it } from "vitest";
import { MemoryCache } from "./memory-cache.ts";

const maxBytes = 20 * 1024;
const maxEntryBytes = 5000;

interface Held {
  readonly value: string;
  readonly bytes: number;
  readonly expiresAt: number;
}

/** The same, as simply as it can be said: the first of the map was not used for the longest time. */
class Naive {
  readonly held = new Map<string, Held>();

  get bytes(): number {
    return [...this.held.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get(name: string, now: number): string | undefined {
    const found = this.held.get(name);
    this.held.delete(name);
    if (!found || found.expiresAt <= now) return undefined;
    this.held.set(name, found);
    return found.value;
  }

  set(name: string, value: string, nameBytes: number, expiresAt: number, now: number): void {
    this.held.delete(name);
    // Whole kibibytes, the name among them, and what stands beside.
    const bytes = Math.ceil((nameBytes + value.length) / 1024) * 1024 + 128;
    if (value.length > maxEntryBytes || expiresAt <= now) return;
    this.held.set(name, { value, bytes, expiresAt });
    while (this.bytes > maxBytes) this.held.delete([...this.held.keys()][0] ?? "");
  }
}

const step = fc.record({
  kind: fc.constantFrom("set", "set", "set", "get", "get", "get", "claim", "delete", "pass"),
  tenant: fc.constantFrom("a", "b", '["workspace","o","w"]', "\ud800"),
  key: fc.constantFrom("answer:0", "answer:1", "space:0", "x", ""),
  length: fc.constantFrom(0, 1, 900, 1010, 1024, 3000, 4999, 5000, 5001),
  seconds: fc.constantFrom(0, 1, 60, 61),
});

it("is a map of names that forgets what was not used for the longest time, and never holds more than it may", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: "max" }), (steps) => {
      let now = 0;
      const cache = new MemoryCache({ maxBytes, maxEntryBytes, now: () => now });
      const naive = new Naive();
      for (const [at, { kind, tenant, key, length, seconds }] of steps.entries()) {
        const entry = { tenant, key };
        const name = JSON.stringify([tenant, key]);
        const named = `${tenant.length}:${key.length}:${tenant}${key}`;
        const nameBytes = named.isWellFormed() ? Buffer.byteLength(named) : 2 * named.length;
        const value = `${at}`.padEnd(length, "v").slice(0, length);
        if (kind === "pass") now += seconds * 1000;
        else if (kind === "delete") {
          cache.delete(entry);
          naive.held.delete(name);
        } else if (kind === "get") expect(cache.get(entry)?.toString()).toBe(naive.get(name, now));
        else if (kind === "set") {
          cache.set(entry, Buffer.from(value), seconds);
          naive.set(name, value, nameBytes, now + seconds * 1000, now);
        } else {
          const there = naive.get(name, now);
          if (there === undefined) naive.set(name, value, nameBytes, now + seconds * 1000, now);
          expect(cache.claim(entry, Buffer.from(value), seconds)?.toString()).toBe(naive.get(name, now));
        }
        expect(cache.bytes).toBe(naive.bytes);
        expect(cache.bytes).toBeLessThanOrEqual(maxBytes);
      }
    }),
    { numRuns: 300 },
  );
});
