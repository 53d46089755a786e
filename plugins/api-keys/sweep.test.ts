import { describe, expect, it } from "vitest";
import type { RotationPolicy } from "./rotation.ts";
import { keyDeployment, organisation } from "./testing.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const weekly: RotationPolicy = {
  rotation_period: "weekly",
  rotation_period_days: null,
  next_rotation_at: "2026-03-16T00:00:00.000Z",
  key_transition_period_ms: 2 * day,
};

async function rotating(more: Partial<RotationPolicy> = {}) {
  const deployment = keyDeployment();
  const issued = await deployment.issue({ rotation_policy: { ...weekly, ...more }, alert_emails: ["a@b.org"] });
  const { keys, clock, admit, sweep } = deployment;
  const read = async () => {
    const record = await keys.store.get(organisation, issued.id);
    if (!record) throw new Error("the key is gone");
    return record;
  };
  return {
    ...deployment,
    ...issued,
    read,
    rotate: async (asked?: number) => keys.rotate(await read(), asked),
    letsIn: async (value: string) => (await admit(value, "authorization")) !== undefined,
    /** Sweeps at a time after the start, 2026-03-11T10:00Z. */
    async sweepAt(time: string) {
      clock.now = Date.parse(time);
      await sweep();
    },
  };
}

describe("a rotation by hand", () => {
  it("gives a second secret; the first one ends with the transition", async () => {
    const { value, rotate, letsIn, clock, sweep, read } = await rotating();
    const { value: next, transitionEnds } = await rotate(hour);
    expect(transitionEnds).toBe("2026-03-11T11:00:00.000Z");
    expect([await letsIn(value), await letsIn(next)]).toEqual([true, true]);
    await expect(rotate()).rejects.toMatchObject({ code: "already_exists" });
    clock.now += hour - 1;
    expect([await letsIn(value), await letsIn(next)]).toEqual([true, true]);
    clock.now += 1;
    expect([await letsIn(value), await letsIn(next)]).toEqual([false, true]);
    const { value: third } = await rotate(hour);
    expect([await letsIn(value), await letsIn(next), await letsIn(third)]).toEqual([false, true, true]);
    clock.now += hour;
    await sweep();
    expect((await read()).document).toMatchObject({ previous: null, rotation_policy: weekly });
    expect([await letsIn(next), await letsIn(third)]).toEqual([false, true]);
  });

  it("makes one new secret, however many ask at once", async () => {
    const { rotate, value, letsIn } = await rotating();
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => rotate()));
    const [made, ...others] = all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(others).toEqual([]);
    expect([await letsIn(made?.value ?? ""), await letsIn(value)]).toEqual([true, true]);
  });
});

