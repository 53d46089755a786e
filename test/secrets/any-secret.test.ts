import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { chance } from "../support/chance.ts";
import { expectFewReads, expectGoodValues } from "./checks.ts";
import { openSecrets, pass, type SecretPlace, type Trouble } from "./world.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2084-01-01T10:00Z") }));
afterEach(() => void vi.useRealTimers());

const waits = [0, 500, 1_000, 29_000, 31_000, 120_000, 239_000, 241_000, 299_000, 301_000, 1_800_000, 3_601_000];
const troubles: readonly Trouble[] = ["none", "none", "none", "fails", "refuses", "junk", "empty", "breaks"];

const inner = fc.record({
  what: fc.constantFrom("ask", "ask", "ask", "wait", "wait", "rotate", "accept", "trouble", "reload"),
  how: fc.nat({ max: 99 }),
});
type Inner = typeof inner extends fc.Arbitrary<infer Value> ? Value : never;
/** Something, or some things that happen while requests are with the vendor. */
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: inner.map((one) => ({ count: 0, all: [one] })) },
    {
      weight: 1,
      arbitrary: fc.record({ count: fc.integer({ min: 1, max: 5 }), all: fc.array(inner, { maxLength: 3 }) }),
    },
  ),
  { minLength: 5, maxLength: 40, size: "max" },
);

async function take(place: SecretPlace, { what, how }: Inner, isHeld: boolean): Promise<void> {
  if (what === "wait") pass(waits[how % waits.length] ?? 0);
  else if (what === "rotate") place.rotate(how);
  else if (what === "accept") place.accept();
  else if (what === "trouble") place.trouble(troubles[how % troubles.length] ?? "none");
  else if (what === "reload") await place.reload();
  else if (!isHeld) await Promise.all(Array.from({ length: 1 + (how % 4) }, (_, at) => place.ask(at)));
}

it("a secret that lies elsewhere is one that may be shown, whatever becomes of it, and is fetched no more than it must", async () => {
  const world = await openSecrets();
  try {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const place = await world.place(2);
        for (const { count, all: inside } of all) {
          if (count === 0) for (const one of inside) await take(place, one, false);
          else
            await place.during(count, async () => {
              for (const one of inside) await take(place, one, true);
            });
        }
        expectGoodValues(place);
        expectFewReads(place);
        place.trouble("none");
        pass(3_600_000);
        place.accept();
        await place.ask(0);
        expect(place.asked.at(-1)?.status).toBe(200);
        // A vendor's own words quote it; logs and what the gateway says itself never do.
        expect(JSON.stringify(world.management.gateway.log.lines)).not.toMatch(/of-nobody-else|hvs\.the-token/);
        expect(place.asked.filter(({ text }) => /of-nobody-else|hvs\.the-token/.test(text))).toEqual([]);
      }),
      { ...chance(8, 1), endOnFailure: true },
    );
  } finally {
    await world.management.close();
  }
}, 600_000);