describe("a rotation by the calendar", () => {
  it("happens on its date, once, and tells", async () => {
    const { value, id, sweepAt, read, letsIn, events, notices } = await rotating();
    await sweepAt("2026-03-15T23:59:00Z");
    expect((await read()).document.last_rotated_at).toBeNull();
    await sweepAt("2026-03-16T00:05:00Z");
    const { secret, last_rotated_at, rotation_policy } = (await read()).document;
    expect({ last_rotated_at, next: rotation_policy?.next_rotation_at }).toEqual({
      last_rotated_at: "2026-03-16T00:05:00.000Z",
      next: "2026-03-23T00:00:00.000Z",
    });
    expect(await letsIn(value)).toBe(true);
    await sweepAt("2026-03-16T00:20:00Z");
    expect((await read()).document.secret).toEqual(secret);
    expect(events).toEqual([
      {
        organisation,
        resource: "api_keys",
        action: "rotate",
        subject: id,
        details: {
          api_key_id: id,
          rotation_mode: "auto",
          old_key_masked: `${value.slice(0, 2)}*******${value.slice(-2)}`,
          transition_expires_at: "2026-03-18T00:05:00.000Z",
        },
      },
    ]);
    expect(notices.map(({ event }) => event)).toEqual(["api_key.rotation_upcoming", "api_key.rotated"]);
    expect(notices[1]).toMatchObject({ subject: { kind: "api_key", id }, recipients: ["a@b.org"] });
    expect(JSON.stringify([events, notices])).not.toContain(value);
  });

  it("keeps the new secret, encrypted, until it has been read once", async () => {
    const { value, sweepAt, rotate, letsIn, read } = await rotating();
    await sweepAt("2026-03-16T00:05:00Z");
    const read1 = await rotate();
    expect(read1).toMatchObject({ made: false, transitionEnds: "2026-03-18T00:05:00.000Z" });
    expect([await letsIn(read1.value), await letsIn(value)]).toEqual([true, true]);
    expect(JSON.stringify(await read())).not.toContain(read1.value);
    await expect(rotate()).rejects.toMatchObject({ code: "already_exists" });
  });

  it.each([
    ["is still to be read a week after the transition", "2026-03-25T00:04:00Z", false],
    ["is dropped then", "2026-03-25T00:06:00Z", true],
  ])("with a secret nobody read: it %s", async (_, time, dropped) => {
    const { sweepAt, read } = await rotating({ rotation_period: null });
    await sweepAt("2026-03-16T00:05:00Z");
    expect((await read()).document.rotation_policy).toBeNull();
    await sweepAt(time);
    expect((await read()).document.unread === null).toBe(dropped);
  });

  it("waits while the secret before is still good", async () => {
    const { sweepAt, rotate, read, clock } = await rotating();
    clock.now = Date.parse("2026-03-15T23:00:00Z");
    await rotate(2 * hour);
    const { rotation_policy } = (await read()).document;
    expect(rotation_policy?.next_rotation_at).toBe("2026-03-16T00:00:00.000Z");
    await sweepAt("2026-03-16T00:05:00Z");
    expect((await read()).document.unread).toBeNull();
    await sweepAt("2026-03-16T01:05:00Z");
    expect((await read()).document.unread).not.toBeNull();
  });

  it("tells a day ahead of what will be, once for each date", async () => {
    const { sweepAt, notices, rotate } = await rotating();
    const told = () =>
      notices.splice(0).map(({ event, data }) => [event, data.next_rotation_at ?? data.transition_expires_at]);
    await sweepAt("2026-03-14T23:00:00Z");
    expect(told()).toEqual([]);
    await sweepAt("2026-03-15T00:00:00Z");
    await sweepAt("2026-03-15T01:00:00Z");
    expect(told()).toEqual([["api_key.rotation_upcoming", weekly.next_rotation_at]]);
    await sweepAt("2026-03-16T00:00:00Z");
    expect(told()).toEqual([["api_key.rotated", "2026-03-18T00:00:00.000Z"]]);
    await rotate();
    await sweepAt("2026-03-17T00:00:00Z");
    await sweepAt("2026-03-17T00:15:00Z");
    expect(told()).toEqual([["api_key.transition_expiring", "2026-03-18T00:00:00.000Z"]]);
    await sweepAt("2026-03-22T12:00:00Z");
    expect(told()).toEqual([["api_key.rotation_upcoming", "2026-03-23T00:00:00.000Z"]]);
  });
});

describe("the background work", () => {
  it("marks what has expired, and never looks at it again", async () => {
    const { issue, clock, sweep, keys, store } = keyDeployment();
    const { id } = await issue({ expires_at: new Date(clock.now + hour).toISOString() });
    await issue();
    await sweep();
    clock.now += hour;
    await sweep();
    expect((await keys.store.get(organisation, id))?.document).toMatchObject({ status: "expired", tended: false });
    store.asked = 0;
    await sweep();
    expect(store.asked).toBe(4);
  });

  it("is one process' at a time", async () => {
    const { installation, clock } = keyDeployment();
    const turns = async () =>
      (
        await Promise.all(Array.from({ length: 4 }, () => installation.turn("last-sweep", clock.now, 15 * minute)))
      ).filter((turn) => turn).length;
    expect([await turns(), await turns()]).toEqual([1, 0]);
    clock.now += 15 * minute;
    expect([await turns(), await turns()]).toEqual([1, 0]);
  });
});
